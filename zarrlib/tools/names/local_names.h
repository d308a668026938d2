// SPDX-License-Identifier: MIT
#pragma once

namespace zarr::tools {

/// Returns true if an argument names a local store that only GDAL's plugin reads, or reads better: a file of kerchunk
/// references, a folder of them in Parquet, an Icechunk repository, whose virtual chunks may be in any file, or the
/// name of a repository with "?branch=" and so on. Reads the beginnings of files. Returns false if that fails: the
/// command that reads the store reports the error.
bool IsLocalNameForGdal(const char* argument) noexcept;

}  // namespace zarr::tools
