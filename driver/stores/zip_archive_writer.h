// SPDX-License-Identifier: MIT
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
  std::string folder;  ///< The folder in the archive; "" for its root.
};

/// Returns nothing if the path does not begin with /vsizip/. Throws zarr::Error(invalid_argument) if the archive cannot
/// be told from the folder: without braces, its name must end in .zip.
std::optional<ZipPath> SplitZipPath(std::string_view path);
/// Does the same as SplitZipPath, but returns nothing where that one throws.
std::optional<ZipPath> FindZipPath(std::string_view path);

/// Makes a store in a new archive. The archive is written to a temporary file beside it, or in the folder for temporary
/// files if GDAL can only write the target from front to back (object stores); `Store::Finish` puts it in place. Throws
/// zarr::Error: invalid_argument if the archive exists, read_only if GDAL cannot write there, io.
std::shared_ptr<zarr::Store> MakeZipStore(const std::string& path);

/// Returns the archive whose root is the store of `path`, for operations on the whole store. Throws
/// zarr::Error(unsupported) if the archive holds other things.
std::string FindArchiveOfStore(const ZipPath& path);

}  // namespace gdal_zarr
