// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "zarrlib/store/icechunk/repository.h"
#include "zarrlib/store/store.h"

namespace gdal_zarr {

/// Opens the snapshot that the name of an Icechunk repository selects (NamesRepository). Throws the errors of
/// ParseRepositoryName, zarr::Repository and zarr::IcechunkStore; zarr::Error(not_found), without a key, if there is no
/// repository.
std::shared_ptr<zarr::Store> OpenRepository(const std::string& name);
/// Like OpenRepository, for a repository that is open already.
std::shared_ptr<zarr::Store> OpenRepository(const std::string& name,
                                            const std::shared_ptr<const zarr::Repository>& repository);

/// Returns true if a folder has the entry point of a repository. Returns false if it cannot be read. In a remote store,
/// this costs requests.
bool HoldsRepository(const std::string& folder);

}  // namespace gdal_zarr
