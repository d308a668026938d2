#include "driver/store_factory.h"

#include "driver/vsi_store.h"
#include "zarrlib/store/filesystem_store.h"

namespace gdal_zarr {

std::shared_ptr<zarr::Store> MakeStore(const std::string& path, bool sync) {
  if (path.starts_with("/vsi")) return std::make_shared<VsiStore>(path);
  return std::make_shared<zarr::FilesystemStore>(path, zarr::FilesystemOptions{sync});
}

}  // namespace gdal_zarr
