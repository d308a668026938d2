// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace gdal_zarr {

/// Returns true if GDAL is known to list all files of an archive. A file that it does not list is then absent. `prefix`
/// is the file system ("/vsitar/"), and `root` GDAL's name of the archive's top folder.
///
/// The check is needed because GDAL returns the same result if an archive cannot be read and if it lacks the file, and
/// because GDAL stops without an error at a tar header that it cannot read. The result is cached for each state of an
/// archive. Thread-safe.
bool KnowsContent(const std::string& prefix, const std::string& archive, const std::string& root);

}  // namespace gdal_zarr
