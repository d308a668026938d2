// SPDX-License-Identifier: MIT
#include "driver/create/creation_request.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "driver/create/bands/new_coordinates.h"
#include "driver/dataset/shared_resource.h"
#include "driver/gdal/dataset_name.h"
#include "driver/gdal/repository_name.h"
#include "driver/georeferencing/georeferencing_writer.h"
#include "driver/new_array/array_metadata_builder.h"
#include "driver/raster/raster_view.h"
#include "driver/stores/icechunk/open_repository.h"
#include "driver/stores/vsi/vsi_store.h"
#include "zarrlib/store/memory_store.h"

namespace gdal_zarr {
namespace {

using zarr::ZarrFormat;

struct Layout {
  std::vector<NewDimension> dimensions;
  std::vector<std::uint64_t> default_chunk;
};

/// Lists the dimensions that are spread over the bands of an array: a single band has only those that its metadata
/// name.
std::vector<NewDimension> ListBandDimensions(const CreationRequest& request) {
  const bool is_plane = request.bands == 1 || !request.options.GetBoolean("SINGLE_ARRAY");
  std::vector<NewDimension> dimensions;
  if (!request.keeps_band_dimensions()) {
    if (!is_plane) dimensions.push_back({"Band", static_cast<std::uint64_t>(request.bands)});
    return dimensions;
  }
  for (const BandDimension& dimension : request.band_dimensions) dimensions.push_back({dimension.name, dimension.size});
  return dimensions;
}

/// Lists Y and X, under the names that they have in the source of a copy if these are free.
std::vector<NewDimension> ListPlane(const CreationRequest& request, const std::vector<NewDimension>& bands) {
  const auto is_free = [&](const std::string& name) {
    return name != request.array_name() && std::ranges::find(bands, name, &NewDimension::name) == bands.end();
  };
  PlaneNames names = request.plane_names;
  if (!is_free(names.x) || !is_free(names.y)) names = PlaneNames();
  return {{names.y, static_cast<std::uint64_t>(request.height), "Y"},
          {names.x, static_cast<std::uint64_t>(request.width), "X"}};
}

/// Chooses the dimensions of an array that contains all bands.
Layout ChooseLayout(const CreationRequest& request) {
  const std::vector<NewDimension> bands = ListBandDimensions(request);
  const std::vector<NewDimension> plane = ListPlane(request, bands);
  Layout layout{plane, {}};
  const bool bands_last = request.pixel_interleaved();
  layout.dimensions.insert(bands_last ? layout.dimensions.end() : layout.dimensions.begin(), bands.begin(),
                           bands.end());
  layout.default_chunk = ChooseDefaultChunk(layout.dimensions);
  if (bands_last && !bands.empty()) {
    layout.default_chunk = ChooseDefaultChunk(plane);
    for (const NewDimension& band : bands) layout.default_chunk.push_back(band.size);
  }
  return layout;
}

using Lengths = std::map<std::string, std::uint64_t>;

/// Returns the lengths of the dimensions of arrays at the store's root.
Lengths GetLengthsOfDimensions(SharedResource& resource) {
  Lengths lengths;
  for (const zarr::Hierarchy::Child& child : resource.hierarchy().List("")) {
    const auto array = child.kind == zarr::NodeKind::kArray ? resource.finder().FindArray(child.name) : nullptr;
    if (!array || array->metadata().dimension_names.size() != array->rank()) continue;
    for (std::size_t i = 0; i < array->rank(); ++i) {
      if (const auto& name = array->metadata().dimension_names[i]) lengths.emplace(*name, array->shape()[i]);
    }
  }
  return lengths;
}

bool IsOfPlane(const NewDimension& dimension) {
  return !dimension.usual_name.empty();
}

/// Returns the source's dimension, or one without coordinates for bands that it does not count.
BandDimension FindSource(const CreationRequest& request, const NewDimension& dimension) {
  const auto band = std::ranges::find(request.band_dimensions, dimension.name, &BandDimension::name);
  if (band != request.band_dimensions.end()) return *band;
  BandDimension uncounted;
  uncounted.name = dimension.name;
  uncounted.size = dimension.size;
  return uncounted;
}

/// Names of dimensions of an array that its other dimensions cannot get.
using TakenNames = std::set<std::string>;

/// Chooses a name for a dimension spread over the bands: its own, or one that begins with the array's, if arrays with
/// that dimension, or its coordinates, say something else. Arrays that have a dimension without coordinates say that
/// there are none.
std::string ChooseBandName(const CreationRequest& request, const NewDimension& dimension, const Lengths& lengths,
                           const TakenNames& taken, SharedResource& resource) {
  BandDimension band = FindSource(request, dimension);
  const auto is_free = [&] {
    if (band.name == request.array_name() || taken.contains(band.name)) return false;
    const auto known = lengths.find(band.name);
    if (known == lengths.end()) return !HasOtherCoordinates(resource, band);
    const bool are_missing = band.has_coordinates() && !resource.hierarchy().Probe(band.name);
    return known->second == dimension.size && !are_missing && !HasOtherCoordinates(resource, band);
  };
  const std::string own = request.array_name() + "_" + dimension.name;
  if (!is_free()) band.name = own;
  for (int number = 2; !is_free(); ++number) band.name = own + "_" + std::to_string(number);
  return band.name;
}

/// Returns the end of the names that begin with the array's and that Y and X can get: "", or a number.
std::string ChoosePlaneEnd(const CreationRequest& request, const Layout& layout, const TakenNames& taken,
                           const Lengths& lengths, SharedResource& resource) {
  std::string end;
  const auto is_free = [&](const NewDimension& dimension) {
    const std::string name = request.array_name() + "_" + dimension.name + end;
    const auto known = lengths.find(name);
    const bool differs = known != lengths.end() && known->second != dimension.size;
    return !IsOfPlane(dimension) || !(taken.contains(name) || differs || resource.finder().FindArray(name));
  };
  for (int number = 2; !std::ranges::all_of(layout.dimensions, is_free); ++number) end = "_" + std::to_string(number);
  return end;
}

void RenamePlane(const CreationRequest& request, const Lengths& lengths, SharedResource& resource, Layout* layout) {
  TakenNames bands;
  for (const NewDimension& dimension : layout->dimensions) {
    if (!IsOfPlane(dimension)) bands.insert(dimension.name);
  }
  const std::string end = ChoosePlaneEnd(request, *layout, bands, lengths, resource);
  for (NewDimension& dimension : layout->dimensions) {
    if (IsOfPlane(dimension)) dimension.name = request.array_name() + "_" + dimension.name + end;
  }
}

/// Chooses the dimensions in a store with existing arrays. A dimension gets another name if an array has that one with
/// another length. Plane dimensions also do so if there are coordinates of these names, because a new array has no
/// geotransform yet that could match them.
Layout ChooseLayout(const CreationRequest& request, SharedResource& resource) {
  Layout layout = ChooseLayout(request);
  const Lengths lengths = GetLengthsOfDimensions(resource);
  const bool elsewhere = std::ranges::any_of(layout.dimensions, [&](const NewDimension& dimension) {
    const auto known = lengths.find(dimension.name);
    const bool differs = known != lengths.end() && known->second != dimension.size;
    return IsOfPlane(dimension) && (differs || resource.finder().FindArray(dimension.name));
  });
  if (elsewhere) RenamePlane(request, lengths, resource, &layout);
  for (NewDimension& dimension : layout.dimensions) {
    if (IsOfPlane(dimension)) continue;
    TakenNames others;
    for (const NewDimension& other : layout.dimensions) {
      if (&other != &dimension) others.insert(other.name);
    }
    const std::string name = ChooseBandName(request, dimension, lengths, others, resource);
    if (name != dimension.name) dimension.usual_name = std::exchange(dimension.name, name);
  }
  return layout;
}

/// Returns the band dimensions of the layout, under its names.
std::vector<BandDimension> ListCoordinates(const CreationRequest& request, const Layout& layout) {
  if (!request.keeps_band_dimensions()) return {};
  std::vector<BandDimension> dimensions = request.band_dimensions;
  const std::size_t first = request.pixel_interleaved() ? 2 : 0;
  for (std::size_t i = 0; i < dimensions.size(); ++i) dimensions[i].name = layout.dimensions[first + i].name;
  return dimensions;
}

std::map<std::string, std::string> ListRenamed(const CreationRequest& request, const RequestedArrays& arrays) {
  std::map<std::string, std::string> renamed;
  for (std::size_t i = 0; i < arrays.band_dimensions.size(); ++i) {
    const std::string& name = request.band_dimensions[i].name;
    if (arrays.band_dimensions[i].name != name) renamed[name] = arrays.band_dimensions[i].name;
  }
  return renamed;
}

std::vector<std::string> GetPaths(const CreationRequest& request) {
  if (request.is_root_array()) return {""};
  if (request.options.GetBoolean("SINGLE_ARRAY")) return {request.array_name()};
  std::vector<std::string> paths;
  for (int band = 1; band <= request.bands; ++band) {
    paths.push_back(request.array_name() + "_band" + std::to_string(band));
  }
  return paths;
}

std::optional<std::string> FindTaken(const std::vector<std::string>& paths, SharedResource& resource) {
  const auto taken = std::ranges::find_if(
      paths, [&](const std::string& path) { return resource.hierarchy().Probe(path).has_value(); });
  return taken == paths.end() ? std::nullopt : std::optional(*taken);
}

/// Adds a number to the name of the array if there is a node of that name.
CreationRequest WithFreeName(CreationRequest request, SharedResource& resource) {
  const std::string name = request.array_name();
  for (int number = 2; FindTaken(GetPaths(request), resource); ++number) {
    request.default_name = name + "_" + std::to_string(number);
  }
  return request;
}

/// Creates an array in memory, to detect errors in names, chunks and codecs before the store is changed.
void Rehearse(const CreationRequest& request, const std::string& path, const zarr::ArrayMetadata& metadata) {
  auto store = std::make_shared<zarr::MemoryStore>(request.store);
  std::shared_ptr<const zarr::Array> array;
  if (request.is_root_array()) {
    array = zarr::EditableHierarchy::CreateRootArray(std::move(store), metadata)->OpenArray("");
  } else {
    const auto hierarchy = zarr::EditableHierarchy::Create(std::move(store), metadata.zarr_format);
    array = hierarchy->CreateArray(path, metadata);
  }
  // Such an array could be created, but neither written nor read.
  if (array->unsupported()) throw *array->unsupported();
}

RequestedArrays MakeArrays(const CreationRequest& request, const Layout& layout, ZarrFormat format) {
  RequestedArrays arrays{GetPaths(request), {}, ListCoordinates(request, layout)};
  arrays.renamed = ListRenamed(request, arrays);
  std::map<GDALDataType, zarr::ArrayMetadata> made;
  for (std::size_t i = 0; i < arrays.paths.size(); ++i) {
    const GDALDataType type = request.band_types.empty() ? request.type : request.band_types.at(i);
    if (!made.contains(type)) {
      made[type] = MakeArrayMetadata(format, layout.dimensions, GDALExtendedDataType::Create(type), request.options,
                                     layout.default_chunk);
      Rehearse(request, arrays.paths[i], made[type]);
    }
    arrays.metadata.push_back(made[type]);
  }
  return arrays;
}

}  // namespace

std::string CreationRequest::array_name() const {
  std::string name = options.GetText("ARRAY_NAME");
  if (!name.empty()) return name;
  return default_name.empty() ? GetBaseName(store) : default_name;
}

bool CreationRequest::keeps_band_dimensions() const {
  // Slices that are added one by one share the dimensions of the plane; as bands they can be shown together.
  if (bands == 1 && options.GetBoolean("APPEND_SUBDATASET")) return false;
  std::uint64_t count = 1;
  for (const BandDimension& dimension : band_dimensions) {
    count *= dimension.size;
    if (dimension.name == array_name()) return false;
  }
  const bool has_format = options.format() != ZarrFormat::kV1 && options.GetBoolean("SINGLE_ARRAY");
  // Edges along "Band" require one dimension for all bands.
  const bool names_band = options.GetText("CHUNK_EDGES").find("Band:") != std::string::npos;
  return has_format && !names_band && !band_dimensions.empty() && count == static_cast<std::uint64_t>(bands);
}

bool CreationRequest::pixel_interleaved() const {
  return bands > 1 && options.GetText("INTERLEAVE") == "PIXEL" && options.format() != ZarrFormat::kV1;
}

bool CreationRequest::is_root_array() const {
  return options.format() == ZarrFormat::kV1 && !options.GetBoolean("APPEND_SUBDATASET");
}

std::string FindStoreToWrite(const char* name, bool appends) {
  DatasetName parsed = ParseDatasetName(name);
  // In a remote store, a new store is not created in a folder with content either.
  const bool is_repository = !LeadsToNetwork(parsed.store) && HoldsRepository(parsed.store);
  if ((NamesRepository(parsed.store) || is_repository) && !appends) {
    throw zarr::Error(zarr::ErrorKind::kUnsupported,
                      std::string(name) +
                          ": this names an Icechunk repository, which has its history and is not "
                          "replaced; add an array to it with APPEND_SUBDATASET=YES");
  }
  if (is_repository) parsed.store = MakeRepositoryName(parsed.store, "");
  if (!parsed.array) return std::move(parsed.store);
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument, std::string(name) +
                                                           ": expected the name of a store: " + parsed.store +
                                                           ", with the creation option ARRAY_NAME=" + *parsed.array +
                                                           ", and APPEND_SUBDATASET=YES if the store is there already");
}

void CheckRequest(const CreationRequest& request) {
  const CreationOptions& options = request.options;
  if (options.GetBoolean("CONVERT_TO_KERCHUNK_PARQUET_REFERENCE")) {
    FailOption("CONVERT_TO_KERCHUNK_PARQUET_REFERENCE", "NO: this is not supported", "YES");
  }
  if (request.width < 1 || request.height < 1) {
    throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                      zarr::FormatExpectedGot("at least one column and row",
                                              std::to_string(request.width) + " x " + std::to_string(request.height)));
  }
  if (options.format() == ZarrFormat::kV1 && options.GetText("INTERLEAVE") == "PIXEL") {
    // GDAL passes on the source's interleaving, so the user may not have set it.
    CPLDebug("Zarr", "INTERLEAVE=PIXEL is not possible in v1; bands are written one after the other");
  }
  if (options.format() == ZarrFormat::kV1 && !options.GetBoolean("SINGLE_ARRAY")) {
    FailOption("SINGLE_ARRAY", "YES (a store of v1 is one array)", "NO");
  }
  const std::uint64_t most = GetMaxBands();
  const bool too_many = options.GetBoolean("SINGLE_ARRAY") && static_cast<std::uint64_t>(request.bands) > most;
  if (request.bands < 1 || too_many) {
    throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                      zarr::FormatExpectedGot("at least one band and at most " + std::to_string(most) + " in an array",
                                              std::to_string(request.bands)));
  }
  ParseConventions(options.GetText("GEOREFERENCING_CONVENTION"));
}

RequestedArrays MakeRequestedArrays(const CreationRequest& request) {
  return MakeArrays(request, ChooseLayout(request), request.options.format());
}

RequestedArrays MakeRequestedArrays(const CreationRequest& request, SharedResource& resource) {
  const auto absent = resource.hierarchy().RememberAbsent();  // several checks go through all nodes
  const CreationRequest named = request.options.Has("ARRAY_NAME") ? request : WithFreeName(request, resource);
  RequestedArrays arrays = MakeArrays(named, ChooseLayout(named, resource), resource.hierarchy().format());
  if (const auto taken = FindTaken(arrays.paths, resource)) {
    throw zarr::Error(zarr::ErrorKind::kInvalidArgument, request.store, *taken, "",
                      "there is a node at this path already");
  }
  return arrays;
}

}  // namespace gdal_zarr
