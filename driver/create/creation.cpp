// SPDX-License-Identifier: MIT
#include "driver/create/creation.h"

#include <cerrno>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "driver/create/copy_in_progress.h"
#include "driver/create/creation_request.h"
#include "driver/create/name_bands.h"
#include "driver/create/removal.h"
#include "driver/gdal/dataset_name.h"
#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/georeferencing_writer.h"
#include "driver/io/io_options.h"
#include "driver/multidim/group.h"
#include "driver/multidim/md_array.h"
#include "driver/multidim/multidim_dataset.h"
#include "driver/raster/band_stack.h"
#include "driver/raster/raster_dataset.h"
#include "driver/stores/kerchunk/reference_name.h"
#include "driver/stores/kerchunk/reference_store.h"
#include "driver/stores/missing_folder.h"
#include "driver/stores/store_factory.h"
#include "driver/stores/store_root.h"
#include "driver/stores/vsi_absence.h"
#include "driver/stores/zip_archive_writer.h"
#include "zarrlib/hierarchy/node_removal.h"
#include "zarrlib/metadata/document_names.h"

namespace gdal_zarr {
namespace {

using zarr::ZarrFormat;

std::shared_ptr<SharedResource> OpenWritableResource(std::shared_ptr<zarr::Hierarchy> hierarchy,
                                                     const CreationRequest& request) {
  LetDocumentsGoFirst(hierarchy);
  hierarchy->SetConsolidate(request.options.GetBoolean("CREATE_CONSOLIDATED_METADATA"));
  return std::make_shared<SharedResource>(std::move(hierarchy), OpenOptions(), true);
}

std::unique_ptr<RasterDataset> OpenForUpdate(const std::shared_ptr<SharedResource>& resource, const std::string& path,
                                             const CreationRequest& request) {
  const std::shared_ptr<MDArray> array = MDArray::Make(resource, path);
  array->MarkNew();
  array->SetConventions(ParseConventions(request.options.GetText("GEOREFERENCING_CONVENTION")));
  resource->writers().SetPolicy(path, GetWritePolicy(request.options));
  auto dataset = std::make_unique<RasterDataset>(resource, array, array->shared_array(), OpenOptions(), SliceRequest());
  dataset->EnableUpdate();
  return dataset;
}

/// Opens the arrays of SINGLE_ARRAY=NO, one for each band, as a stack.
std::unique_ptr<GDALDataset> MakeStack(const std::shared_ptr<SharedResource>& resource,
                                       const std::vector<std::string>& paths, const CreationRequest& request) {
  std::vector<BandStack::Member> members;
  for (const std::string& path : paths) members.push_back({path, OpenForUpdate(resource, path, request)});
  auto stack = std::make_unique<BandStack>(std::move(members));
  stack->EnableUpdate();
  return stack;
}

struct Created {
  std::shared_ptr<SharedResource> resource;
  std::vector<std::string> paths;
  bool may_name_bands = false;  // because the store is new, and what the bands count is not known yet
};

/// Makes a new store, and tells how to remove one that is in its way.
template <typename Function>
auto MakeInFreePlace(const std::string& name, const Function& make) {
  try {
    return make();
  } catch (const zarr::Error& error) {
    const bool is_store = !FindMetadataDocument("/" + error.key()).empty() || error.key() == zarr::kV1Array;
    if (error.kind() != zarr::ErrorKind::kInvalidArgument || !error.pointer().empty() || !is_store) throw;
    throw zarr::Error(error.kind(), error.store(), error.key(), "",
                      error.message() + ": to replace it, remove it first (gdalmanage delete -f Zarr " + name + ")");
  }
}

/// Creates a new store with the arrays. Makes their metadata first, so that a wrong option leaves nothing behind.
Created CreateStore(const CreationRequest& request) {
  RequestedArrays arrays = MakeRequestedArrays(request);
  auto store = MakeNewStore(request.store, request.options.GetBoolean("SYNC"));
  if (request.is_root_array()) {
    auto hierarchy = MakeInFreePlace(request.store, [&] {
      return zarr::Hierarchy::CreateRootArray(std::move(store), arrays.metadata, MakeOptionsForChange());
    });
    const auto resource = OpenWritableResource(std::move(hierarchy), request);
    CopyInProgress::SetTarget(resource, true);
    return {resource, std::move(arrays.paths)};
  }
  auto hierarchy = MakeInFreePlace(request.store, [&] {
    return zarr::Hierarchy::Create(std::move(store), request.options.format(), {}, MakeOptionsForChange());
  });
  try {
    const auto resource = OpenWritableResource(std::move(hierarchy), request);
    for (const std::string& path : arrays.paths) resource->Change().CreateArray(path, arrays.metadata);
    CreateBandCoordinates(*resource, arrays.band_dimensions);
    const bool is_copy = CopyInProgress::SetTarget(resource, true);
    return {resource, std::move(arrays.paths), !is_copy};
  } catch (...) {
    TryTakeBackStore(request.store);
    throw;
  }
}

std::shared_ptr<zarr::Hierarchy> OpenToAppend(const CreationRequest& request) {
  try {
    return OpenForChange(MakeStore(request.store, request.options.GetBoolean("SYNC")));
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
  for (const std::string& path : arrays.paths) resource->Change().CreateArray(path, arrays.metadata);
  CreateBandCoordinates(*resource, arrays.band_dimensions);
  return {resource, std::move(arrays.paths)};
}

/// Lets the bands count what their metadata say when the dataset is closed.
void NameBandsAtLast(const Created& created, RasterDataset* dataset) {
  dataset->SetLastChange([resource = created.resource, path = created.paths.front(), dataset] {
    NameDimensionOfBands(resource, path, *dataset);
  });
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
    dataset = std::move(raster);
  } else {
    dataset = MakeStack(created.resource, created.paths, request);
  }
  dataset->SetDescription(request.store.c_str());
  created.resource->Keep();
  return dataset.release();
}

/// A whole store: its folder, or the archive that holds nothing else.
struct WholeStore {
  std::string path;
  std::optional<std::string> folder_in_archive;
};

WholeStore FindWholeStore(const char* name) {
  const DatasetName parsed = ParseDatasetName(name);
  if (parsed.array) {
    throw zarr::Error(
        zarr::ErrorKind::kInvalidArgument,
        zarr::FormatExpectedGot("the name of a store", std::string(name) + ", which names an array in a store") +
            "; an array alone is removed by GDALGroup::DeleteMDArray (GDAL 3.8 and later)");
  }
  const std::optional<ZipPath> zip = SplitZipPath(parsed.store);
  return zip ? WholeStore{FindArchiveOfStore(*zip), zip->folder} : WholeStore{parsed.store, std::nullopt};
}

/// Returns where a store is to be moved or copied. A store in an archive must stay in one, and at its place there.
std::string GetTarget(const WholeStore& from, const char* name) {
  WholeStore to = FindWholeStore(name);
  if (to.folder_in_archive == from.folder_in_archive) return std::move(to.path);
  throw zarr::Error(
      zarr::ErrorKind::kUnsupported,
      std::string(name) + ": moving and copying neither pack or unpack an archive, nor change names in it");
}

bool IsFolder(const std::string& path) {
  return LookAt(path) == Presence::kFolder;
}

/// Whether a name is that of an array or group that does not exist.
bool NamesNothing(const DatasetName& name) {
  if (!name.array) return false;
  if (LookAt(name.store) == Presence::kAbsent) return true;
  return !zarr::Hierarchy::Open(OpenStore(name.store))->Probe(*name.array);
}

/// Refuses a node of a larger store, whose consolidated metadata would still name the node after a move.
void CheckNotInStore(const std::string& folder) {
  if (!IsFolder(folder)) return;
  const auto place = FindStoreRoot(folder, *OpenForChange(MakeStore(folder)));
  if (!place) return;
  throw zarr::Error(zarr::ErrorKind::kUnsupported, place->store, place->node, "",
                    "this is a node of a larger store: rename it by the multidimensional API");
}

/// Throws zarr::Error unless the file is an archive with a store, or a file of references to one.
void CheckHoldsStore(const WholeStore& file, const char* name) {
  if (file.folder_in_archive) {
    zarr::Hierarchy::Open(OpenStore(ParseDatasetName(name).store));
  } else {
    const ReferenceStore references(file.path);
  }
}

/// Moving and copying replace nothing but an empty folder.
void CheckNothingIn(const std::string& target) {
  const Presence presence = LookAt(target);
  if (presence == Presence::kAbsent) return;
  if (presence == Presence::kFolder) return zarr::CheckNothingAt(*MakeStore(target), "");
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument, target, "", "", "there is a file already");
}

/// `run` returns 0, or sets errno where it is known.
template <typename Function>
CPLErr GetResult(const char* what, const std::string& folder, const Function& run) {
  errno = 0;
  if (run() == 0) return CE_None;
  const std::string why = errno == 0       ? std::string()
                          : errno == EXDEV ? ": the new place is on another file system: copy, then delete"
                                           : ": " + std::generic_category().message(errno);
  CPLError(CE_Failure, CPLE_FileIO, "Zarr: cannot %s %s%s", what, folder.c_str(), why.c_str());
  return CE_Failure;
}

/// The canonical path of what may be absent, if it is in the system's files; else the path itself.
std::string GetPlace(const std::string& path) {
  if (path.starts_with("/vsi")) return path;
  std::error_code error;
  const auto place = std::filesystem::weakly_canonical(std::filesystem::absolute(path), error);
  return error ? path : place.string();
}

/// A copy of a folder to a place in itself would copy the copy, and so on.
void CheckApart(const std::string& from, const std::string& to) {
  if (!(GetPlace(to) + "/").starts_with(GetPlace(from) + "/")) return;
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument, to, "", "", "the new place lies in the old one, " + from);
}

}  // namespace

GDALDataset* Create(const char* name, int width, int height, int bands, GDALDataType type, MetadataList options) {
  return Guard<GDALDataset*>(
      nullptr,
      [&] {
        return CreateOrThrow({FindStoreToWrite(name), width, height, bands, type, CreationOptions(options),
                              CopyInProgress::GetBandDimensions(), CopyInProgress::GetPlaneNames()});
      },
      Activity::kWriting);
}

GDALDataset* CreateMultiDimensional(const char* name, CSLConstList, CSLConstList options) {
  return Guard<GDALDataset*>(
      nullptr,
      [&]() -> GDALDataset* {
        ApplyLimits();
        const CreationRequest request{FindStoreToWrite(name), 0, 0, 0, GDT_Unknown, CreationOptions(options)};
        if (request.options.format() == ZarrFormat::kV1)
          FailOption("FORMAT", "ZARR_V2 or ZARR_V3 (v1 has no groups)", "ZARR_V1");
        auto store = MakeNewStore(request.store, request.options.GetBoolean("SYNC"));
        auto hierarchy = MakeInFreePlace(request.store, [&] {
          return zarr::Hierarchy::Create(std::move(store), request.options.format(), {}, MakeOptionsForChange());
        });
        const auto resource = OpenWritableResource(std::move(hierarchy), request);
        const bool is_copy = CopyInProgress::SetTarget(resource, true);
        auto dataset = std::make_unique<MultidimDataset>(resource, Group::Make(resource, ""));
        dataset->SetDescription(name);
        if (!is_copy) dataset->SetTakeBack([path = request.store] { TakeBackStore(path); });
        resource->Keep();
        return dataset.release();
      },
      Activity::kWriting);
}

CPLErr Delete(const char* name) {
  return Guard(
      CE_Failure,
      [&] {
        // GDAL deletes what it is about to create if a driver recognises the name. There may be nothing to delete.
        if (NamesNothing(ParseDatasetName(name))) return CE_None;
        const WholeStore store = FindWholeStore(name);
        const Presence presence = LookAt(store.path);
        if (HasZarrPrefix(name) && presence == Presence::kAbsent) return CE_None;
        if (presence == Presence::kFolder) return RemoveStore(store.path), CE_None;
        if (store.folder_in_archive) return RemoveArchive(store.path, *store.folder_in_archive), CE_None;
        const ReferenceStore references(store.path);  // throws for any other file, which stays
        return GetResult("delete", store.path, [&] { return VSIUnlink(store.path.c_str()); });
      },
      Activity::kWriting);
}

CPLErr Rename(const char* to, const char* from) {
  return Guard(
      CE_Failure,
      [&] {
        const WholeStore store = FindWholeStore(from);
        if (!IsFolder(store.path)) CheckHoldsStore(store, from);
        CheckNotInStore(store.path);
        const std::string target = GetTarget(store, to);
        CheckApart(store.path, target);
        CheckNothingIn(target);
        return GetResult("rename", store.path, [&] { return VSIRename(store.path.c_str(), target.c_str()); });
      },
      Activity::kWriting);
}

CPLErr CopyFiles(const char* to, const char* from) {
  return Guard(
      CE_Failure,
      [&] {
        const WholeStore store = FindWholeStore(from);
        const std::string source = store.path + (IsFolder(store.path) ? "/" : "");
        // Some versions of GDAL make no folder whose name has no folder before it.
        const std::string given = GetTarget(store, to);
        const std::string target = given.find('/') == std::string::npos ? "./" + given : given;
        CheckApart(store.path, target);
        CheckNothingIn(target);
        return GetResult("copy", store.path, [&] {
          const bool copied = VSISync(source.c_str(), target.c_str(), nullptr, nullptr, nullptr, nullptr);
          errno = 0;  // GDAL has said what is wrong
          return copied ? 0 : 1;
        });
      },
      Activity::kWriting);
}

}  // namespace gdal_zarr
