// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Whether to look for side files beside a file: on local file systems and in archives, where looking takes no request,
/// and where the user keeps side files elsewhere (GDAL_PAM_PROXY_DIR) and has one for this file.
bool MayHaveSideFiles(const std::string& file);

/// Whether GDAL can save side files beside a file, or elsewhere for it.
bool CanSaveSideFiles(const std::string& file);

/// Whether a file is named like a side file but is not GDAL's, because it begins with other bytes. An unreadable file
/// counts as foreign, because it must not be overwritten; a missing file does not.
bool IsForeignSideFile(const std::string& file);

/// Makes the name of the file with an array's overviews, without its ending ".ovr". It is beside the array's document,
/// and GDAL's built-in driver knows names of this form too.
std::string MakeOverviewFileStem(const std::string& document, const std::string& array_name);

/// A new version of a side file. GDAL overwrites side files in place and does not check that all was written; so it
/// gets this temporary copy of the old file to change, which then replaces the old one if it is complete. The
/// destructor removes it otherwise.
class NewSideFile {
 public:
  explicit NewSideFile(std::string target);
  ~NewSideFile();
  NewSideFile(const NewSideFile&) = delete;
  NewSideFile& operator=(const NewSideFile&) = delete;

  const std::string& path() const { return path_; }
  const std::string& target() const { return target_; }
  /// Replaces the target, or removes it if GDAL removed the copy. Returns false if the copy is incomplete or cannot be
  /// put in place.
  bool PutInPlace() const;

 private:
  std::string target_;
  std::string path_;
  bool copied_ = true;
};

}  // namespace gdal_zarr
