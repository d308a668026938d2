// SPDX-License-Identifier: MIT
#include "driver/zarrkit/open_named_store.h"

#include "driver/gdal/dataset_name.h"
#include "driver/gdal/repository_name.h"
#include "driver/stores/icechunk/open_repository.h"
#include "driver/stores/kerchunk/reference_name.h"
#include "driver/stores/store_factory.h"
#include "zarrlib/tools/arguments.h"

namespace gdal_zarr {

std::shared_ptr<zarr::Store> OpenNamedStore(const std::string& name) {
  if (zarr::tools::IsRepositoryFolder(name)) return OpenRepositoryFolder(name);
  if (!zarr::tools::IsNameForGdal(name)) return zarr::tools::OpenStore(name);
  const std::string of_url = FindNameOfUrl(name);
  const DatasetName parts = ParseDatasetName(of_url.empty() ? name : of_url);
  if (parts.array && !parts.array->empty()) {
    throw zarr::Error(zarr::ErrorKind::kInvalidArgument, name, "", "",
                      zarr::FormatExpectedGot("the name of a store (--array names an array)", "that of an array"));
  }
  if (!NamesRepository(parts.store) && HoldsRepository(parts.store)) {
    return OpenRepository(MakeRepositoryName(parts.store, ""));
  }
  auto store = OpenStore(parts.store);
  return HoldsParquetReferences(*store) ? OpenStore(MakeParquetReferenceName(parts.store)) : store;
}

}  // namespace gdal_zarr
