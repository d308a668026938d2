#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "zarrlib/store/store.h"

namespace gdal_zarr {

/// A path in a ZIP archive, as GDAL names it: /vsizip/<archive>[/<folder>], or /vsizip/{<archive>}[/<folder>].
struct ZipPath {
  std::string archive;
  std::string folder;  ///< In the archive; "" for its root.
};

/// Nothing for what does not begin with /vsizip/. Throws zarr::Error(invalid_argument) where no archive can be told:
/// without braces its name ends in .zip.
std::optional<ZipPath> SplitZipPath(std::string_view path);
/// As SplitZipPath, but nothing where no archive can be told.
std::optional<ZipPath> FindZipPath(std::string_view path);

/// A store in an archive that is to be made. It is written beside the place of the archive, or, where GDAL writes files
/// only from front to back (on object stores), in the folder for temporary files; `Store::Finish` puts it in place.
/// Throws zarr::Error: invalid_argument if there is an archive, read_only where GDAL cannot write, io.
std::shared_ptr<zarr::Store> MakeZipStore(const std::string& path);

/// The file that is a store in an archive, for what is done to it as a whole. Throws zarr::Error(unsupported) if there
/// are other things in the archive.
std::string ArchiveOfStore(const ZipPath& path);

}  // namespace gdal_zarr
