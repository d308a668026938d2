// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace gdal_zarr {

/// Whether GDAL lists all files of an archive, as far as can be told. If so, a file that it does not list is absent.
/// `prefix` is the file system ("/vsitar/"), and `root` GDAL's name for the archive's top folder.
///
/// The check is needed because GDAL answers alike if an archive cannot be read and if it lacks the file, and because
/// GDAL stops without an error at a tar header that it cannot read. The answer is kept for each state of an archive.
/// Thread-safe.
bool KnowsContent(const std::string& prefix, const std::string& archive, const std::string& root);

}  // namespace gdal_zarr
