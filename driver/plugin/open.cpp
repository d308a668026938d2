// SPDX-License-Identifier: MIT
#include "driver/plugin/open.h"

#include <cpl_vsi_error.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/repository_name.h"
#include "driver/io/io_options.h"
#include "driver/multidim/group.h"
#include "driver/multidim/multidim_dataset.h"
#include "driver/plugin/identify.h"
#include "driver/plugin/open_raster.h"
#include "driver/plugin/open_request.h"
#include "driver/stores/document_store.h"
#include "driver/stores/icechunk/open_repository.h"
#include "driver/stores/kerchunk/reference_name.h"
#include "driver/stores/kerchunk/reference_store.h"
#include "driver/stores/listing_store.h"
#include "driver/stores/missing_folder.h"
#include "driver/stores/store_factory.h"
#include "driver/stores/store_root.h"
#include "driver/stores/vsi/vsi_store.h"
#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/store/icechunk/object_file.h"
#include "zarrlib/store/icechunk/repository.h"
#include "zarrlib/store/refusals.h"
#include "zarrlib/store/store_requests.h"

namespace gdal_zarr {
namespace {

std::shared_ptr<zarr::Store> OpenStoreOf(const OpenRequest& request, bool update) {
  if (update) return OpenStoreForUpdate(request.name.store, request.options.commit);
  if (request.repository) return OpenRepository(request.name.store, request.repository);
  if (request.parquet_document) {
    return std::make_shared<ReferenceStore>(request.name.store, request.parquet_document);
  }
  return OpenStoreForReading(request.name.store, {request.name.array, request.began});
}

std::shared_ptr<zarr::Hierarchy> OpenHierarchy(const OpenRequest& request, bool update,
                                               std::shared_ptr<zarr::Store> store) {
  if (request.options.cache_tile_presence) store = std::make_shared<ListingStore>(std::move(store));
  zarr::HierarchyOptions options;
  options.use_consolidated = request.options.use_consolidated_metadata;
  options.compare_consolidated = !request.options.trust_consolidated_metadata;
  options.chunk_key_form = request.options.dim_separator;
  options.metadata.v1_order_literal = request.options.v1_order_literal;
  options.keep_metadata = !update;
  options.warn = MakeWarner(request.warned);
  options.first_array = request.name.array.value_or("");
  options.may_be_empty = request.may_be_empty && NamesRepository(request.name.store);
  try {
    if (update) return OpenForChange(std::move(store), options);
    return zarr::Hierarchy::Open(std::move(store), options);
  } catch (const zarr::Error& error) {
    if (error.kind() == zarr::ErrorKind::kNotFound) CheckExists(request.name.store);
    throw;
  }
}

std::shared_ptr<zarr::Hierarchy> OpenHierarchy(const OpenRequest& request, bool update) {
  return OpenHierarchy(request, update, OpenStoreOf(request, update));
}

/// Like OpenHierarchy. A folder of references in Parquet gets a name that identifies it as such; the names of
/// subdatasets are derived from it.
std::shared_ptr<zarr::Hierarchy> OpenHierarchyOrReferences(OpenRequest* request, bool update) {
  std::optional<std::string> document;
  // Local stores that are opened for update are opened without consolidated metadata.
  if (update && !LeadsToNetwork(request->name.store)) document = ReadParquetDocument(*OpenStore(request->name.store));
  if (!document) {
    const std::shared_ptr<zarr::Store> store = OpenStoreOf(*request, update);
    try {
      return OpenHierarchy(*request, update, store);
    } catch (const zarr::Error& error) {
      if (!ShowsParquetReferences(error)) throw;
    }
    document = ReadParquetDocument(*store);
  }
  request->name.store = MakeParquetReferenceName(request->name.store);
  request->parquet_document = std::move(document);
  return OpenHierarchy(*request, update, OpenStoreOf(*request, update));
}

/// Changes a request for a node's folder to a request for that node in the store above.
void MoveToStore(const PlaceInStore& place, zarr::NodeKind kind, OpenRequest* request) {
  DatasetName& name = request->name;
  std::string path = name.array.value_or("");
  // The name of an array that was opened by its folder may be the folder's name, and then refers to the array itself.
  if (kind == zarr::NodeKind::kArray && path == GetBaseName(name.store)) path.clear();
  path = path.empty() ? place.node : zarr::JoinKey(place.node, path);
  if (kind == zarr::NodeKind::kArray || name.array) name.array = std::move(path);
  for (std::string* longer : {&name.array_with_indices, &name.array_with_selection}) {
    if (!longer->empty()) *longer = zarr::JoinKey(place.node, *longer);
  }
  name.store = place.store;
  request->group = place.node;
}

/// A node's folder in the larger store that contains it.
struct OpenedAbove {
  std::shared_ptr<zarr::Hierarchy> hierarchy;
  OpenRequest request;
  std::string node;  ///< The path of the folder in that store.
};

/// Opens the larger store that contains a node's folder, since the node's coordinates and CRS may be there. Returns
/// nullopt if there is none, if it does not list the node, or, with a warning, if its metadata is broken. Throws
/// zarr::Error(io).
std::optional<OpenedAbove> OpenStoreAbove(const zarr::Hierarchy& node, bool update, const OpenRequest& request) {
  if (NamesRepository(request.name.store) || NamesReferences(request.name.store)) return std::nullopt;
  const Opening opening{request.name.array, request.began};
  const auto place = FindStoreRootAcrossGaps(request.name.store, node, update ? nullptr : &opening);
  const auto kind = place ? node.Probe("") : std::nullopt;
  if (!kind) return std::nullopt;
  try {
    OpenRequest above = request;
    MoveToStore(*place, *kind, &above);
    std::shared_ptr<zarr::Hierarchy> hierarchy = OpenHierarchy(above, update);
    // Without consolidated metadata, this would only read the node's own documents again.
    const bool is_known = !hierarchy->consolidated() && hierarchy->format() == node.format();
    const bool is_cheap = !hierarchy->store()->info().is_on_network();
    if ((!is_known || is_cheap) && hierarchy->ProbeListed(place->node) != kind) return std::nullopt;
    return OpenedAbove{std::move(hierarchy), std::move(above), place->node};
  } catch (const zarr::Error& error) {
    if (error.kind() == zarr::ErrorKind::kIo) throw;
    if (error.kind() == zarr::ErrorKind::kNotFound) return std::nullopt;
    CPLError(CE_Warning, CPLE_AppDefined, "%s is opened by itself: %s", request.name.store.c_str(), error.what());
    return std::nullopt;
  }
}

/// Rejects a selection for the multidimensional API: programs would treat the whole array as a slice.
void CheckNothingIsSelected(const OpenRequest& request) {
  const std::string& selection = request.options.select.empty() ? request.name.selection : request.options.select;
  if (selection.empty()) return;
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                    "selection \"" + selection +
                        "\": the multidimensional API opens a store with all slices; take one with "
                        "GDALMDArray::GetView, or with gdalmdimtranslate -array name=<array>,view=[5,...]");
}

/// The dataset's root is the folder that was opened; nodes that are missing there are taken from the store above.
GDALDataset* OpenMultidim(const std::shared_ptr<zarr::Hierarchy>& hierarchy, const OpenRequest& request,
                          const GDALOpenInfo& info) {
  CheckNothingIsSelected(request);
  const bool update = info.eAccess == GA_Update;
  const auto resource = std::make_shared<SharedResource>(hierarchy, request.options, update);
  if (update) resource->edits().saving.KeepExisting();
  resource->finder().SetFindAbove([hierarchy, request]() -> std::optional<NodePlace> {
    std::optional<OpenedAbove> above = OpenStoreAbove(*hierarchy, false, request);
    if (!above) return std::nullopt;
    return NodePlace{std::make_shared<SharedResource>(std::move(above->hierarchy), above->request.options),
                     above->request.group};
  });
  auto dataset = std::make_unique<MultidimDataset>(resource, Group::Make(resource, ""));
  dataset->SetDescription(info.pszFilename);
  return dataset.release();
}

/// Opens a store for a caller that allows all kinds of datasets: with one that answers both APIs, unless it is opened
/// for update, or is a node's folder in a larger store. Programs such as gdalmdimtranslate, which allow these two kinds
/// only, expect one of the multidimensional API alone.
GDALDataset* OpenBoth(const std::shared_ptr<zarr::Hierarchy>& hierarchy, const OpenRequest& request,
                      GDALOpenInfo* info) {
  const bool is_for_both = (info->nOpenFlags & GDAL_OF_KIND_MASK) == GDAL_OF_KIND_MASK &&
                           info->eAccess == GA_ReadOnly && !request.options.alike_arrays_as_bands;
  if (!is_for_both || OpenStoreAbove(*hierarchy, false, request)) return OpenMultidim(hierarchy, request, *info);
  try {
    return OpenRaster(request, hierarchy, info);
  } catch (const zarr::Error& error) {
    // What could not be read, and a name or a selection that is wrong, are failures of either API.
    if (error.kind() == zarr::ErrorKind::kIo || error.kind() == zarr::ErrorKind::kInvalidArgument) throw;
    CPLError(CE_Warning, CPLE_AppDefined, "only the multidimensional API answers: %s", error.what());
    return OpenMultidim(hierarchy, request, *info);
  }
}

/// A file that is recognized as references only by its header gets a name that identifies it as such; the names of
/// subdatasets are derived from it.
void NameReferences(const GDALOpenInfo& info, DatasetName* name) {
  const bool is_name = HasZarrPrefix(info.pszFilename) || NamesReferences(name->store);
  if (!is_name && IdentifyReferences(info)) name->store = MakeReferenceName(name->store);
}

/// Names a local repository, and a remote one that the name or an open option shows to be one. Other remote ones are
/// recognized by requests.
void NameRepository(const GDALOpenInfo& info, OpenRequest* request) {
  std::string* const store = &request->name.store;
  const bool is_repo_info = IdentifyRepoInfo(info) && !NamesRepository(*store);
  if (is_repo_info) store->resize(store->size() - zarr::kIcechunkRepoInfo.size() - 1);
  const std::string& selectors = request->options.repository_selectors;
  const bool is_local = !NamesRepository(*store) && !LeadsToNetwork(*store) && !NamesReferences(*store);
  const bool is_known = !selectors.empty() || is_repo_info;
  if (is_known || (is_local && IsRepositoryFolder(*store))) *store = AddSelectors(*store, selectors);
}

/// Returns what may be a repository in a remote folder: one of format 2 if it has a repo info file. Returns null if
/// another file has that name; a damaged repo info file is an error.
std::shared_ptr<const zarr::Repository> FindRepository(const std::shared_ptr<zarr::Store>& folder) {
  try {
    return std::make_shared<const zarr::Repository>(folder);
  } catch (const zarr::Error& error) {
    if (error.kind() != zarr::ErrorKind::kCorrupt || zarr::Repository::IsIn(*folder)) throw;
    return nullptr;
  }
}

/// Makes the request one for what FindRepository has returned. Returns false if a folder holds none.
bool UseRepository(const std::shared_ptr<const zarr::Repository>& repository, OpenRequest* request) {
  if (!repository) return false;
  if (!repository->info() && !zarr::Repository::HasMainOfFormat1(repository->folder())) return false;
  request->repository = repository;
  request->name.store = MakeRepositoryName(request->name.store, "");
  return true;
}

/// Asks a remote folder with the usual name of a repository for that first. Another folder opens as a store.
bool UseNamedRepository(OpenRequest* request) {
  const std::string& path = request->name.store;
  return IsRemoteRepositoryName(path) && UseRepository(FindRepository(OpenStore(path)), request);
}

/// Returns true if a remote folder is a store or a repository, though its name does not show it. Its documents are then
/// cached for the opening. If the server denies access, there is no store for this user.
bool HoldsStore(OpenRequest* request) {
  try {
    const auto store = OpenStoreForReading(request->name.store, {request->name.array, request->began});
    const std::string document(zarr::kV3Document);
    const std::string repo_info(zarr::kIcechunkRepoInfo);
    zarr::Prefetch(*store, {&document, 1}, {&repo_info, 1});
    zarr::Refusals refusals;
    if (refusals.Try([&] { return store->Exists(document); })) return true;
    const auto repository = refusals.Try([&] { return FindRepository(store); });
    const bool is_format2 = repository && repository->info();
    return (!is_format2 && HasRootDocument(*store)) || UseRepository(repository, request);
  } catch (const zarr::Error& error) {
    if (!error.is_refusal()) throw;
    return false;
  }
}

/// Also opens a remote repository that was not recognized as one by its name.
std::shared_ptr<zarr::Hierarchy> OpenHierarchyOrRepository(OpenRequest* request, bool update) {
  std::string* const store = &request->name.store;
  try {
    return OpenHierarchyOrReferences(request, update);
  } catch (const zarr::Error& error) {
    const bool may_be_other = error.kind() == zarr::ErrorKind::kNotFound && !NamesRepository(*store);
    if (!may_be_other || !LeadsToNetwork(*store) || !zarr::Repository::IsIn(*MakeStore(*store))) throw;
  }
  *store = MakeRepositoryName(*store, "");
  return OpenHierarchy(*request, update);
}

/// Returns null for a folder that is not a store.
GDALDataset* OpenOrThrow(GDALOpenInfo* info) {
  OpenRequest request{ParseDatasetName(info->pszFilename), ParseOpenOptions(info->papszOpenOptions), ""};
  NameRepository(*info, &request);
  const bool is_repository = NamesRepository(request.name.store) || UseNamedRepository(&request);
  if (!is_repository && NeedsRootDocument(*info) && !HoldsStore(&request)) return nullptr;
  if (!is_repository) NameReferences(*info, &request.name);
  request.may_be_empty = (info->nOpenFlags & GDAL_OF_MULTIDIM_RASTER) != 0;
  ApplyCacheLimit();
  ApplyLimits();
  std::shared_ptr<zarr::Hierarchy> hierarchy = OpenHierarchyOrRepository(&request, info->eAccess == GA_Update);
  if (info->nOpenFlags & GDAL_OF_MULTIDIM_RASTER) return OpenBoth(hierarchy, request, info);
  if (auto above = OpenStoreAbove(*hierarchy, info->eAccess == GA_Update, request)) {
    return OpenRaster(above->request, std::move(above->hierarchy), info);
  }
  return OpenRaster(request, std::move(hierarchy), info);
}

/// Throws an error if the path is that of a missing node in a store. Otherwise restores VSI's error, from which GDAL
/// makes its message for a path that no driver recognizes.
void CheckMissingNode(const std::string& path) {
  const VSIErrorNum number = VSIGetLastErrorNo();
  const std::string message = VSIGetLastErrorMsg();
  CheckNodeInStoreAbove(path);
  VSIError(number, "%s", message.c_str());
}

}  // namespace

GDALDataset* Open(GDALOpenInfo* info) {
  const int identified = Identify(info);
  if (identified == FALSE) return nullptr;
  const auto open = [&]() -> GDALDataset* {
    try {
      if (identified == TRUE || !MayNameMissingNode(*info)) return OpenOrThrow(info);
      CheckMissingNode(info->pszFilename);
      return nullptr;
    } catch (const zarr::Error& error) {
      // There is no Zarr store at the root. Another driver may recognize the name.
      const bool is_other = identified != TRUE && error.kind() == zarr::ErrorKind::kNotFound && error.key().empty();
      if (!is_other) throw;
      return nullptr;
    }
  };
  return Guard<GDALDataset*>(nullptr, open, Activity::kOpening);
}

}  // namespace gdal_zarr
