// SPDX-License-Identifier: MIT
#include "driver/stores/missing_folder.h"

#include <cpl_vsi.h>

#include "driver/gdal/dataset_name.h"
#include "driver/gdal/repository_name.h"
#include "driver/stores/store_factory.h"
#include "driver/stores/vsi/vsi_store.h"
#include "zarrlib/hierarchy/store_above.h"

namespace gdal_zarr {

bool IsMissing(const std::string& path) {
  if (LeadsToNetwork(path) || !VSIIsLocal(path.c_str())) return false;
  VSIStatBufL status;
  return VSIStatExL(path.c_str(), &status, VSI_STAT_EXISTS_FLAG) != 0;
}

void CheckNodeInStoreAbove(const std::string& path) {
  zarr::CheckNodeInStoreAbove(path,
                              [](const std::string& folder) { return OpenStore(ParseDatasetName(folder).store); });
}

void CheckExists(const std::string& path) {
  if (NamesRepository(path)) {
    throw zarr::Error(zarr::ErrorKind::kNotFound, path, "", "",
                      "this snapshot has neither a group nor an array at its root");
  }
  if (!IsMissing(path)) return;
  CheckNodeInStoreAbove(path);
  throw zarr::Error(zarr::ErrorKind::kNotFound, path, "", "", "there is no such file or folder");
}

}  // namespace gdal_zarr
