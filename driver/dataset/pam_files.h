// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Returns true if it is worth searching for a PAM file next to a file. This is the case on local file systems and in
/// archives, where it does not cost a request. It is also the case if the user keeps PAM files elsewhere
/// (GDAL_PAM_PROXY_DIR) and has one for this file.
bool MayHaveSideFiles(const std::string& file);

/// Returns true if GDAL can save PAM files next to a file, or elsewhere for it.
bool CanSaveSideFiles(const std::string& file);

/// Returns true if a file is named like a PAM file but was not written by GDAL, because it begins with other bytes. An
/// unreadable file counts as foreign, because it must not be overwritten; a missing file does not.
bool IsForeignSideFile(const std::string& file);

/// Returns the name, without the suffix ".ovr", of the file with an array's overviews. It is next to the array's
/// document, and GDAL's built-in driver supports names of this form too.
std::string MakeOverviewFileStem(const std::string& document, const std::string& array_name);

/// The metadata item, in the domain OVERVIEWS of a PAM file, with the array's name in that of the file with overviews.
inline constexpr const char* kOverviewsNamedAfter = "FILE_NAMED_AFTER";

/// Returns true if the PAM file of a document has that item, so that the file with overviews is found by it.
bool NotesNameOfOverviews(const std::string& document);

/// Renames the files with an array's overviews after the array, in whose folder they are and whose document is given.
/// Warns of those that keep their names.
void RenameOverviewFiles(const std::string& document, const std::string& from, const std::string& to);

/// A new version of a PAM file. GDAL overwrites PAM files in place and does not check that everything was written.
/// Therefore it gets this temporary copy of the old file to change, which then replaces the old file if it is complete.
/// Otherwise the destructor removes the copy.
class NewSideFile {
 public:
  explicit NewSideFile(std::string target);
  ~NewSideFile();
  NewSideFile(const NewSideFile&) = delete;
  NewSideFile& operator=(const NewSideFile&) = delete;

  const std::string& path() const { return path_; }
  const std::string& target() const { return target_; }
  /// Replaces the target, or removes it if GDAL removed the copy. Returns false if the copy is incomplete or cannot be
  /// renamed.
  bool PutInPlace() const;

 private:
  std::string target_;
  std::string path_;
  bool copied_ = true;
};

}  // namespace gdal_zarr
