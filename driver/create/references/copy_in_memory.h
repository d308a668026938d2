// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "driver/dataset/left_out_values.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// An ordinary copy of a source as a store in memory, without the values of some arrays, for the lifetime of the
/// object. It has the metadata that references get.
class CopyInMemory {
 public:
  /// `target` is the path of the references, which gives an array of a raster its name. `options` are those of a copy,
  /// `is_strict` as for CreateCopy. `is_left_out` is that of LeftOutValues. Throws zarr::Error if the copy fails, after
  /// errors for GDAL.
  CopyInMemory(GDALDataset& source, const std::string& target, CSLConstList options,
               std::function<bool(const std::string& source)> is_left_out, bool is_strict = false);
  ~CopyInMemory();
  CopyInMemory(const CopyInMemory&) = delete;
  CopyInMemory& operator=(const CopyInMemory&) = delete;

  const std::string& path() const { return path_; }
  /// Returns the name of the source of an array that was copied without values; null for other arrays.
  const std::string* FindSource(const std::string& copied_path) const;

 private:
  std::string folder_;
  std::string path_;
  LeftOutValues left_out_;
};

}  // namespace gdal_zarr
