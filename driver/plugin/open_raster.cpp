// SPDX-License-Identifier: MIT
#include "driver/plugin/open_raster.h"

#include <algorithm>
#include <utility>

#include "driver/gdal/gdal_error.h"
#include "driver/gdal/selection.h"
#include "driver/multidim/attribute.h"
#include "driver/multidim/group.h"
#include "driver/multidim/md_array.h"
#include "driver/plugin/array_catalog.h"
#include "driver/plugin/band_stack_candidates.h"
#include "driver/plugin/container_dataset.h"
#include "driver/raster/band_stack.h"
#include "driver/raster/raster_dataset.h"

namespace gdal_zarr {
namespace {

/// The list of subdatasets. It is set as a whole, because adding metadata item by item is slow.
class SubdatasetList {
 public:
  void Add(const std::string& name, const std::string& description) {
    const std::string prefix = "SUBDATASET_" + std::to_string(++count_);
    subdatasets_.AddNameValue((prefix + "_NAME").c_str(), name.c_str());
    subdatasets_.AddNameValue((prefix + "_DESC").c_str(), description.c_str());
  }

  const CPLStringList& items() const { return subdatasets_; }
  void PutInto(GDALDataset* dataset) const {
    if (count_ > 0) dataset->GDALDataset::SetMetadata(CPLStringList(subdatasets_).List(), "SUBDATASETS");
  }

 private:
  int count_ = 0;
  CPLStringList subdatasets_;
};

SliceRequest MakeSlice(const SharedResource& resource, const OpenRequest& request) {
  SliceRequest slice{request.name.indices, {}, !resource.writable()};
  for (const std::string* selection : {&request.name.selection, &request.options.select}) {
    if (selection->empty()) continue;
    const std::vector<Selector> selectors = ParseSelection(*selection);
    slice.selectors.insert(slice.selectors.end(), selectors.begin(), selectors.end());
  }
  return slice;
}

/// Rejects a selection if several arrays are listed.
void CheckNothingIsSelectedInList(const OpenRequest& request) {
  const std::string& selection = request.options.select.empty() ? request.name.selection : request.options.select;
  if (selection.empty()) return;
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument, request.name.store + ": selection \"" + selection +
                                                           "\": there are several arrays; name one, as in " +
                                                           MakeArrayDatasetName(request.name.store, "<array>"));
}

std::unique_ptr<RasterDataset> OpenArrayAsRaster(const std::shared_ptr<SharedResource>& resource,
                                                 const std::string& path, const OpenRequest& request) {
  auto dataset =
      std::make_unique<RasterDataset>(resource, MDArray::Make(resource, path), resource->hierarchy().OpenArray(path),
                                      request.options, MakeSlice(*resource, request));
  if (resource->writable()) {
    dataset->EnableUpdate();
    dataset->RefreshOverviewsAtClose();
  }
  return dataset;
}

std::string MakeSubdatasetName(const OpenRequest& request, const SharedResource& resource, const std::string& path) {
  return MakeArrayDatasetName(request.name.store, path.empty() ? resource.root_array_name() : path);
}

/// Returns a description such as "[540x1080] /relief (Int16)".
std::string MakeSubdatasetDescription(const SharedResource& resource, const FoundArray& found) {
  if (found.failure) return "/" + found.path + " (cannot be opened)";
  std::string text = "[";
  for (std::size_t i = 0; i < found.summary.shape.size(); ++i) {
    text += (i > 0 ? "x" : "") + std::to_string(found.summary.shape[i]);
  }
  return text + "] /" + (found.path.empty() ? resource.root_array_name() : found.path) + " (" + found.type_name + ")";
}

/// Not by the dataset's own function: a stack of bands would set them on each array.
void CopyAttributes(const GDALGroup& group, GDALDataset* dataset) {
  for (const auto& attribute : CallThrough([&] { return group.GetAttributes(); })) {
    dataset->GDALDataset::SetMetadataItem(attribute->GetName().c_str(), GetAttributeText(*attribute).c_str());
  }
}

std::unique_ptr<GDALDataset> ListArrays(const std::shared_ptr<SharedResource>& resource, const std::string& group,
                                        const std::vector<FoundArray>& arrays, const OpenRequest& request) {
  CheckNothingIsSelectedInList(request);
  auto dataset = std::make_unique<ContainerDataset>(resource);
  SubdatasetList list;
  for (const FoundArray& found : arrays) {
    if (!request.options.list_all_arrays && !MayBeMain(found)) continue;
    list.Add(MakeSubdatasetName(request, *resource, found.path), MakeSubdatasetDescription(*resource, found));
  }
  list.PutInto(dataset.get());
  CopyAttributes(*Group::Make(resource, group), dataset.get());
  return dataset;
}

bool Contains(const std::vector<std::string>& paths, const std::string& path) {
  return std::find(paths.begin(), paths.end(), path) != paths.end();
}

/// Returns true if a list names an array in addition to a band stack: other arrays, but not other levels of the stack's
/// arrays.
bool IsBesideStack(const FoundArray& found, const BandStackCandidate& candidate) {
  const auto same_name = [&](const std::string& path) { return GetNodeName(path) == GetNodeName(found.path); };
  return MayBeMain(found) && std::none_of(candidate.paths.begin(), candidate.paths.end(), same_name);
}

std::unique_ptr<GDALDataset> OpenStack(const std::shared_ptr<SharedResource>& resource,
                                       const BandStackCandidate& candidate, const std::vector<FoundArray>& arrays,
                                       const OpenRequest& request) {
  // Keeps the coordinate arrays open, so that their chunks stay in the cache.
  std::vector<std::shared_ptr<GDALMDArray>> coordinates;
  const auto first = MDArray::Make(resource, candidate.paths[0]);
  for (const auto& dimension : first->GetDimensions()) {
    coordinates.push_back(dimension->GetIndexingVariable());
  }
  std::vector<BandStack::Member> members;
  for (const std::string& path : candidate.paths) {
    members.push_back({GetNodeName(path), OpenArrayAsRaster(resource, path, request)});
    BandStack::CheckBandCount(members);
  }
  auto stack = std::make_unique<BandStack>(std::move(members));
  if (resource->writable()) stack->EnableUpdate();
  SubdatasetList others;
  for (const FoundArray& found : arrays) {
    if (!IsBesideStack(found, candidate)) continue;
    others.Add(MakeSubdatasetName(request, *resource, found.path), MakeSubdatasetDescription(*resource, found));
  }
  others.PutInto(stack.get());
  CopyAttributes(*Group::Make(resource, candidate.group), stack.get());
  return stack;
}

/// Opens the stack for ALIKE_ARRAYS_AS_BANDS if only one group has one. Otherwise creates a list in which each stack
/// replaces its arrays. Returns null if there is no stack.
std::unique_ptr<GDALDataset> OpenBandStack(const std::shared_ptr<SharedResource>& resource, const std::string& group,
                                           const std::vector<FoundArray>& arrays, const OpenRequest& request) {
  const std::vector<BandStackCandidate> sets = FindBandStackCandidates(*resource, arrays);
  for (const BandStackCandidate& candidate : sets) {
    if (sets.size() == 1 || (candidate.group == group && request.name.array)) {
      return OpenStack(resource, candidate, arrays, request);
    }
  }
  if (sets.empty()) return nullptr;
  CheckNothingIsSelectedInList(request);
  auto dataset = std::make_unique<ContainerDataset>(resource);
  SubdatasetList list;
  std::vector<std::string> stacked;
  for (const BandStackCandidate& candidate : sets) {
    list.Add(MakeSubdatasetName(request, *resource, candidate.group),
             "[" + std::to_string(candidate.paths.size()) + " arrays] /" + candidate.group);
    stacked.insert(stacked.end(), candidate.paths.begin(), candidate.paths.end());
  }
  for (const FoundArray& found : arrays) {
    if (!MayBeMain(found) || Contains(stacked, found.path)) continue;
    list.Add(MakeSubdatasetName(request, *resource, found.path), MakeSubdatasetDescription(*resource, found));
  }
  list.PutInto(dataset.get());
  CopyAttributes(*Group::Make(resource, group), dataset.get());
  return dataset;
}

/// Lists the slices of an array of more than two dimensions as subdatasets, for MULTIBAND=NO. Returns null if selectors
/// leave a single slice.
std::unique_ptr<GDALDataset> ListSlices(const std::shared_ptr<SharedResource>& resource, const std::string& path,
                                        const OpenRequest& request) {
  const auto md_array = MDArray::Make(resource, path);
  const SliceRequest all = MakeSlice(*resource, request);
  const RasterView view(*md_array, *resource, resource->hierarchy().OpenArray(path), request.options, all);
  if (view.band_dimensions().empty()) return nullptr;
  SubdatasetList list;
  const auto& dimensions = md_array->GetDimensions();
  const std::vector<std::size_t> others = view.ListOtherDimensions();
  for (int slice = 0; slice < view.band_count(); ++slice) {
    const std::vector<std::uint64_t> indices = view.GetOtherIndices(slice);
    std::string name = MakeSubdatasetName(request, *resource, path);
    std::string description = "Array /" + (path.empty() ? resource->root_array_name() : path) + " at";
    for (std::size_t i = 0; i < indices.size(); ++i) {
      name += ":" + std::to_string(indices[i]);
      description += (i > 0 ? "," : "") + std::string(" index ") + std::to_string(indices[i]) + " of " +
                     dimensions[others[i]]->GetName();
    }
    list.Add(name, description);
  }
  auto dataset = std::make_unique<ContainerDataset>(resource);
  list.PutInto(dataset.get());
  return dataset;
}

bool WantsSlices(const std::shared_ptr<SharedResource>& resource, const std::string& path, const OpenRequest& request) {
  return !request.options.multiband && request.name.indices.empty() &&
         resource->hierarchy().OpenArray(path)->rank() > 2;
}

std::unique_ptr<GDALDataset> OpenPath(const std::shared_ptr<SharedResource>& resource, const std::string& path,
                                      const OpenRequest& request) {
  if (WantsSlices(resource, path, request)) {
    if (auto list = ListSlices(resource, path, request)) return list;
  }
  return OpenArrayAsRaster(resource, path, request);
}

/// Treats text that looks like indices or a selection as a part of the array's name if the store has an array of that
/// name. Throws zarr::Error(invalid_argument) if the name may refer to two arrays.
OpenRequest ResolveColons(const SharedResource& resource, OpenRequest request) {
  DatasetName& name = request.name;
  const auto is_array = [&](const std::string& path) {
    return resource.hierarchy().ProbeListed(path) == zarr::NodeKind::kArray;
  };
  const auto is_named = [&](const std::string& longer) {
    if (!is_array(longer)) return false;
    if (!is_array(*name.array)) return true;
    throw zarr::Error(zarr::ErrorKind::kInvalidArgument, resource.hierarchy().store()->name(), longer, "",
                      "this may be the array \"/" + longer + "\", or a plane of the array \"/" + *name.array +
                          "\": put the array's path in quotes, as in " + MakeArrayDatasetName(name.store, longer));
  };
  if (!name.array_with_selection.empty() && zarr::IsKey(name.array_with_selection) &&
      is_named(name.array_with_selection)) {
    name.array = name.array_with_selection;
    name.selection.clear();
    name.indices.clear();
    return request;
  }
  std::string longer = name.array_with_indices;
  for (std::size_t count = name.indices.size(); count > 0 && !longer.empty(); --count) {
    if (is_named(longer)) {
      name.array = longer;
      name.indices.erase(name.indices.begin(), name.indices.begin() + static_cast<std::ptrdiff_t>(count));
      return request;
    }
    longer.resize(longer.rfind(':'));
  }
  return request;
}

/// Opens the array or group that the dataset's name specifies.
std::unique_ptr<GDALDataset> OpenNamed(const std::shared_ptr<SharedResource>& resource, const OpenRequest& given) {
  const OpenRequest request = ResolveColons(*resource, given);
  const std::string& name = *request.name.array;
  const bool is_root_array =
      !resource->root_array_name().empty() && (name.empty() || name == resource->root_array_name());
  const std::string path = is_root_array ? "" : name;
  if (!is_root_array && resource->hierarchy().Probe(path) == zarr::NodeKind::kGroup) {
    const std::vector<FoundArray> arrays = FindArrays(*resource, path);
    if (request.options.alike_arrays_as_bands) {
      if (auto dataset = OpenBandStack(resource, path, arrays, request)) return dataset;
    }
    return ListArrays(resource, path, arrays, request);
  }
  return OpenPath(resource, path, request);
}

/// Opens a group's main array. It is also listed as the group's only subdataset, for programs that open a store's
/// subdatasets.
std::unique_ptr<GDALDataset> OpenMain(const std::shared_ptr<SharedResource>& resource, const FoundArray& main,
                                      const OpenRequest& request) {
  auto dataset = OpenPath(resource, main.path, request);
  auto* raster = AsRasterDataset(dataset.get());
  if (!raster || main.path.empty()) return dataset;
  SubdatasetList list;
  list.Add(MakeSubdatasetName(request, *resource, main.path), MakeSubdatasetDescription(*resource, main));
  raster->SetSubdatasets(list.items());
  return dataset;
}

std::unique_ptr<GDALDataset> OpenUnnamed(const std::shared_ptr<SharedResource>& resource, const OpenRequest& request) {
  const std::vector<FoundArray> arrays = FindArrays(*resource, request.group);
  if (request.options.alike_arrays_as_bands) {
    if (auto dataset = OpenBandStack(resource, request.group, arrays, request)) return dataset;
  }
  if (!request.options.list_all_arrays) {
    if (const FoundArray* main = FindMainArray(*resource, arrays)) return OpenMain(resource, *main, request);
  }
  return ListArrays(resource, request.group, arrays, request);
}

}  // namespace

GDALDataset* OpenRaster(const OpenRequest& request, std::shared_ptr<zarr::Hierarchy> hierarchy, GDALOpenInfo* info) {
  const auto resource =
      std::make_shared<SharedResource>(std::move(hierarchy), request.options, info->eAccess == GA_Update);
  if (info->eAccess == GA_Update) resource->edits().saving.KeepExisting();
  auto dataset = request.name.array ? OpenNamed(resource, request) : OpenUnnamed(resource, request);
  dataset->SetDescription(info->pszFilename);
  auto* container = dynamic_cast<ContainerDataset*>(dataset.get());
  if (container && resource->writable()) container->EnableUpdate();
  return dataset.release();
}

}  // namespace gdal_zarr
