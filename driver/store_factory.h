#pragma once

#include <memory>
#include <string>

#include "zarrlib/array/hierarchy.h"
#include "zarrlib/store/store.h"

namespace gdal_zarr {

/// The store at a path: what is no virtual path is a folder of the system's own, which needs fewer calls without GDAL
/// in between. With `sync`, values are flushed to the disk before they take the place of old ones.
std::shared_ptr<zarr::Store> MakeStore(const std::string& path, bool sync = false);

/// As MakeStore, for a store that is there: a file stands for the store that its kerchunk references make up.
/// Throws what ReferenceStore throws.
std::shared_ptr<zarr::Store> OpenStore(const std::string& path);

/// Opens a hierarchy that is to be changed: by what is there, and not by consolidated metadata, which do not tell what
/// a writer that was stopped has left, where looking costs no requests. Throws what zarr::Hierarchy::Open throws.
std::shared_ptr<zarr::Hierarchy> OpenForChange(std::shared_ptr<zarr::Store> store, zarr::HierarchyOptions options = {});

}  // namespace gdal_zarr
