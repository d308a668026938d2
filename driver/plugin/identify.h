// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/store/store.h"

namespace gdal_zarr {

/// GDALDriver::pfnIdentify: checks whether a name is that of a Zarr store. Reads files only in folders, and those whose
/// name has a store's extension. For remote folders, and remote names with such an extension, returns
/// GDAL_IDENTIFY_UNKNOWN.
int Identify(GDALOpenInfo* info);
/// Returns true if a plain path is missing and GDAL would report that there is no such file. Opening gives a better
/// error if the path would be in a store. Returns false if GDAL only checks for existence, as it does before it creates
/// a file.
bool MayNameMissingNode(const GDALOpenInfo& info);

/// Returns true if a name is that of a remote folder that can only be recognized as a store by its documents.
bool NeedsRootDocument(const GDALOpenInfo& info);
/// Returns true if a folder has a document that makes it a store. Throws the store's errors.
bool HasRootDocument(const zarr::Store& store);

/// Returns true for the usual name of a remote repository of Icechunk.
bool IsRemoteRepositoryName(std::string_view path);
/// Returns true if a folder, which is not remote, is an Icechunk repository and not a store itself.
bool IsRepositoryFolder(const std::string& folder);
/// Returns true if the first bytes of a file called `repo` are those of a repo info file of Icechunk.
bool IdentifyRepoInfo(const GDALOpenInfo& info);

/// Returns true if the first bytes of a file called .json or .zarr, which Identify has read, are kerchunk references.
bool IdentifyReferences(const GDALOpenInfo& info);

}  // namespace gdal_zarr
