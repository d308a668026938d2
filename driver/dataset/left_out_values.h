// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>

namespace gdal_zarr {

/// For its lifetime, copies that are made on this thread leave out the values of some arrays: they get everything else,
/// and references to values that are stored elsewhere. The thread's object is the last one.
class LeftOutValues {
 public:
  /// `has` returns true for the arrays of the source whose values are left out. They are given by their full names for
  /// GDAL; "" stands for the bands of a raster.
  explicit LeftOutValues(std::function<bool(const std::string& source)> has);
  ~LeftOutValues();
  LeftOutValues(const LeftOutValues&) = delete;
  LeftOutValues& operator=(const LeftOutValues&) = delete;

  /// Returns true if the values of an array of the source are left out by this thread's object, and records the path of
  /// its copy. Returns false if there is no object.
  static bool Note(const std::string& source, const std::string& copy);

  /// The names of the sources of the recorded copies, by path.
  const std::map<std::string, std::string>& copies() const { return copies_; }

 private:
  std::function<bool(const std::string& source)> has_;
  LeftOutValues* const outer_;
  std::map<std::string, std::string> copies_;
};

}  // namespace gdal_zarr
