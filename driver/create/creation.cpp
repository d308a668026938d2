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
#include "driver/create/copy_source.h"
#include "driver/create/creation_request.h"
#include "driver/create/netcdf_items.h"
#include "driver/create/netcdf_view.h"
#include "driver/create/removal.h"
#include "driver/create/source_edges.h"
#include "driver/dataset/pam_files.h"
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
#include "driver/stores/store_factory.h"
#include "driver/stores/store_root.h"
#include "driver/stores/zip_archive_writer.h"
#include "zarrlib/hierarchy/node_removal.h"

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

/// Parses the name of the store to create or to add to. The name must not name an array: options do that.
std::string FindStoreToWrite(const char* name) {
  DatasetName parsed = ParseDatasetName(name);
  if (!parsed.array) return std::move(parsed.store);
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument, std::string(name) +
                                                           ": expected the name of a store: " + parsed.store +
                                                           ", with the creation option ARRAY_NAME=" + *parsed.array +
                                                           ", and APPEND_SUBDATASET=YES if the store is there already");
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
};

/// Removes a store in a folder whose creation failed. Errors of the removal are hidden, so that the first one remains.
void TakeBackStore(const std::string& path) {
  if (SplitZipPath(path)) return;  // an archive is put in place only when it is complete
  const ErrorCollector quiet;
  TryChange([&] { RemoveStore(path); });
}

/// Creates a new store with the arrays. Makes their metadata first, so that a wrong option leaves nothing behind.
Created CreateStore(const CreationRequest& request) {
  RequestedArrays arrays = MakeRequestedArrays(request);
  auto store = MakeNewStore(request.store, request.options.GetBoolean("SYNC"));
  if (request.is_root_array()) {
    auto hierarchy = zarr::Hierarchy::CreateRootArray(std::move(store), arrays.metadata, MakeOptionsForChange());
    const auto resource = OpenWritableResource(std::move(hierarchy), request);
    CopyInProgress::SetTarget(resource, true);
    return {resource, std::move(arrays.paths)};
  }
  auto hierarchy = zarr::Hierarchy::Create(std::move(store), request.options.format(), {}, MakeOptionsForChange());
  try {
    const auto resource = OpenWritableResource(std::move(hierarchy), request);
    for (const std::string& path : arrays.paths) resource->Change().CreateArray(path, arrays.metadata);
    CreateBandCoordinates(*resource, arrays.band_dimensions);
    CopyInProgress::SetTarget(resource, true);
    return {resource, std::move(arrays.paths)};
  } catch (...) {
    TakeBackStore(request.store);
    throw;
  }
}

/// Adds the arrays to an existing store.
Created AppendToStore(const CreationRequest& request) {
  const bool sync = request.options.GetBoolean("SYNC");
  const auto resource = OpenWritableResource(OpenForChange(MakeStore(request.store, sync)), request);
  RequestedArrays arrays = MakeRequestedArrays(request, *resource);
  CopyInProgress::SetTarget(resource, false);
  for (const std::string& path : arrays.paths) resource->Change().CreateArray(path, arrays.metadata);
  CreateBandCoordinates(*resource, arrays.band_dimensions);
  return {resource, std::move(arrays.paths)};
}

GDALDataset* CreateOrThrow(const CreationRequest& request) {
  ApplyLimits();
  CheckRequest(request);
  const Created created =
      request.options.GetBoolean("APPEND_SUBDATASET") ? AppendToStore(request) : CreateStore(request);
  std::unique_ptr<GDALDataset> dataset;
  if (request.options.GetBoolean("SINGLE_ARRAY")) {
    dataset = OpenForUpdate(created.resource, created.paths.front(), request);
  } else {
    dataset = MakeStack(created.resource, created.paths, request);
  }
  dataset->SetDescription(request.store.c_str());
  created.resource->Keep();
  return dataset.release();
}

/// Copies the units of bands, because GDAL's own copying leaves them out, up to 3.6 at least. A unit that cannot be
/// kept is an error if `strict`.
bool CopyUnits(GDALDataset* source, GDALDataset* copy, bool strict) {
  for (int band = 1; band <= copy->GetRasterCount(); ++band) {
    const std::string unit = source->GetRasterBand(band)->GetUnitType();
    if (unit.empty() || unit == copy->GetRasterBand(band)->GetUnitType()) continue;
    if (!strict) CPLPushErrorHandler(CPLQuietErrorHandler);
    const CPLErr result = copy->GetRasterBand(band)->SetUnitType(unit.c_str());
    if (!strict) {
      CPLPopErrorHandler();
      CPLErrorReset();
    }
    if (result != CE_None && strict) return false;
  }
  return true;
}

/// Saves all of a copy while a failure can still be reported: closing a dataset reports none in some versions of GDAL,
/// and GDAL's functions that copy ignore the results of setters. After that, a store in an archive cannot be changed.
template <typename Dataset>
bool Completes(GDALDataset& copy) {
  auto* dataset = dynamic_cast<Dataset*>(&copy);
  if (!dataset) return false;
  if (dataset->Complete() == CE_None) return true;
  dataset->Abandon();
  return false;
}

bool IsComplete(GDALDataset& copy) {
  return Completes<RasterDataset>(copy) || Completes<BandStack>(copy) || Completes<MultidimDataset>(copy);
}

/// Whether GDAL can save side files for a store that does not exist yet.
bool MayGetSideFiles(const char* name) {
  if (!CPLTestBool(CPLGetConfigOption("GDAL_PAM_ENABLED", "YES"))) return false;
  try {
    return CanSaveSideFiles(FindStoreToWrite(name) + "/zarr.json");
  } catch (const zarr::Error&) {
    return true;  // the name is wrong, which making the store will report
  }
}

GDALDriver* GetThisDriver() {
  return GetGDALDriverManager()->GetDriverByName("Zarr");
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
        zarr::FormatExpectedGot("the name of a store", std::string(name) + ", which names an array in a store"));
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
  VSIStatBufL status;
  return VSIStatL(path.c_str(), &status) == 0 && VSI_ISDIR(status.st_mode);
}

/// Whether a name is that of an array or group that does not exist.
bool NamesNothing(const DatasetName& name) {
  VSIStatBufL status;
  if (!name.array) return false;
  if (VSIStatL(name.store.c_str(), &status) != 0) return true;
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

/// Moving and copying replace nothing but an empty folder.
void CheckNothingIn(const std::string& target) {
  VSIStatBufL status;
  if (VSIStatL(target.c_str(), &status) != 0) return;
  if (IsFolder(target)) return zarr::CheckNothingAt(*MakeStore(target), "");
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument, target, "", "", "there is a file already");
}

/// Copies a raster or a multidimensional dataset. `items` are those of a raster's metadata.
GDALDataset* CopySource(const char* name, GDALDataset* source, const NetcdfItems& items, int strict,
                        MetadataList options, GDALProgressFunc progress, void* progress_data) {
  const CopyLosses losses(*source, CPLFetchBool(options, "SINGLE_ARRAY", true), MayGetSideFiles(name));
  if (!losses.none()) losses.Report(strict ? CE_Failure : CE_Warning);
  if (losses.fails_if_strict() && strict) return nullptr;
  const std::unique_ptr<GDALDataset> rest = losses.none() ? nullptr : losses.Without(*source);
  GDALDataset* from = rest ? rest.get() : source;
  std::vector<BandDimension> band_dimensions = FindBandDimensions(*from);
  items.AddAttributes(&band_dimensions);
  CPLStringList expanded = ExpandSourcePlan(options, *source, band_dimensions);
  const PlaneNames plane_names = items.are_understood() ? items.plane_names() : FindPlaneNames(*source);
  CopyInProgress progress_of_copy(band_dimensions, plane_names);
  std::unique_ptr<GDALDataset> copy(
      GetThisDriver()->DefaultCreateCopy(name, from, strict, expanded.List(), progress, progress_data));
  const bool is_made = copy != nullptr;
  if (is_made && progress_of_copy.HasAllNodes() && CopyUnits(from, copy.get(), strict != FALSE) && IsComplete(*copy) &&
      progress_of_copy.Complete()) {
    return copy.release();
  }
  progress_of_copy.PutWaiting();
  copy.reset();
  progress_of_copy.TakeBack();
  if (CPLFetchBool(options, "APPEND_SUBDATASET", false)) return nullptr;
  if (is_made) {
    Delete(name);
  } else if (progress_of_copy.has_made_store()) {
    TakeBackStore(FindStoreToWrite(name));  // GDAL has removed the copy of a raster that failed, but no other one
  }
  return nullptr;
}

GDALDataset* CreateCopyOrThrow(const char* name, GDALDataset* source, int strict, MetadataList options,
                               GDALProgressFunc progress, void* progress_data) {
  const NetcdfItems items(*source);
  const auto view = items.are_understood() ? MakeNetcdfView(*source, items) : nullptr;
  return CopySource(name, view ? view.get() : source, items, strict, options, progress, progress_data);
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

GDALDataset* CreateCopy(const char* name, GDALDataset* source, int strict, MetadataList options,
                        GDALProgressFunc progress, void* progress_data) {
  return Guard<GDALDataset*>(
      nullptr, [&] { return CreateCopyOrThrow(name, source, strict, options, progress, progress_data); },
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
        const auto resource = OpenWritableResource(
            zarr::Hierarchy::Create(std::move(store), request.options.format(), {}, MakeOptionsForChange()), request);
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
        VSIStatBufL status;
        if (HasZarrPrefix(name) && VSIStatL(store.path.c_str(), &status) != 0) return CE_None;
        if (IsFolder(store.path)) return RemoveStore(store.path), CE_None;
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
