// SPDX-License-Identifier: MIT
#include "driver/create/source_edges.h"

#include <string>

#include "driver/new_array/chunk_edges.h"
#include "driver/new_array/creation_options.h"
#include "driver/raster/raster_dataset.h"
#include "zarrlib/array/array.h"

namespace gdal_zarr {
namespace {

/// Returns the copy's names of the dimensions that are spread over the bands.
std::vector<std::string> ListBandNames(const RasterView& view, const CreationRequest& request) {
  const std::vector<BandDimension>& dimensions = request.band_dimensions;
  if (!request.keeps_band_dimensions() || dimensions.size() != view.ListOtherDimensions().size()) return {"Band"};
  std::vector<std::string> names;
  // The edges of those of length 1 do not matter.
  for (const BandDimension& dimension : dimensions) {
    if (dimension.size > 1) names.push_back(dimension.name);
  }
  return names;
}

/// Returns the dimensions of the array that are spread over the bands, without those of length 1.
std::vector<std::size_t> ListCounted(const RasterView& view) {
  std::vector<std::size_t> counted = view.band_dimensions();
  std::erase_if(counted, [&](std::size_t dimension) { return view.array().shape()[dimension] == 1; });
  return counted;
}

/// Returns the chunk edges for the dimensions of the copy, or "" for a regular grid. Copies of single bands have only
/// rows and columns.
std::string ListEdges(const RasterView& view, const CreationRequest& request) {
  const zarr::ChunkGrid& grid = view.array().metadata().chunk_grid;
  if (grid.kind() != zarr::ChunkGrid::Kind::kRectilinear) return "";
  std::string edges = "X:" + FormatEdges(grid.axis(view.x_dimension()));
  if (view.y_dimension() < grid.rank()) edges = "Y:" + FormatEdges(grid.axis(view.y_dimension())) + ";" + edges;
  if (!request.options.GetBoolean("SINGLE_ARRAY")) return edges;
  const std::vector<std::string> names = ListBandNames(view, request);
  const std::vector<std::size_t> counted = ListCounted(view);
  if (names.size() != counted.size()) return edges;
  for (std::size_t i = 0; i < counted.size(); ++i) edges += ";" + names[i] + ":" + FormatEdges(grid.axis(counted[i]));
  return edges;
}

/// Returns the lengths of chunks along the dimensions for the bands, which come first in the copy, each with a comma;
/// "" for lengths of 1.
std::string ListBandLengths(const RasterView& view, const zarr::Shape& chunk, const CreationRequest& request) {
  const std::vector<std::size_t> counted = ListCounted(view);
  const bool are_first = !request.pixel_interleaved() && request.options.GetBoolean("SINGLE_ARRAY");
  if (!are_first || ListBandNames(view, request).size() != counted.size()) return "";
  if (!request.keeps_band_dimensions()) return counted.size() == 1 ? std::to_string(chunk[counted.front()]) + "," : "";
  std::string lengths;
  std::size_t next = 0;
  for (const BandDimension& dimension : request.band_dimensions)
    lengths += (dimension.size > 1 ? std::to_string(chunk[counted[next++]]) : "1") + ",";
  return lengths;
}

/// Returns the BLOCKSIZE of a copy with the chunks of a regular grid.
std::string ListChunkShape(const RasterView& view, const CreationRequest& request) {
  const zarr::Shape chunk = zarr::GetSmallestChunkShape(view.array());
  const std::string height = view.y_dimension() < chunk.size() ? std::to_string(chunk[view.y_dimension()]) : "1";
  return ListBandLengths(view, chunk, request) + height + "," + std::to_string(chunk[view.x_dimension()]);
}

std::string ListBlockSize(GDALDataset& source) {
  int width = 0;
  int height = 0;
  source.GetRasterBand(1)->GetBlockSize(&width, &height);
  return std::to_string(height) + "," + std::to_string(width);
}

}  // namespace

CPLStringList ExpandSourcePlan(CSLConstList options, GDALDataset& source, const CreationRequest& request) {
  CPLStringList expanded(CSLDuplicate(const_cast<char**>(options)));
  if (!IsSourcePlan(expanded.FetchNameValue(kChunkEdges)) || source.GetRasterCount() == 0) return expanded;
  if (const char* chunk = expanded.FetchNameValue("BLOCKSIZE"))
    FailOption("BLOCKSIZE", "nothing, since CHUNK_EDGES is SOURCE", chunk);
  const auto* own = AsRasterDataset(&source);
  const std::string edges = own ? ListEdges(own->parts().view, request) : "";
  expanded.SetNameValue(kChunkEdges, edges.empty() ? nullptr : edges.c_str());
  if (!edges.empty()) return expanded;
  const std::string chunk = own ? ListChunkShape(own->parts().view, request) : ListBlockSize(source);
  expanded.SetNameValue("BLOCKSIZE", chunk.c_str());
  return expanded;
}

}  // namespace gdal_zarr
