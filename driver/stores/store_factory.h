// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "driver/gdal/warned_texts.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/store.h"

namespace gdal_zarr {

struct Opening;

/// Makes the store at a path. Paths outside GDAL's virtual file systems get a store that calls the system directly,
/// which takes fewer calls. With `sync`, each value is flushed to the disk before it replaces the old one.
std::shared_ptr<zarr::Store> MakeStore(const std::string& path, bool sync = false);

/// Makes the store of a new dataset. Values are only sure to be there after `Store::Finish`. Throws what MakeZipStore
/// throws.
std::shared_ptr<zarr::Store> MakeNewStore(const std::string& path, bool sync = false);
/// Wraps a store in an object store for a dataset that changes it, so that fewer requests are needed. Leaves other
/// stores as they are.
std::shared_ptr<zarr::Store> MakeStoreToChange(std::shared_ptr<zarr::Store> store);

/// Throws zarr::Error(read_only), with the reason, if the store cannot be written.
void CheckTakesWrites(const zarr::Store& store);

/// Opens an existing store: a folder, an archive, or a file of kerchunk references. Throws what ReferenceStore throws.
std::shared_ptr<zarr::Store> OpenStore(const std::string& path);

/// As OpenStore, for a dataset that only reads.
std::shared_ptr<zarr::Store> OpenStoreForReading(const std::string& path, const Opening& opening);

/// Makes the function that tells GDAL's user what was tolerated in nodes, each text once, with the open option that
/// changes it.
zarr::ArrayWarner MakeWarner(std::shared_ptr<WarnedTexts> warned = std::make_shared<WarnedTexts>());

/// Adds to the options of a hierarchy that GDAL's side files move and go with their nodes.
zarr::HierarchyOptions MakeOptionsForChange(zarr::HierarchyOptions options = {});

/// Opens a hierarchy for changes, after removing the remains of interrupted processes. Where looking takes no network
/// requests, it reads the nodes themselves and not consolidated metadata, which may be older than an interrupted
/// change. Throws what CheckTakesWrites and zarr::Hierarchy::Open throw, and zarr::Error(read_only) for a version of
/// Zarr that is only read.
std::shared_ptr<zarr::EditableHierarchy> OpenForChange(std::shared_ptr<zarr::Store> store,
                                                       zarr::HierarchyOptions options = {});

}  // namespace gdal_zarr
