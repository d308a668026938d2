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
  std::string folder;  ///< The folder in the archive; empty for its root.
};

/// Returns nullopt if the path does not begin with /vsizip/. Throws zarr::Error(invalid_argument) if the archive cannot
/// be distinguished from the folder: without braces, its name must end in .zip.
std::optional<ZipPath> SplitZipPath(std::string_view path);
/// Like SplitZipPath, but returns nullopt instead of throwing.
std::optional<ZipPath> FindZipPath(std::string_view path);

/// Creates a store in a new archive. The archive is written to a temporary file next to it. If GDAL can only write the
/// target sequentially (object stores), the file is in the folder for temporary files. `Store::Finish` moves it to the
/// target. Throws zarr::Error: invalid_argument if the archive exists, read_only if GDAL cannot write there, io.
std::shared_ptr<zarr::Store> MakeZipStore(const std::string& path);

/// Returns the archive whose root is the store of `path`, for operations on the whole store. Throws
/// zarr::Error(unsupported) if the archive contains anything else.
std::string FindArchiveOfStore(const ZipPath& path);

}  // namespace gdal_zarr
