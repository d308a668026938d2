// SPDX-License-Identifier: MIT
#include "driver/create/creation.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "driver/create/bands/new_coordinates.h"
#include "driver/create/common_type.h"
#include "driver/create/copy_in_progress.h"
#include "driver/create/creation_request.h"
#include "driver/create/let_go.h"
#include "driver/create/name_bands.h"
#include "driver/create/removal.h"
#include "driver/create/whole_store.h"
#include "driver/gdal/dataset_name.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/repository_name.h"
#include "driver/georeferencing/georeferencing_writer.h"
#include "driver/io/io_options.h"
#include "driver/multidim/group.h"
#include "driver/multidim/md_array.h"
#include "driver/multidim/multidim_dataset.h"
#include "driver/raster/band_stack.h"
#include "driver/raster/raster_dataset.h"
#include "driver/stores/icechunk/open_repository.h"
#include "driver/stores/missing_folder.h"
#include "driver/stores/store_factory.h"
#include "driver/stores/vsi/vsi_store.h"
#include "zarrlib/metadata/document_names.h"

namespace gdal_zarr {
namespace {

using zarr::ZarrFormat;

std::shared_ptr<SharedResource> OpenWritableResource(std::shared_ptr<zarr::EditableHierarchy> hierarchy,
                                                     const CreationRequest& request) {
  const bool is_icechunk = NamesRepository(hierarchy->store()->name());
  hierarchy->SetConsolidate(!is_icechunk && request.options.GetBoolean("CREATE_CONSOLIDATED_METADATA"));
  auto resource = std::make_shared<SharedResource>(std::move(hierarchy), OpenOptions(), true);
  resource->edits().stale.SetRefresh(request.options.refreshes_overviews());
  return resource;
}

std::unique_ptr<RasterDataset> OpenForUpdate(const std::shared_ptr<SharedResource>& resource, const std::string& path,
                                             const CreationRequest& request) {
  const std::shared_ptr<MDArray> array = MDArray::Make(resource, path);
  array->MarkNew();
  array->SetConventions(ParseConventions(request.options.GetText("GEOREFERENCING_CONVENTION")));
  resource->edits().writers.SetPolicy(path, GetWritePolicy(request.options));
  auto dataset = std::make_unique<RasterDataset>(resource, array, array->shared_array(), OpenOptions(), SliceRequest());
  dataset->EnableUpdate();
  dataset->RefreshOverviewsAtClose();
  return dataset;
}

/// Opens the arrays of SINGLE_ARRAY=NO, one for each band, as a stack.
std::unique_ptr<GDALDataset> MakeStack(const std::shared_ptr<SharedResource>& resource,
                                       const std::vector<std::string>& paths, const CreationRequest& request) {
  std::vector<BandStack::Member> members;
  for (const std::string& path : paths) members.push_back({path, OpenForUpdate(resource, path, request)});
  auto stack = std::make_unique<BandStack>(std::move(members));
  if (!request.band_types.empty()) stack->ShowAs(FindCommonType(request.band_types));
  stack->EnableUpdate();
  return stack;
}

struct Created {
  std::shared_ptr<SharedResource> resource;
  std::vector<std::string> paths;
  bool may_name_bands = false;                      // the store is new, and the dimension of the bands is not known yet
  std::map<std::string, std::string> renamed = {};  // see RequestedArrays
};

/// Throws zarr::Error with the reason why an existing store is not replaced, or how to remove it.
[[noreturn]] void FailInTheWay(const std::string& path, const zarr::Error& error) {
  if (!LeadsToNetwork(path)) FindWholeStore(path, WholeStoreUse::kReplace);
  throw zarr::Error(error.kind(), error.store(), error.key(), "",
                    error.message() + ": to replace it, remove it first (gdalmanage delete -f Zarr " + path + ")");
}

/// Creates a new store with a function that gets the store for its values.
template <typename Function>
std::shared_ptr<zarr::EditableHierarchy> MakeHierarchy(const CreationRequest& request, const Function& make) {
  MakeRoom(request.store);
  try {
    const bool sync = request.options.GetBoolean("SYNC");
    return make(request.options.is_icechunk() ? MakeRepository(request.store, request.options.commit(), sync)
                                              : MakeNewStore(request.store, sync));
  } catch (const zarr::Error& error) {
    const bool is_store = !FindMetadataDocument("/" + error.key()).empty() || error.key() == zarr::kV1Array;
    if (error.kind() != zarr::ErrorKind::kInvalidArgument || !error.pointer().empty() || !is_store) throw;
    FailInTheWay(request.store, error);
  }
}

/// Creates a new store whose root is a group.
std::shared_ptr<zarr::EditableHierarchy> MakeHierarchy(const CreationRequest& request) {
  return MakeHierarchy(request, [&](std::shared_ptr<zarr::Store> store) {
    return zarr::EditableHierarchy::Create(std::move(store), request.options.format(), {}, MakeOptionsForChange());
  });
}

void CreateArrays(SharedResource& resource, const RequestedArrays& arrays) {
  for (std::size_t i = 0; i < arrays.paths.size(); ++i) {
    resource.Change().CreateArray(arrays.paths[i], arrays.metadata[i]);
  }
  CreateBandCoordinates(resource, arrays.band_dimensions);
}

void WarnOfName(const CreationRequest& request, SharedResource& resource) {
  const std::string name = request.options.GetText("ARRAY_NAME");
  if (name.empty()) return;
  resource.WarnOnce(request.store + ": ARRAY_NAME=" + name + " is ignored: a store of v1 is one array, without a name");
}

/// Creates a new store with the arrays. Creates their metadata first, so that an invalid option leaves no files.
Created CreateStore(const CreationRequest& request) {
  RequestedArrays arrays = MakeRequestedArrays(request);
  if (request.is_root_array()) {
    auto hierarchy = MakeHierarchy(request, [&](std::shared_ptr<zarr::Store> store) {
      return zarr::EditableHierarchy::CreateRootArray(std::move(store), arrays.metadata.front(),
                                                      MakeOptionsForChange());
    });
    const auto resource = OpenWritableResource(std::move(hierarchy), request);
    WarnOfName(request, *resource);
    CopyInProgress::SetTarget(resource, true);
    return {resource, std::move(arrays.paths)};
  }
  auto hierarchy = MakeHierarchy(request);
  try {
    const auto resource = OpenWritableResource(std::move(hierarchy), request);
    CreateArrays(*resource, arrays);
    const bool is_copy = CopyInProgress::SetTarget(resource, true);
    return {resource, std::move(arrays.paths), !is_copy};
  } catch (...) {
    TryTakeBackStore(request.store);
    throw;
  }
}

std::shared_ptr<zarr::EditableHierarchy> OpenToAppend(const CreationRequest& request) {
  try {
    const bool sync = request.options.GetBoolean("SYNC");
    return OpenForChange(OpenStoreForUpdate(request.store, request.options.commit(), sync));
  } catch (const zarr::Error& error) {
    if (error.kind() == zarr::ErrorKind::kNotFound) CheckExists(request.store);
    throw;
  }
}

/// Adds the arrays to an existing store.
Created AppendToStore(const CreationRequest& request) {
  const auto resource = OpenWritableResource(OpenToAppend(request), request);
  RequestedArrays arrays = MakeRequestedArrays(request, *resource);
  CopyInProgress::SetTarget(resource, false);
  CreateArrays(*resource, arrays);
  return {resource, std::move(arrays.paths), false, std::move(arrays.renamed)};
}

/// Makes the bands get the dimension that their metadata describe, when the dataset is closed.
void NameBandsAtLast(const Created& created, RasterDataset* dataset) {
  dataset->SetLastChange([resource = created.resource, path = created.paths.front(), dataset] {
    NameDimensionOfBands(resource, path, *dataset);
  });
}

/// Returns a name by which the dataset can be opened again; the store's for several arrays.
std::string NameDataset(const Created& created, const CreationRequest& request) {
  const bool is_one_of_many =
      request.options.GetBoolean("APPEND_SUBDATASET") && request.options.GetBoolean("SINGLE_ARRAY");
  return is_one_of_many ? MakeArrayDatasetName(request.store, created.paths.front()) : request.store;
}

GDALDataset* CreateOrThrow(const CreationRequest& request) {
  ApplyLimits();
  CheckRequest(request);
  const Created created =
      request.options.GetBoolean("APPEND_SUBDATASET") ? AppendToStore(request) : CreateStore(request);
  std::unique_ptr<GDALDataset> dataset;
  if (request.options.GetBoolean("SINGLE_ARRAY")) {
    auto raster = OpenForUpdate(created.resource, created.paths.front(), request);
    if (created.may_name_bands) NameBandsAtLast(created, raster.get());
    raster->renamed_dimensions() = created.renamed;
    dataset = std::move(raster);
  } else {
    dataset = MakeStack(created.resource, created.paths, request);
  }
  dataset->SetDescription(NameDataset(created, request).c_str());
  created.resource->edits().saving.Keep();
  return dataset.release();
}

}  // namespace

GDALDataset* Create(const char* name, int width, int height, int bands, GDALDataType type, MetadataList options) {
  return Guard<GDALDataset*>(
      nullptr,
      [&] {
        // Errors in options must not come before the replacement, which puts back what was let go.
        const bool appends = CPLFetchBool(options, "APPEND_SUBDATASET", false);
        const std::string path = FindStoreToWrite(name, appends);
        Replacement replacement(name, path);
        const KeptFolder kept_folder(FindEmptyFolder(path));
        GDALDataset* dataset =
            CreateOrThrow({path, width, height, bands, type, CreationOptions(options),
                           CopyInProgress::GetBandDimensions(), CopyInProgress::GetPlaneNames(),
                           appends ? CopyInProgress::GetSourceName() : "", CopyInProgress::GetBandTypes()});
        replacement.Succeed();
        return dataset;
      },
      Activity::kWriting);
}

GDALDataset* CreateMultiDimensional(const char* name, CSLConstList, CSLConstList options) {
  return Guard<GDALDataset*>(
      nullptr,
      [&]() -> GDALDataset* {
        ApplyLimits();
        const CreationRequest request{FindStoreToWrite(name), 0, 0, 0, GDT_Unknown, CreationOptions(options)};
        ForgetIdentified();
        if (request.options.format() == ZarrFormat::kV1)
          FailOption("FORMAT", "ZARR_V2 or ZARR_V3 (v1 has no groups)", "ZARR_V1");
        auto empty_folder = FindEmptyFolder(request.store);
        const KeptFolder kept_folder(empty_folder);
        auto hierarchy = MakeHierarchy(request);
        const auto resource = OpenWritableResource(std::move(hierarchy), request);
        const bool is_copy = CopyInProgress::SetTarget(resource, true);
        auto dataset = std::make_unique<MultidimDataset>(resource, Group::Make(resource, ""));
        dataset->SetDescription(name);
        if (!is_copy) {
          dataset->SetTakeBack([path = request.store, folder = std::move(empty_folder)] {
            const KeptFolder kept_again(folder);
            TakeBackStore(path);
          });
        }
        resource->edits().saving.Keep();
        return dataset.release();
      },
      Activity::kWriting);
}

}  // namespace gdal_zarr
