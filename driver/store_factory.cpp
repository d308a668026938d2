#include "driver/store_factory.h"

#include <utility>

#include "driver/reference_name.h"
#include "driver/reference_store.h"
#include "driver/vsi_store.h"
#include "zarrlib/store/filesystem_store.h"

namespace gdal_zarr {

std::shared_ptr<zarr::Store> MakeStore(const std::string& path, bool sync) {
  if (path.starts_with("/vsi")) return std::make_shared<VsiStore>(path);
  return std::make_shared<zarr::FilesystemStore>(path, zarr::FilesystemOptions{sync});
}

std::shared_ptr<zarr::Store> OpenStore(const std::string& path) {
  if (NamesReferences(path)) return std::make_shared<ReferenceStore>(path);
  return MakeStore(path);
}

std::shared_ptr<zarr::Hierarchy> OpenForChange(std::shared_ptr<zarr::Store> store, zarr::HierarchyOptions options) {
  const zarr::StoreCapabilities capabilities = store->capabilities();
  if (capabilities.list && capabilities.concurrency == 0) options.use_consolidated = false;
  return zarr::Hierarchy::Open(std::move(store), options);
}

}  // namespace gdal_zarr
