// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "driver/raster/raster_parts.h"

namespace gdal_zarr {

/// The file next to a store in which GDAL keeps the overviews of a raster that cannot have them in the store. Each view
/// of an array has a file of its own. Also prevents GDAL from using a mask file. Not thread-safe, like GDAL's datasets.
class OverviewFile {
 public:
  /// `manager` is the dataset's; it outlives this object.
  OverviewFile(const RasterParts& raster, GDALDefaultOverviews& manager) : raster_(raster), manager_(manager) {}

  /// Lets GDAL find the file.
  void Find();
  /// Makes GDAL use a file next to the array's metadata, if it uses none yet.
  void Use();
  /// Reports an error if Use cannot work, or would overwrite a foreign file.
  CPLErr Check() const;
  /// Removes the overviews in the file, if there are any.
  void Clean();
  /// Notes in the PAM file by which array's name the file is called, so that it is found after the array or the store
  /// has been moved. Call this when the overviews in the file have been made or removed.
  void NoteBuilt(bool has_any);
  /// Call this before values are written.
  void NoteWrite();
  /// Call this when values have been written: a file that has changed since NoteWrite shows them.
  void NoteFlush();
  /// Returns true, once, if values were written, but nothing to the file, which thus does not show them.
  bool TakeBehind();
  /// Warns that the overviews in the file do not show what was written.
  void WarnOfBehind() const;
  /// Prevents GDAL from using the file <dataset name>.msk as a mask. GDAL would find it under only some names of a
  /// store, and it would outlive the store and then apply to another one.
  void IgnoreMaskFile();

 private:
  using FileState = std::pair<std::filesystem::file_time_type, std::uintmax_t>;

  /// Returns the time and size of the file; nullopt if it is not a local one. GDAL's partial refresh, which `gdal
  /// raster update` makes, writes to it without notice.
  std::optional<FileState> FindState() const;
  /// Returns the file's name without the suffix ".ovr", for an array of that name.
  std::string GetStem(const std::string& array_name) const;
  std::string GetStem() const { return GetStem(raster_.array->GetName()); }
  /// Returns the name, without the suffix ".ovr", for an array at a store's root.
  std::string GetPlainStem() const;

  const RasterParts raster_;
  GDALDefaultOverviews& manager_;
  bool is_behind_ = false;
  std::optional<FileState> before_;  // what the file was before values were written
};

}  // namespace gdal_zarr
