#include "driver/store_factory.h"

#include <utility>

#include "driver/new_zip.h"
#include "driver/reference_name.h"
#include "driver/reference_store.h"
#include "driver/vsi_store.h"
#include "zarrlib/store/filesystem_store.h"

namespace gdal_zarr {

std::shared_ptr<zarr::Store> MakeStore(const std::string& path, bool sync) {
  if (path.starts_with("/vsi")) return std::make_shared<VsiStore>(path);
  return std::make_shared<zarr::FilesystemStore>(path, zarr::FilesystemOptions{sync});
}

std::shared_ptr<zarr::Store> MakeNewStore(const std::string& path, bool sync) {
  return SplitZipPath(path) ? MakeZipStore(path) : MakeStore(path, sync);
}

void CheckTakesWrites(const zarr::Store& store) {
  if (store.capabilities().write) return;
  const bool in_zip = store.name().starts_with("/vsizip/");
  throw zarr::Error(zarr::ErrorKind::kReadOnly, store.name(), "", "",
                    in_zip ? "a ZIP archive is written once, as a whole, and cannot be changed: unpack it to a folder, "
                             "or make another archive"
                           : "this kind of store takes no writes");
}

std::shared_ptr<zarr::Store> OpenStore(const std::string& path) {
  if (NamesReferences(path)) return std::make_shared<ReferenceStore>(path);
  return MakeStore(path);
}

std::shared_ptr<zarr::Hierarchy> OpenForChange(std::shared_ptr<zarr::Store> store, zarr::HierarchyOptions options) {
  CheckTakesWrites(*store);
  const zarr::StoreCapabilities capabilities = store->capabilities();
  if (capabilities.list && capabilities.concurrency == 0) options.use_consolidated = false;
  return zarr::Hierarchy::Open(std::move(store), options);
}

}  // namespace gdal_zarr
