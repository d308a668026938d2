#include "driver/create/creation.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/create/copy_source.h"
#include "driver/create/creation_request.h"
#include "driver/create/pending_addition.h"
#include "driver/create/removal.h"
#include "driver/dataset/pam_files.h"
#include "driver/gdal/dataset_name.h"
#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/georeferencing_writer.h"
#include "driver/multidim/group.h"
#include "driver/multidim/md_array.h"
#include "driver/multidim/multidim_dataset.h"
#include "driver/new_array/chunk_edges.h"
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

std::shared_ptr<SharedResource> WritableContext(std::shared_ptr<zarr::Hierarchy> hierarchy,
                                                const CreationRequest& request) {
  hierarchy->SetConsolidate(request.options.Boolean("CREATE_CONSOLIDATED_METADATA"));
  return std::make_shared<SharedResource>(std::move(hierarchy), OpenOptions(), true);
}

std::unique_ptr<RasterDataset> OpenForUpdate(const std::shared_ptr<SharedResource>& resource, const std::string& path,
                                             const CreationRequest& request) {
  const std::shared_ptr<MDArray> array = MDArray::Make(resource, path);
  array->MarkNew();
  array->SetConventions(ParseConventions(request.options.Text("GEOREFERENCING_CONVENTION")));
  if (request.options.Boolean("STORE_EMPTY_CHUNKS")) resource->writers().SetStoreEmptyChunks(path);
  auto dataset = std::make_unique<RasterDataset>(resource, array, array->shared_array(), OpenOptions(),
                                                 std::vector<std::uint64_t>());
  dataset->EnableUpdate();
  return dataset;
}

/// The store that is to be made, or added to. What is in it is named by options.
std::string StoreToWrite(const char* name) {
  DatasetName parsed = ParseDatasetName(name);
  if (!parsed.array) return std::move(parsed.store);
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                    std::string(name) + ": the name of what is to be written is that of a store: " + parsed.store +
                        ", with the creation option ARRAY_NAME=" + *parsed.array +
                        ", and APPEND_SUBDATASET=YES if the store is there already");
}

/// SINGLE_ARRAY=NO: an array for each band.
std::unique_ptr<GDALDataset> StackOf(const std::shared_ptr<SharedResource>& resource,
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

/// Removes a store in a folder that could not be made whole. The error that kept it from that is the one to be told.
void TakeBackStore(const std::string& path) {
  if (SplitZipPath(path)) return;  // an archive takes its place when it is complete
  const ErrorCollector quiet;
  Changes([&] { RemoveStore(path); });
}

/// A new store with the arrays. What they are is found out first, so that a wrong option leaves nothing behind.
Created CreateStore(const CreationRequest& request) {
  RequestedArrays arrays = ArraysOf(request);
  auto store = MakeNewStore(request.store, request.options.Boolean("SYNC"));
  if (request.is_root_array()) {
    auto hierarchy = zarr::Hierarchy::CreateRootArray(std::move(store), arrays.metadata, OptionsForChange());
    return {WritableContext(std::move(hierarchy), request), std::move(arrays.paths)};
  }
  auto hierarchy = zarr::Hierarchy::Create(std::move(store), request.options.format(), {}, OptionsForChange());
  try {
    const auto resource = WritableContext(std::move(hierarchy), request);
    for (const std::string& path : arrays.paths) resource->Change().CreateArray(path, arrays.metadata);
    return {resource, std::move(arrays.paths)};
  } catch (...) {
    TakeBackStore(request.store);
    throw;
  }
}

/// The arrays in a store that is there.
Created AppendToStore(const CreationRequest& request) {
  const bool sync = request.options.Boolean("SYNC");
  const auto resource = WritableContext(OpenForChange(MakeStore(request.store, sync)), request);
  RequestedArrays arrays = ArraysOf(request, *resource);
  PendingAddition::SetContext(resource);
  for (const std::string& path : arrays.paths) resource->Change().CreateArray(path, arrays.metadata);
  return {resource, std::move(arrays.paths)};
}

GDALDataset* CreateOrThrow(const CreationRequest& request) {
  CheckRequest(request);
  const Created created = request.options.Boolean("APPEND_SUBDATASET") ? AppendToStore(request) : CreateStore(request);
  std::unique_ptr<GDALDataset> dataset;
  if (request.options.Boolean("SINGLE_ARRAY")) {
    dataset = OpenForUpdate(created.resource, created.paths.front(), request);
  } else {
    dataset = StackOf(created.resource, created.paths, request);
  }
  dataset->SetDescription(request.store.c_str());
  created.resource->Keep();
  return dataset.release();
}

/// Which GDAL's own copying leaves out, at least up to 3.6. What cannot be kept is an error if `strict`.
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

/// Stores all of a copy while its failure can still be told: closing a dataset tells of none in all versions of GDAL,
/// nor do GDAL's functions that copy look at what each setter returns. A store in an archive takes no changes then.
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

/// Whether GDAL can keep things beside a store that is to be made.
bool MayGetSideFiles(const char* name) {
  if (!CPLTestBool(CPLGetConfigOption("GDAL_PAM_ENABLED", "YES"))) return false;
  try {
    return CanSaveSideFiles(StoreToWrite(name) + "/zarr.json");
  } catch (const zarr::Error&) {
    return true;  // the name is wrong, as making the store will tell
  }
}

GDALDriver* ThisDriver() {
  return GetGDALDriverManager()->GetDriverByName("Zarr");
}

/// A store as a whole: its folder, or the archive that holds it and nothing else.
struct WholeStore {
  std::string path;
  std::optional<std::string> folder_in_archive;
};

WholeStore WholeStoreOf(const char* name) {
  const DatasetName parsed = ParseDatasetName(name);
  if (parsed.array) {
    throw zarr::Error(
        zarr::ErrorKind::kInvalidArgument,
        zarr::FormatExpectedGot("the name of a store", std::string(name) + ", which names an array in one"));
  }
  const std::optional<ZipPath> zip = SplitZipPath(parsed.store);
  return zip ? WholeStore{ArchiveOfStore(*zip), zip->folder} : WholeStore{parsed.store, std::nullopt};
}

/// Where a store is to be moved or copied to: what is in an archive stays in one, and at its place in there.
std::string TargetOf(const WholeStore& from, const char* name) {
  WholeStore to = WholeStoreOf(name);
  if (to.folder_in_archive == from.folder_in_archive) return std::move(to.path);
  throw zarr::Error(
      zarr::ErrorKind::kUnsupported,
      std::string(name) + ": moving and copying does not pack or unpack an archive, nor change its names");
}

bool IsFolder(const std::string& path) {
  VSIStatBufL status;
  return VSIStatL(path.c_str(), &status) == 0 && VSI_ISDIR(status.st_mode);
}

/// Whether a name is that of an array, or group, that is not there.
bool NamesNothing(const DatasetName& name) {
  VSIStatBufL status;
  if (!name.array) return false;
  if (VSIStatL(name.store.c_str(), &status) != 0) return true;
  return !zarr::Hierarchy::Open(OpenStore(name.store))->Probe(*name.array);
}

/// Consolidated metadata of a store above would go on naming a node that is moved behind its back.
void CheckNotInStore(const std::string& folder) {
  if (!IsFolder(folder)) return;
  const auto place = FindStoreRoot(folder, *OpenForChange(MakeStore(folder)));
  if (!place) return;
  throw zarr::Error(zarr::ErrorKind::kUnsupported, place->store, place->node, "",
                    "this is a node of a larger store, in which it can be renamed by the multidimensional API");
}

/// Moving and copying takes the place of nothing but an empty folder.
void CheckNothingIn(const std::string& target) {
  VSIStatBufL status;
  if (VSIStatL(target.c_str(), &status) != 0) return;
  if (IsFolder(target)) return zarr::CheckNothingAt(*MakeStore(target), "");
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument, target, "", "", "there is a file already");
}

CPLErr ResultOf(int status, const char* what, const std::string& folder) {
  if (status == 0) return CE_None;
  CPLError(CE_Failure, CPLE_FileIO, "Zarr: cannot %s %s", what, folder.c_str());
  return CE_Failure;
}

}  // namespace

GDALDataset* Create(const char* name, int width, int height, int bands, GDALDataType type, MetadataList options) {
  return Guard<GDALDataset*>(
      nullptr,
      [&] {
        return CreateOrThrow({StoreToWrite(name), width, height, bands, type, CreationOptions(options)});
      },
      Activity::kWriting);
}

GDALDataset* CreateCopy(const char* name, GDALDataset* source, int strict, MetadataList options,
                        GDALProgressFunc progress, void* progress_data) {
  const CopyLosses losses(*source, CPLFetchBool(options, "SINGLE_ARRAY", true), MayGetSideFiles(name));
  if (!losses.none()) losses.Report(strict ? CE_Failure : CE_Warning);
  if (!losses.none() && strict) return nullptr;
  const std::unique_ptr<GDALDataset> rest = losses.none() ? nullptr : losses.Without(*source);
  GDALDataset* from = rest ? rest.get() : source;
  CPLStringList expanded = ExpandSourcePlan(options, *from);
  PendingAddition addition;
  std::unique_ptr<GDALDataset> copy(
      ThisDriver()->DefaultCreateCopy(name, from, strict, expanded.List(), progress, progress_data));
  const bool is_made = copy != nullptr;
  if (is_made && CopyUnits(from, copy.get(), strict != FALSE) && IsComplete(*copy)) return copy.release();
  copy.reset();
  addition.TakeBack();
  // GDAL itself removes a new store of which the copy fails before.
  if (is_made && !CPLFetchBool(options, "APPEND_SUBDATASET", false)) Delete(name);
  return nullptr;
}

GDALDataset* CreateMultiDimensional(const char* name, CSLConstList, CSLConstList options) {
  return Guard<GDALDataset*>(
      nullptr,
      [&]() -> GDALDataset* {
        const CreationRequest request{StoreToWrite(name), 0, 0, 0, GDT_Unknown, CreationOptions(options)};
        if (request.options.format() == ZarrFormat::kV1)
          FailOption("FORMAT", "ZARR_V2 or ZARR_V3 (v1 has no groups)", "ZARR_V1");
        auto store = MakeNewStore(request.store, request.options.Boolean("SYNC"));
        const auto resource = WritableContext(
            zarr::Hierarchy::Create(std::move(store), request.options.format(), {}, OptionsForChange()), request);
        auto dataset = std::make_unique<MultidimDataset>(resource, Group::Make(resource, ""));
        dataset->SetDescription(name);
        resource->Keep();
        return dataset.release();
      },
      Activity::kWriting);
}

CPLErr Delete(const char* name) {
  return Guard(
      CE_Failure,
      [&] {
        // GDAL deletes what it is about to create, if a driver knows the name.
        if (NamesNothing(ParseDatasetName(name))) return CE_None;
        const WholeStore store = WholeStoreOf(name);
        VSIStatBufL status;
        if (HasZarrPrefix(name) && VSIStatL(store.path.c_str(), &status) != 0) return CE_None;
        if (IsFolder(store.path)) return RemoveStore(store.path), CE_None;
        if (store.folder_in_archive) return RemoveArchive(store.path, *store.folder_in_archive), CE_None;
        const ReferenceStore references(store.path);  // any other file stays
        return ResultOf(VSIUnlink(store.path.c_str()), "delete", store.path);
      },
      Activity::kWriting);
}

CPLErr Rename(const char* to, const char* from) {
  return Guard(
      CE_Failure,
      [&] {
        const WholeStore store = WholeStoreOf(from);
        CheckNotInStore(store.path);
        CheckNothingIn(TargetOf(store, to));
        return ResultOf(VSIRename(store.path.c_str(), TargetOf(store, to).c_str()), "rename", store.path);
      },
      Activity::kWriting);
}

CPLErr CopyFiles(const char* to, const char* from) {
  return Guard(
      CE_Failure,
      [&] {
        const WholeStore store = WholeStoreOf(from);
        const std::string source = store.path + (IsFolder(store.path) ? "/" : "");
        const std::string target = TargetOf(store, to);
        CheckNothingIn(target);
        const bool copied = VSISync(source.c_str(), target.c_str(), nullptr, nullptr, nullptr, nullptr);
        return ResultOf(copied ? 0 : 1, "copy", store.path);
      },
      Activity::kWriting);
}

}  // namespace gdal_zarr
