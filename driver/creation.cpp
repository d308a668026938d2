#include "driver/creation.h"

#include <memory>
#include <utility>
#include <vector>

#include "driver/creation_array.h"
#include "driver/dataset_name.h"
#include "driver/gdal_error.h"
#include "driver/group.h"
#include "driver/md_array.h"
#include "driver/multidim_dataset.h"
#include "driver/raster_dataset.h"
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

zarr::ArrayMetadata MetadataOf(const Request& request, const Layout& layout, ZarrFormat format) {
  return MakeArrayMetadata(format, layout.dimensions, GDALExtendedDataType::Create(request.type), request.options,
                           layout.default_chunk);
}

std::shared_ptr<NodeContext> WritableContext(std::shared_ptr<zarr::Hierarchy> hierarchy, const Request& request) {
  hierarchy->SetConsolidate(request.options.Boolean("CREATE_CONSOLIDATED_METADATA"));
  return std::make_shared<NodeContext>(std::move(hierarchy), OpenOptions(), true);
}

std::shared_ptr<NodeContext> OpenOrCreateStore(const Request& request) {
  auto store = MakeStore(request.store, request.options.Boolean("SYNC"));
  if (!request.options.Boolean("APPEND_SUBDATASET")) {
    return WritableContext(zarr::Hierarchy::Create(std::move(store), request.options.format()), request);
  }
  if (!request.options.Has("ARRAY_NAME")) FailOption("APPEND_SUBDATASET", "ARRAY_NAME beside it", "YES");
  return WritableContext(zarr::Hierarchy::Open(std::move(store)), request);
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

GDALDataset* CreateOrThrow(const Request& request) {
  CheckRequest(request);
  const Layout layout = LayoutOf(request);
  std::unique_ptr<RasterDataset> dataset;
  if (request.options.format() == ZarrFormat::kV1 && !request.options.Boolean("APPEND_SUBDATASET")) {
    auto store = MakeStore(request.store, request.options.Boolean("SYNC"));
    const zarr::ArrayMetadata metadata = MetadataOf(request, layout, ZarrFormat::kV1);
    const auto context = WritableContext(zarr::Hierarchy::CreateRootArray(std::move(store), metadata), request);
    dataset = OpenForUpdate(context, "", request);
  } else {
    const std::shared_ptr<NodeContext> context = OpenOrCreateStore(request);
    const std::string path = request.array_name();
    context->Change().CreateArray(path, MetadataOf(request, layout, context->hierarchy().format()));
    dataset = OpenForUpdate(context, path, request);
  }
  dataset->SetDescription(request.store.c_str());
  return dataset.release();
}

GDALDriver* ThisDriver() {
  return GetGDALDriverManager()->GetDriverByName("Zarr");
}

/// The folder of a store, for what is done to it as a whole.
std::string FolderOf(const char* name) {
  const DatasetName parsed = ParseDatasetName(name);
  if (!parsed.array) return parsed.store;
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                    zarr::ExpectedGot("the name of a store", std::string(name) + ", which names an array in one"));
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
  return ThisDriver()->DefaultCreateCopy(name, source, strict, options, progress, progress_data);
}

GDALDataset* CreateMultiDimensional(const char* name, CSLConstList, CSLConstList options) {
  return Guard<GDALDataset*>(
      nullptr,
      [&]() -> GDALDataset* {
        const Request request{ParseDatasetName(name).store, 0, 0, 0, GDT_Unknown, CreationOptions(options)};
        if (request.options.format() == ZarrFormat::kV1)
          FailOption("FORMAT", "ZARR_V2 or ZARR_V3 (v1 has no groups)", "ZARR_V1");
        auto store = MakeStore(request.store, request.options.Boolean("SYNC"));
        const auto context =
            WritableContext(zarr::Hierarchy::Create(std::move(store), request.options.format()), request);
        auto dataset = std::make_unique<MultidimDataset>(context, Group::Make(context, ""));
        dataset->SetDescription(name);
        return dataset.release();
      },
      Activity::kWriting);
}

CPLErr Delete(const char* name) {
  return Guard(
      CE_Failure,
      [&] {
        const std::string folder = FolderOf(name);
        VSIStatBufL status;
        // GDAL deletes what it is about to create, if a driver knows the name.
        if (HasZarrPrefix(name) && VSIStatL(folder.c_str(), &status) != 0) return CE_None;
        return ResultOf(VSIRmdirRecursive(folder.c_str()), "delete", folder);
      },
      Activity::kWriting);
}

CPLErr Rename(const char* to, const char* from) {
  return Guard(
      CE_Failure,
      [&] {
        const std::string folder = FolderOf(from);
        return ResultOf(VSIRename(folder.c_str(), FolderOf(to).c_str()), "rename", folder);
      },
      Activity::kWriting);
}

CPLErr CopyFiles(const char* to, const char* from) {
  return Guard(
      CE_Failure,
      [&] {
        const std::string folder = FolderOf(from);
        const bool copied = VSISync((folder + "/").c_str(), FolderOf(to).c_str(), nullptr, nullptr, nullptr, nullptr);
        return ResultOf(copied ? 0 : 1, "copy", folder);
      },
      Activity::kWriting);
}

}  // namespace gdal_zarr
