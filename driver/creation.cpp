#include "driver/creation.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "driver/band_stack.h"
#include "driver/chunk_plans.h"
#include "driver/creation_array.h"
#include "driver/dataset_name.h"
#include "driver/gdal_error.h"
#include "driver/group.h"
#include "driver/md_array.h"
#include "driver/multidim_dataset.h"
#include "driver/new_zip.h"
#include "driver/raster_dataset.h"
#include "driver/reference_name.h"
#include "driver/reference_store.h"
#include "driver/store_factory.h"

namespace gdal_zarr {
namespace {

using zarr::ZarrFormat;

/// What Create was asked for.
struct Request {
  std::string store;
  int width = 0;
  int height = 0;
  int bands = 0;
  GDALDataType type = GDT_Unknown;
  CreationOptions options;

  std::string array_name() const {
    const std::string name = options.Text("ARRAY_NAME");
    return name.empty() ? BaseName(store) : name;
  }
  /// v1 cannot name dimensions: they are Band, Y, X.
  bool pixel_interleaved() const {
    return bands > 1 && options.Text("INTERLEAVE") == "PIXEL" && options.format() != ZarrFormat::kV1;
  }
};

void CheckRequest(const Request& request) {
  if (request.options.Boolean("CONVERT_TO_KERCHUNK_PARQUET_REFERENCE")) {
    FailOption("CONVERT_TO_KERCHUNK_PARQUET_REFERENCE", "NO: this is not supported", "YES");
  }
  if (request.width < 1 || request.height < 1) {
    throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                      zarr::ExpectedGot("at least one column and row",
                                        std::to_string(request.width) + " x " + std::to_string(request.height)));
  }
  if (request.options.format() == ZarrFormat::kV1 && request.options.Text("INTERLEAVE") == "PIXEL") {
    // GDAL passes on what the source has, which nobody asked for.
    CPLDebug("Zarr", "INTERLEAVE=PIXEL is not possible in v1; bands are written one after the other");
  }
  if (request.options.format() == ZarrFormat::kV1 && !request.options.Boolean("SINGLE_ARRAY")) {
    FailOption("SINGLE_ARRAY", "YES (a store of v1 is one array)", "NO");
  }
  if (request.bands < 1) {
    throw zarr::Error(zarr::ErrorKind::kInvalidArgument, zarr::ExpectedGot("at least one band", "0"));
  }
}

struct Layout {
  std::vector<NewDimension> dimensions;
  std::vector<std::uint64_t> default_chunk;
};

/// Of an array that holds all bands.
Layout LayoutOf(const Request& request) {
  const NewDimension x{"X", static_cast<std::uint64_t>(request.width)};
  const NewDimension y{"Y", static_cast<std::uint64_t>(request.height)};
  const NewDimension band{"Band", static_cast<std::uint64_t>(request.bands)};
  Layout layout;
  if (request.bands == 1) {
    layout.dimensions = {y, x};
  } else if (request.pixel_interleaved()) {
    layout.dimensions = {y, x, band};
  } else {
    layout.dimensions = {band, y, x};
  }
  layout.default_chunk = DefaultChunk(layout.dimensions);
  if (request.pixel_interleaved()) {
    const std::vector<std::uint64_t> plane = DefaultChunk({y, x});
    layout.default_chunk = {plane[0], plane[1], band.size};
  }
  return layout;
}

/// The same beside arrays that are there: dimensions of other lengths have other names.
Layout LayoutOf(const Request& request, NodeContext& context) {
  Layout layout = LayoutOf(request);
  std::map<std::string, std::uint64_t> lengths;
  for (const zarr::Hierarchy::Child& child : context.hierarchy().List("")) {
    const auto array = child.kind == zarr::NodeKind::kArray ? context.FindArray(child.name) : nullptr;
    if (!array || array->metadata().dimension_names.size() != array->rank()) continue;
    for (std::size_t i = 0; i < array->rank(); ++i) {
      if (const auto& name = array->metadata().dimension_names[i]) lengths.emplace(*name, array->shape()[i]);
    }
  }
  const auto differs = [&](const NewDimension& dimension) {
    const auto known = lengths.find(dimension.name);
    return known != lengths.end() && known->second != dimension.size;
  };
  if (std::none_of(layout.dimensions.begin(), layout.dimensions.end(), differs)) return layout;
  for (NewDimension& dimension : layout.dimensions) dimension.name += "_" + request.array_name();
  return layout;
}

zarr::ArrayMetadata MetadataOf(const Request& request, const Layout& layout, ZarrFormat format) {
  return MakeArrayMetadata(format, layout.dimensions, GDALExtendedDataType::Create(request.type), request.options,
                           layout.default_chunk);
}

std::shared_ptr<NodeContext> WritableContext(std::shared_ptr<zarr::Hierarchy> hierarchy, const Request& request) {
  hierarchy->SetConsolidate(request.options.Boolean("CREATE_CONSOLIDATED_METADATA"));
  return std::make_shared<NodeContext>(std::move(hierarchy), OpenOptions(), true);
}

std::shared_ptr<NodeContext> OpenOrCreateStore(const Request& request) {
  const bool sync = request.options.Boolean("SYNC");
  if (!request.options.Boolean("APPEND_SUBDATASET")) {
    auto store = MakeNewStore(request.store, sync);
    return WritableContext(zarr::Hierarchy::Create(std::move(store), request.options.format()), request);
  }
  if (!request.options.Has("ARRAY_NAME")) FailOption("APPEND_SUBDATASET", "ARRAY_NAME beside it", "YES");
  return WritableContext(OpenForChange(MakeStore(request.store, sync)), request);
}

std::unique_ptr<RasterDataset> OpenForUpdate(const std::shared_ptr<NodeContext>& context, const std::string& path,
                                             const Request& request) {
  const std::shared_ptr<MDArray> array = MDArray::Make(context, path);
  array->MarkNew();
  array->SetConventions(ParseConventions(request.options.Text("GEOREFERENCING_CONVENTION")));
  if (request.options.Boolean("STORE_EMPTY_CHUNKS")) context->writers().SetStoreEmptyChunks(path);
  auto dataset = std::make_unique<RasterDataset>(context, array, array->shared_array(), OpenOptions(),
                                                 std::vector<std::uint64_t>());
  dataset->EnableUpdate();
  return dataset;
}

/// SINGLE_ARRAY=NO: an array for each band.
GDALDataset* CreateArrays(const Request& request) {
  Request of_one = request;
  of_one.bands = 1;
  const std::shared_ptr<NodeContext> context = OpenOrCreateStore(request);
  const Layout layout = LayoutOf(of_one, *context);
  const zarr::ArrayMetadata metadata = MetadataOf(of_one, layout, context->hierarchy().format());
  std::vector<BandStack::Member> members;
  for (int band = 1; band <= request.bands; ++band) {
    const std::string path = request.array_name() + "_band" + std::to_string(band);
    context->Change().CreateArray(path, metadata);
    members.push_back({path, OpenForUpdate(context, path, request)});
  }
  auto stack = std::make_unique<BandStack>(std::move(members));
  stack->EnableUpdate();
  stack->SetDescription(request.store.c_str());
  context->Keep();
  return stack.release();
}

GDALDataset* CreateOrThrow(const Request& request) {
  CheckRequest(request);
  if (!request.options.Boolean("SINGLE_ARRAY")) return CreateArrays(request);
  std::unique_ptr<RasterDataset> dataset;
  std::shared_ptr<NodeContext> context;
  if (request.options.format() == ZarrFormat::kV1 && !request.options.Boolean("APPEND_SUBDATASET")) {
    auto store = MakeNewStore(request.store, request.options.Boolean("SYNC"));
    const zarr::ArrayMetadata metadata = MetadataOf(request, LayoutOf(request), ZarrFormat::kV1);
    context = WritableContext(zarr::Hierarchy::CreateRootArray(std::move(store), metadata), request);
    dataset = OpenForUpdate(context, "", request);
  } else {
    context = OpenOrCreateStore(request);
    const std::string path = request.array_name();
    const Layout layout = LayoutOf(request, *context);
    context->Change().CreateArray(path, MetadataOf(request, layout, context->hierarchy().format()));
    dataset = OpenForUpdate(context, path, request);
  }
  dataset->SetDescription(request.store.c_str());
  context->Keep();
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
    throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                      zarr::ExpectedGot("the name of a store", std::string(name) + ", which names an array in one"));
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
        return CreateOrThrow({ParseDatasetName(name).store, width, height, bands, type, CreationOptions(options)});
      },
      Activity::kWriting);
}

GDALDataset* CreateCopy(const char* name, GDALDataset* source, int strict, MetadataList options,
                        GDALProgressFunc progress, void* progress_data) {
  CPLStringList expanded = ExpandSourcePlan(options, *source);
  std::unique_ptr<GDALDataset> copy(
      ThisDriver()->DefaultCreateCopy(name, source, strict, expanded.List(), progress, progress_data));
  if (!copy) return nullptr;
  if (CopyUnits(source, copy.get(), strict != FALSE)) return copy.release();
  copy.reset();
  if (!CPLFetchBool(options, "APPEND_SUBDATASET", false)) Delete(name);
  return nullptr;
}

GDALDataset* CreateMultiDimensional(const char* name, CSLConstList, CSLConstList options) {
  return Guard<GDALDataset*>(
      nullptr,
      [&]() -> GDALDataset* {
        const Request request{ParseDatasetName(name).store, 0, 0, 0, GDT_Unknown, CreationOptions(options)};
        if (request.options.format() == ZarrFormat::kV1)
          FailOption("FORMAT", "ZARR_V2 or ZARR_V3 (v1 has no groups)", "ZARR_V1");
        auto store = MakeNewStore(request.store, request.options.Boolean("SYNC"));
        const auto context =
            WritableContext(zarr::Hierarchy::Create(std::move(store), request.options.format()), request);
        auto dataset = std::make_unique<MultidimDataset>(context, Group::Make(context, ""));
        dataset->SetDescription(name);
        context->Keep();
        return dataset.release();
      },
      Activity::kWriting);
}

CPLErr Delete(const char* name) {
  return Guard(
      CE_Failure,
      [&] {
        const WholeStore store = WholeStoreOf(name);
        VSIStatBufL status;
        // GDAL deletes what it is about to create, if a driver knows the name.
        if (HasZarrPrefix(name) && VSIStatL(store.path.c_str(), &status) != 0) return CE_None;
        if (IsFolder(store.path)) return ResultOf(VSIRmdirRecursive(store.path.c_str()), "delete", store.path);
        if (!store.folder_in_archive) const ReferenceStore references(store.path);  // any other file stays
        return ResultOf(VSIUnlink(store.path.c_str()), "delete", store.path);
      },
      Activity::kWriting);
}

CPLErr Rename(const char* to, const char* from) {
  return Guard(
      CE_Failure,
      [&] {
        const WholeStore store = WholeStoreOf(from);
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
        const bool copied = VSISync(source.c_str(), target.c_str(), nullptr, nullptr, nullptr, nullptr);
        return ResultOf(copied ? 0 : 1, "copy", store.path);
      },
      Activity::kWriting);
}

}  // namespace gdal_zarr
