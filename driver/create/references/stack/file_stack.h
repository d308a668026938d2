// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "driver/create/references/source_arrays.h"
#include "driver/create/references/stack/array_stack.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// The arrays of several files that are parts of one dataset. Files are added one by one, and may be closed then. Not
/// thread-safe. All functions throw zarr::Error.
class FileStack {
 public:
  using Warn = std::function<void(const std::string&)>;
  FileStack(std::string along, Warn warn) : along_(std::move(along)), warn_(std::move(warn)) {}

  /// Adds the next file.
  void Add(GDALDataset& dataset);
  void Complete();
  bool needs_v3() const;
  /// Returns the stack of an array, given by its full name; null if it is not stacked.
  const ArrayStack* Find(const std::string& name) const;
  const std::string& along() const { return along_; }

 private:
  using Arrays = std::map<std::string, std::shared_ptr<GDALMDArray>>;
  /// An array that is not stacked.
  struct Other {
    std::string nature;
    std::optional<std::size_t> values;  // a hash
    bool operator==(const Other&) const = default;
  };

  void Choose(const Arrays& arrays);
  void AddStacked(const std::string& file, const Arrays& arrays, const SourceArrays& sources);
  void CheckOther(const std::string& file, const std::string& name, const GDALMDArray& array);
  void CheckAttributes(const std::string& file, const std::string& name, const GDALIHasAttribute& node);
  const GDALMDArray& FindArrayWithUnit(const Arrays& arrays, const std::string& name) const;

  std::string along_;
  Warn warn_;
  bool is_first_ = true;
  std::map<std::string, ArrayStack> stacks_;
  std::map<std::string, Other> others_;
  std::map<std::string, std::map<std::string, std::string>> attributes_;
  std::string coordinates_;       // the name of the coordinates along the axis
  std::set<std::string> bounds_;  // the names of arrays with their bounds
  bool needs_v3_ = false;
};

}  // namespace gdal_zarr
