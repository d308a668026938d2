// SPDX-License-Identifier: MIT
#include "driver/zarrkit/open_named_store.h"

#include "driver/gdal/dataset_name.h"
#include "driver/gdal/repository_name.h"
#include "driver/plugin/identify.h"
#include "driver/stores/icechunk/open_repository.h"
#include "driver/stores/kerchunk/reference_name.h"
#include "driver/stores/store_factory.h"
#include "zarrlib/store/refusals.h"
#include "zarrlib/tools/arguments.h"
#include "zarrlib/tools/names/local_names.h"

namespace gdal_zarr {
namespace {

/// Returns true if a path leads to a repository, which the name does not show.
bool HoldsUnnamedRepository(const std::string& path, const zarr::Store& store) {
  return !NamesRepository(path) && !NamesReferences(path) && !HasRootDocument(store) && HoldsRepository(path);
}

}  // namespace

std::shared_ptr<zarr::Store> OpenNamedStore(const std::string& name) {
  if (!zarr::tools::IsNameForGdal(name) && !zarr::tools::IsLocalNameForGdal(name.c_str()))
    return zarr::tools::OpenStore(name);
  const std::string of_url = FindNameOfUrl(name);
  const DatasetName parts = ParseDatasetName(of_url.empty() ? name : of_url);
  if (parts.array && !parts.array->empty()) {
    throw zarr::Error(zarr::ErrorKind::kInvalidArgument, name, "", "",
                      zarr::FormatExpectedGot("the name of a store (--array names an array)", "that of an array"));
  }
  auto store = OpenStore(parts.store);
  if (HoldsUnnamedRepository(parts.store, *store)) return OpenRepositoryFolder(parts.store);
  zarr::Refusals refusals;  // the store's own documents decide what it is
  const bool is_of_references = refusals.Try([&] { return ReadParquetDocument(*store); }).has_value();
  return is_of_references ? OpenStore(MakeParquetReferenceName(parts.store)) : store;
}

}  // namespace gdal_zarr
