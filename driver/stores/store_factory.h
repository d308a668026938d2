// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "driver/gdal/warned_texts.h"
#include "driver/stores/commit_note.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/store.h"

namespace gdal_zarr {

struct Opening;

/// Creates the store object for a path. Paths outside GDAL's virtual file systems get a store that calls the system
/// directly, with fewer calls. With `sync`, each value is flushed to disk before it replaces the old one.
std::shared_ptr<zarr::Store> MakeStore(const std::string& path, bool sync = false);

/// Creates the store of a new dataset. Values are only guaranteed to exist after `Store::Finish`. Throws like
/// MakeZipStore.
std::shared_ptr<zarr::Store> MakeNewStore(const std::string& path, bool sync = false);
/// Wraps a store in an object store for a dataset in update mode, to reduce the number of requests. Returns other
/// stores unchanged.
std::shared_ptr<zarr::Store> MakeStoreToChange(std::shared_ptr<zarr::Store> store);

/// Throws zarr::Error(read_only), with the reason, if the store cannot be written.
void CheckTakesWrites(const zarr::Store& store);

/// Opens an existing store: a folder, an archive, a file of kerchunk references, or a snapshot of an Icechunk
/// repository (NamesRepository). Throws like ReferenceStore and OpenRepository.
std::shared_ptr<zarr::Store> OpenStore(const std::string& path);

/// Like OpenStore, for a dataset in update mode. A repository is changed by one commit, when the dataset is closed.
/// Throws like OpenRepositoryForUpdate too.
std::shared_ptr<zarr::Store> OpenStoreForUpdate(const std::string& path, const CommitNote& note, bool sync = false);

/// Like OpenStore, for a read-only dataset.
std::shared_ptr<zarr::Store> OpenStoreForReading(const std::string& path, const Opening& opening);

/// Returns the function that warns GDAL's user of faults tolerated in nodes, with the open option that changes this.
/// Each text is reported once.
zarr::ArrayWarner MakeWarner(std::shared_ptr<WarnedTexts> warned = std::make_shared<WarnedTexts>());

/// Adds to the options of a hierarchy that GDAL's PAM and overview files are moved and removed with their nodes.
zarr::HierarchyOptions MakeOptionsForChange(zarr::HierarchyOptions options = {});

/// Opens a hierarchy for changes, after removing the remains of interrupted processes. For local stores, reads the
/// nodes themselves rather than the consolidated metadata, which may be older than an interrupted change. Throws like
/// CheckTakesWrites and zarr::Hierarchy::Open, and zarr::Error(read_only) for a Zarr version that can only be read.
std::shared_ptr<zarr::EditableHierarchy> OpenForChange(std::shared_ptr<zarr::Store> store,
                                                       zarr::HierarchyOptions options = {});

}  // namespace gdal_zarr
