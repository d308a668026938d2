#pragma once

#include <memory>
#include <string>

#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/store/store.h"

namespace gdal_zarr {

/// The store at a path: what is no virtual path is a folder of the system's own, which needs fewer calls without GDAL
/// in between. With `sync`, values are flushed to the disk before they take the place of old ones.
std::shared_ptr<zarr::Store> MakeStore(const std::string& path, bool sync = false);

/// The store that is to be made at a path, or, where folders are stores, one that is there. What it is given is only
/// sure to be there after `Store::Finish`. Throws what MakeZipStore throws.
std::shared_ptr<zarr::Store> MakeNewStore(const std::string& path, bool sync = false);

/// Throws zarr::Error(read_only), with the reason, for a store that takes no writes.
void CheckTakesWrites(const zarr::Store& store);

/// As MakeStore, for a store that is there: a file stands for the store that its kerchunk references make up.
/// Throws what ReferenceStore throws.
std::shared_ptr<zarr::Store> OpenStore(const std::string& path);

/// The options of a hierarchy that is to be changed: GDAL's side files go with the nodes that they belong to.
zarr::HierarchyOptions OptionsForChange(zarr::HierarchyOptions options = {});

/// Opens a hierarchy that is to be changed, after what stopped processes have left has been cleared away. It is opened
/// by what is there, and not by consolidated metadata, which do not tell what a writer that was stopped has left, where
/// looking costs no requests. Throws what CheckTakesWrites and zarr::Hierarchy::Open throw.
std::shared_ptr<zarr::Hierarchy> OpenForChange(std::shared_ptr<zarr::Store> store, zarr::HierarchyOptions options = {});

}  // namespace gdal_zarr
