#pragma once

#include <string>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Whether side files are looked for beside a file: where this costs no request, thus on local file systems and in
/// archives, or where the user keeps side files elsewhere (GDAL_PAM_PROXY_DIR) and has one for this file.
bool MayHaveSideFiles(const std::string& file);

/// Whether GDAL can keep side files beside a file, or elsewhere for it.
bool CanSaveSideFiles(const std::string& file);

/// Whether a file has the name of a side file and is another's: it does not begin as those that GDAL writes do. Nothing
/// that is not there is; a file that cannot be read is, for it must not be written over.
bool IsForeignSideFile(const std::string& file);

/// The file with an array's overviews, without its ending ".ovr", beside the array's own document: a name that GDAL's
/// own driver also knows.
std::string OverviewFileStem(const std::string& document, const std::string& array_name);

/// A side file that is being written, to take the place of an old one, whose content it begins with, when it is
/// complete: GDAL writes over side files, and does not look whether all was written. Nothing is left of it otherwise.
class NewSideFile {
 public:
  explicit NewSideFile(std::string target);
  ~NewSideFile();
  NewSideFile(const NewSideFile&) = delete;
  NewSideFile& operator=(const NewSideFile&) = delete;

  const std::string& path() const { return path_; }
  const std::string& target() const { return target_; }
  /// Removes the target if the file was removed. False if it is not complete, or that fails.
  bool PutInPlace() const;

 private:
  std::string target_;
  std::string path_;
  bool copied_ = true;
};

}  // namespace gdal_zarr
