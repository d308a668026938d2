// SPDX-License-Identifier: MIT
#include "driver/new_array/array_metadata_builder.h"

#include <algorithm>
#include <set>
#include <utility>

#include "driver/io/io_options.h"
#include "driver/new_array/codec_list_builder.h"
#include "zarrlib/grid/chunk_grid.h"

namespace gdal_zarr {
namespace {

using zarr::ChunkAxis;
using zarr::ChunkGrid;
using zarr::JsonNode;
using zarr::Shape;
using zarr::ZarrFormat;

using Sizes = std::vector<std::uint64_t>;

Shape ToShape(const Sizes& sizes) {
  return Shape(std::span<const std::uint64_t>(sizes));
}

std::string Join(const Sizes& sizes) {
  std::string text;
  for (const std::uint64_t size : sizes) text += (text.empty() ? "" : ",") + std::to_string(size);
  return text;
}

/// The default lengths of chunks, and the position of the first of the two dimensions that have maps: the last two,
/// unless the bands of a raster go last.
struct DefaultLengths {
  const Sizes& chunk;
  std::ptrdiff_t plane;
};

std::ptrdiff_t FindPlane(const std::vector<NewDimension>& dimensions) {
  const auto y = std::ranges::find(dimensions, "Y", &NewDimension::usual_name);
  return y == dimensions.end() ? std::ssize(dimensions) - 2 : y - dimensions.begin();
}

/// Reads the sizes given by an option. Two sizes are for the dimensions of maps; the others come from `defaults`.
std::optional<Sizes> GetSizes(const CreationOptions& options, const char* name, const DefaultLengths& defaults) {
  const Sizes& otherwise = defaults.chunk;
  std::optional<Sizes> sizes = options.GetSizes(name);
  if (!sizes) return std::nullopt;
  if (sizes->size() == 2 && otherwise.size() > 2) {
    Sizes all = otherwise;
    std::copy(sizes->begin(), sizes->end(), all.begin() + defaults.plane);
    return all;
  }
  if (sizes->size() != otherwise.size()) {
    FailOption(name, "one length for each of " + std::to_string(otherwise.size()) + " dimensions", Join(*sizes));
  }
  return sizes;
}

void CheckDivides(const char* option, const Sizes& inner, const Sizes& outer) {
  for (std::size_t i = 0; i < inner.size(); ++i) {
    if (outer[i] % inner[i] == 0) continue;
    FailOption(option, "multiples of the inner chunk's lengths " + Join(inner), Join(outer));
  }
}

/// The lengths of chunks, and of inner chunks, if any.
struct ChunkLengths {
  Sizes outer;
  std::optional<Sizes> inner;
};

ChunkLengths GetLengths(const CreationOptions& options, const DefaultLengths& defaults) {
  const Sizes block = GetSizes(options, "BLOCKSIZE", defaults).value_or(defaults.chunk);
  const auto inner = GetSizes(options, "SHARD_CHUNK_SHAPE", defaults);
  const auto shard = GetSizes(options, "SHARD_SHAPE", defaults);
  if (inner && shard) FailOption("SHARD_SHAPE", "nothing beside SHARD_CHUNK_SHAPE", Join(*shard));
  if (inner && !options.Has("BLOCKSIZE")) {
    FailOption("SHARD_CHUNK_SHAPE", "BLOCKSIZE, the shape of a shard, to be given too", Join(*inner));
  }
  if (inner) {
    CheckDivides("BLOCKSIZE", *inner, block);
    return {block, inner};
  }
  if (!shard) return {block, std::nullopt};
  CheckDivides("SHARD_SHAPE", block, *shard);
  return {*shard, block};
}

/// Rejects chunks that are too large to be read.
void CheckChunkSize(const CreationOptions& options, const zarr::Shape& chunk, const zarr::DataType& type) {
  const ConfigurationHook hook;
  const std::uint64_t limit = MakeReadOptions(hook).max_chunk_bytes;
  const auto count = ComputeCheckedProduct(chunk);
  const auto size = count ? zarr::MultiplyChecked(*count, std::max<std::uint64_t>(type.size, 1)) : std::nullopt;
  if (size && *size <= limit) return;
  FailOption(options.Has("SHARD_CHUNK_SHAPE") ? "SHARD_CHUNK_SHAPE" : "BLOCKSIZE",
             "chunks of at most " + std::to_string(limit) + " bytes",
             ToString(chunk) + " elements of " + std::to_string(type.size) + " bytes");
}

// --- rectilinear grids ------------------------------------------------------------------------------------------

std::size_t FindDimension(const std::vector<NewDimension>& dimensions, const std::string& name) {
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    if (dimensions[i].name == name) return i;
  }
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    if (!name.empty() && dimensions[i].usual_name == name) return i;
  }
  FailOption("CHUNK_EDGES", "the name of a dimension", name);
}

/// Parses "31,28,31" or "[[512,7],300]"; a single number is the length of every chunk. `name` is the user's name of the
/// dimension.
ChunkAxis ParseAxis(const std::string& name, const std::string& text, const NewDimension& dimension) {
  const bool is_list = text.find(',') != std::string::npos && !text.starts_with('[');
  try {
    return ChunkAxis::FromJson(dimension.size, JsonNode::Parse(is_list ? "[" + text + "]" : text, "", ""));
  } catch (const zarr::Error& error) {
    throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                      "creation option CHUNK_EDGES: " + name + ": " + error.message() + ": " + text);
  }
}

ChunkGrid MakeRectilinearGrid(const std::string& edges, const std::vector<NewDimension>& dimensions,
                              const Sizes& regular) {
  std::vector<ChunkAxis> axes;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    axes.push_back(ChunkAxis::MakeRegular(dimensions[i].size, regular[i]));
  }
  const CPLStringList items(CSLTokenizeString2(edges.c_str(), ";", CSLT_STRIPLEADSPACES | CSLT_STRIPENDSPACES));
  std::set<std::size_t> seen;
  for (int i = 0; i < items.size(); ++i) {
    const std::string item = items[i];
    const std::size_t colon = item.rfind(':');
    if (colon == std::string::npos) FailOption("CHUNK_EDGES", "<dimension>:<edges>", item);
    const std::string name = item.substr(0, colon);
    const std::size_t axis = FindDimension(dimensions, name);
    if (!seen.insert(axis).second) FailOption("CHUNK_EDGES", "each dimension once", item);
    axes[axis] = ParseAxis(name, item.substr(colon + 1), dimensions[axis]);
  }
  return ChunkGrid(ChunkGrid::Kind::kRectilinear, std::move(axes));
}

ChunkGrid MakeGrid(const CreationOptions& options, const std::vector<NewDimension>& dimensions, const Sizes& chunk,
                   ZarrFormat format) {
  Shape shape;
  for (const NewDimension& dimension : dimensions) shape.push_back(dimension.size);
  if (!options.Has("CHUNK_EDGES")) return ChunkGrid::MakeRegular(shape, ToShape(chunk));
  if (format != ZarrFormat::kV3) FailOption("CHUNK_EDGES", "FORMAT=ZARR_V3", "another format");
  return MakeRectilinearGrid(options.GetText("CHUNK_EDGES"), dimensions, chunk);
}

zarr::ChunkKeyEncoding MakeKeyEncoding(const CreationOptions& options, ZarrFormat format) {
  using Kind = zarr::ChunkKeyEncoding::Kind;
  const std::string separator = options.GetText("DIM_SEPARATOR");
  if (!separator.empty() && separator != "." && separator != "/") FailOption("DIM_SEPARATOR", ". or /", separator);
  if (format == ZarrFormat::kV1) {
    if (separator == "/") FailOption("DIM_SEPARATOR", ". (the only one of v1)", separator);
    return {Kind::kV1, '.'};
  }
  const bool v3 = format == ZarrFormat::kV3;
  const char otherwise = v3 ? '/' : '.';
  return {v3 ? Kind::kDefault : Kind::kV2, separator.empty() ? otherwise : separator[0]};
}

}  // namespace

Sizes ChooseDefaultChunk(const std::vector<NewDimension>& dimensions) {
  constexpr std::uint64_t kEdge = 512;
  constexpr std::uint64_t kOnlyEdge = 1 << 20;
  Sizes chunk;
  const std::size_t rank = dimensions.size();
  for (std::size_t i = 0; i < rank; ++i) {
    const std::uint64_t edge = rank == 1 ? kOnlyEdge : i + 2 >= rank ? kEdge : 1;
    chunk.push_back(std::max<std::uint64_t>(1, std::min(edge, dimensions[i].size)));
  }
  return chunk;
}

zarr::ArrayMetadata MakeArrayMetadata(ZarrFormat format, const std::vector<NewDimension>& dimensions,
                                      const GDALExtendedDataType& type, const CreationOptions& options,
                                      const Sizes& default_chunk) {
  zarr::ArrayMetadata array;
  array.zarr_format = format;
  for (const NewDimension& dimension : dimensions) {
    array.shape.push_back(dimension.size);
    array.dimension_names.push_back(dimension.name.empty() ? std::nullopt : std::optional(dimension.name));
  }
  if (format == ZarrFormat::kV1) array.dimension_names.clear();  // v1 cannot store them
  array.data_type = MakeDataType(type, options, format);
  const ChunkLengths lengths = GetLengths(options, {default_chunk, FindPlane(dimensions)});
  array.chunk_grid = MakeGrid(options, dimensions, lengths.outer, format);
  CheckChunkSize(options, lengths.inner ? ToShape(*lengths.inner) : array.chunk_grid.max_chunk_shape(),
                 array.data_type);
  array.chunk_key_encoding = MakeKeyEncoding(options, format);
  array.fill_value = MakeZeroFill(array.data_type);
  array.codecs = MakeCodecs(options, array.data_type, dimensions.size(), format);
  array.implicit_bytes = true;
  if (lengths.inner) {
    if (format != ZarrFormat::kV3) FailOption("SHARD_SHAPE or SHARD_CHUNK_SHAPE", "FORMAT=ZARR_V3", "another format");
    array.codecs = {zarr::MakeShardingSpec(ToShape(*lengths.inner), array.codecs)};
  }
  return array;
}

}  // namespace gdal_zarr
