#include "driver/open_raster.h"

#include <utility>

#include "driver/array_list.h"
#include "driver/attribute.h"
#include "driver/group.h"
#include "driver/md_array.h"
#include "driver/raster_dataset.h"

namespace gdal_zarr {
namespace {

/// A dataset without bands.
class ContainerDataset final : public GDALDataset {
 public:
  ContainerDataset() {
    nRasterXSize = 0;
    nRasterYSize = 0;
  }

  void AddSubdataset(const std::string& name, const std::string& description) {
    const std::string prefix = "SUBDATASET_" + std::to_string(++count_);
    subdatasets_.AddNameValue((prefix + "_NAME").c_str(), name.c_str());
    subdatasets_.AddNameValue((prefix + "_DESC").c_str(), description.c_str());
  }

  /// To be called once, after the last subdataset: the list is copied whole, since it may be long.
  void Finish() { SetMetadata(subdatasets_.List(), "SUBDATASETS"); }

 private:
  int count_ = 0;
  CPLStringList subdatasets_;
};

std::unique_ptr<GDALDataset> OpenArrayAsRaster(const std::shared_ptr<NodeContext>& context, const std::string& path,
                                               const OpenRequest& request) {
  return std::make_unique<RasterDataset>(context, MDArray::Make(context, path), context->OpenArray(path),
                                         request.options, request.name.indices);
}

std::string SubdatasetName(const OpenRequest& request, const NodeContext& context, const std::string& path) {
  return ArrayDatasetName(request.name.store, path.empty() ? context.root_array_name() : path);
}

/// "[540x1080] /relief (Int16)".
std::string SubdatasetDescription(const NodeContext& context, const FoundArray& found) {
  std::string text = "[";
  for (std::size_t i = 0; i < found.summary.shape.size(); ++i) {
    text += (i > 0 ? "x" : "") + std::to_string(found.summary.shape[i]);
  }
  return text + "] /" + (found.path.empty() ? context.root_array_name() : found.path) + " (" + found.type_name + ")";
}

void CopyAttributes(const GDALGroup& group, GDALDataset* dataset) {
  for (const auto& attribute : group.GetAttributes()) {
    dataset->SetMetadataItem(attribute->GetName().c_str(), AttributeText(*attribute).c_str());
  }
}

std::unique_ptr<GDALDataset> ListArrays(const std::shared_ptr<NodeContext>& context, const std::string& group,
                                        const std::vector<FoundArray>& arrays, const OpenRequest& request) {
  auto dataset = std::make_unique<ContainerDataset>();
  for (const FoundArray& found : arrays) {
    if (!request.options.list_all_arrays && !CanBeMain(found)) continue;
    dataset->AddSubdataset(SubdatasetName(request, *context, found.path), SubdatasetDescription(*context, found));
  }
  dataset->Finish();
  CopyAttributes(*Group::Make(context, group), dataset.get());
  return dataset;
}

/// MULTIBAND=NO: each slice of an array of more than two dimensions is a subdataset.
std::unique_ptr<GDALDataset> ListSlices(const std::shared_ptr<NodeContext>& context, const std::string& path,
                                        const OpenRequest& request) {
  const auto md_array = MDArray::Make(context, path);
  const RasterView view(*md_array, context->hierarchy(), context->OpenArray(path), request.options, {});
  auto dataset = std::make_unique<ContainerDataset>();
  const auto& dimensions = md_array->GetDimensions();
  for (int slice = 0; slice < view.band_count(); ++slice) {
    const std::vector<std::uint64_t> indices = view.BandIndices(slice);
    std::string name = SubdatasetName(request, *context, path);
    std::string description = "Array /" + (path.empty() ? context->root_array_name() : path) + " at";
    for (std::size_t i = 0; i < indices.size(); ++i) {
      name += ":" + std::to_string(indices[i]);
      description += (i > 0 ? "," : "") + std::string(" index ") + std::to_string(indices[i]) + " of " +
                     dimensions[view.band_dimensions()[i]]->GetName();
    }
    dataset->AddSubdataset(name, description);
  }
  dataset->Finish();
  return dataset;
}

bool WantsSlices(const std::shared_ptr<NodeContext>& context, const std::string& path, const OpenRequest& request) {
  return !request.options.multiband && request.name.indices.empty() && context->OpenArray(path)->rank() > 2;
}

std::unique_ptr<GDALDataset> OpenPath(const std::shared_ptr<NodeContext>& context, const std::string& path,
                                      const OpenRequest& request) {
  if (WantsSlices(context, path, request)) return ListSlices(context, path, request);
  return OpenArrayAsRaster(context, path, request);
}

/// The array or group that the dataset's name gives.
std::unique_ptr<GDALDataset> OpenNamed(const std::shared_ptr<NodeContext>& context, const OpenRequest& request) {
  const std::string& name = *request.name.array;
  const bool is_root_array =
      !context->root_array_name().empty() && (name.empty() || name == context->root_array_name());
  const std::string path = is_root_array ? "" : name;
  if (!is_root_array && context->hierarchy().Probe(path) == zarr::NodeKind::kGroup) {
    return ListArrays(context, path, FindArrays(*context, path), request);
  }
  return OpenPath(context, path, request);
}

std::unique_ptr<GDALDataset> OpenUnnamed(const std::shared_ptr<NodeContext>& context, const OpenRequest& request) {
  const std::vector<FoundArray> arrays = FindArrays(*context, "");
  if (!request.options.list_all_arrays) {
    if (const FoundArray* main = MainArray(*context, arrays)) return OpenPath(context, main->path, request);
  }
  return ListArrays(context, "", arrays, request);
}

}  // namespace

GDALDataset* OpenRaster(const OpenRequest& request, std::shared_ptr<zarr::Hierarchy> hierarchy, GDALOpenInfo* info) {
  const auto context = std::make_shared<NodeContext>(std::move(hierarchy), request.options);
  auto dataset = request.name.array ? OpenNamed(context, request) : OpenUnnamed(context, request);
  dataset->SetDescription(info->pszFilename);
  return dataset.release();
}

}  // namespace gdal_zarr
