// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "driver/stores/commit_note.h"
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
/// Opens the last snapshot of the repository in a folder, as a store with the folder's name. Throws the same errors.
std::shared_ptr<zarr::Store> OpenRepositoryFolder(const std::string& folder);

/// Opens a session on the branch that the name of a repository selects. Throws the errors of OpenRepository, and
/// zarr::Error(read_only) for the name of a tag, of a snapshot or of a time.
std::shared_ptr<zarr::Store> OpenRepositoryForUpdate(const std::string& name, const CommitNote& note);
/// Returns the store in which a new repository is made. With `sync`, each object is flushed to disk. Throws
/// zarr::Error(invalid_argument) if the folder has one, and zarr::Error(read_only) if none can be made there.
std::shared_ptr<zarr::Store> MakeRepositoryFolder(const std::string& folder, bool sync);
/// Opens the session that makes a repository in a folder. Throws the errors of MakeRepositoryFolder.
std::shared_ptr<zarr::Store> MakeRepository(const std::string& folder, const CommitNote& note, bool sync);

/// Returns true if a folder has the entry point of a repository. Returns false if it cannot be read. In a remote store,
/// this costs requests.
bool HoldsRepository(const std::string& folder);

}  // namespace gdal_zarr
