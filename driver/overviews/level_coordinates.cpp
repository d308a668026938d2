// SPDX-License-Identifier: MIT
#include "driver/overviews/level_coordinates.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/cf/unsigned_attribute.h"
#include "driver/dataset/attribute_names.h"
#include "driver/georeferencing/coordinates/regular_axis.h"
#include "driver/new_array/array_metadata_builder.h"
#include "driver/overviews/level_groups.h"
#include "driver/overviews/level_metadata.h"
#include "zarrlib/array/array_writer.h"
#include "zarrlib/hierarchy/editing/waiting_changes.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/codec_names.h"
#include "zarrlib/store/store_locks.h"

namespace gdal_zarr {
namespace {

using zarr::ArrayMetadata;
using zarr::JsonNode;
using ArrayPtr = std::shared_ptr<const zarr::Array>;
using Bytes = std::vector<std::byte>;

/// The coordinates along a dimension of the base, and the path of the level's coordinates.
struct LevelAxis {
  std::string name;
  ArrayPtr source;
  std::string path;
  std::uint64_t length = 0;            ///< The level's length.
  std::optional<RegularAxis> regular;  ///< The edges of the base's pixels, for a regular axis with fewer pixels.
};

/// Returns the coordinates of the base along a dimension. Strings, which have no fixed size, are left out.
std::optional<LevelAxis> FindAxis(const OverviewBase& base, const zarr::Array& level, std::size_t dimension) {
  const zarr::Array& array = base.array.array();
  const auto& names = array.metadata().dimension_names;
  if (dimension >= names.size() || !names[dimension] || !IsNodeName(*names[dimension])) return std::nullopt;
  const std::string path = zarr::JoinKey(base.group(), *names[dimension]);
  const ArrayPtr source = path == array.path() ? nullptr : base.resource().finder().FindArray(path);
  if (!source || source->rank() != 1 || source->shape()[0] != array.shape()[dimension]) return std::nullopt;
  if (source->data_type().variable() || source->unsupported()) return std::nullopt;
  LevelAxis axis{*names[dimension], source, zarr::JoinKey(GetParentPath(level.path()), *names[dimension]),
                 level.shape()[dimension], std::nullopt};
  if (axis.length != source->shape()[0]) {
    axis.regular = ReadPixelEdges(&base.array.OpenOther(path)->gdal_array(), nullptr);
  }
  return axis;
}

/// Returns metadata like the source's.
ArrayMetadata MakeLikeSource(const LevelAxis& axis) {
  ArrayMetadata metadata = axis.source->metadata();
  metadata.document = JsonNode();
  metadata.warnings.clear();
  metadata.shape = {axis.length};
  const bool sharded = std::any_of(metadata.codecs.begin(), metadata.codecs.end(),
                                   [](const zarr::CodecSpec& codec) { return codec.name == zarr::kShardingName; });
  std::uint64_t edge = axis.source->metadata().chunk_grid.max_chunk_shape()[0];
  if (!sharded) edge = std::min(edge, std::max<std::uint64_t>(axis.length, 1));
  metadata.chunk_grid = zarr::ChunkGrid::MakeRegular(metadata.shape, {edge});
  metadata.attributes = MakeLevelAttributes(metadata.attributes);
  return metadata;
}

/// Returns metadata of a Float64 array. Centres of larger pixels may be fractions where the source has integers.
ArrayMetadata MakeOfCentres(const OverviewBase& base, const LevelAxis& axis) {
  const std::vector<NewDimension> dimensions{{axis.name, axis.length}};
  ArrayMetadata metadata =
      MakeArrayMetadata(base.resource().hierarchy().format(), dimensions, GDALExtendedDataType::Create(GDT_Float64),
                        CreationOptions(), ChooseDefaultChunk(dimensions));
  metadata.attributes = MakeLevelAttributes(axis.source->metadata().attributes);
  for (const char* name : {kScaleAttribute, kOffsetAttribute, kFillValueAttribute, kMissingValueAttribute})
    metadata.attributes = CopyWithoutMember(metadata.attributes, name);
  return metadata;
}

Bytes MakeCentres(const LevelAxis& axis) {
  const double larger = static_cast<double>(axis.source->shape()[0]) / static_cast<double>(axis.length);
  Bytes bytes(static_cast<std::size_t>(axis.length) * sizeof(double));
  for (std::uint64_t i = 0; i < axis.length; ++i) {
    const double value = axis.regular->first + (static_cast<double>(i) + 0.5) * larger * axis.regular->step;
    std::memcpy(bytes.data() + i * sizeof(double), &value, sizeof(double));
  }
  return bytes;
}

zarr::Selection SelectAll(const zarr::Array& array) {
  return zarr::Selection::FromBox({zarr::Shape(1, 0), array.shape()});
}

/// Returns the source's element in the middle of each pixel of the level.
Bytes PickElements(const LevelAxis& axis) {
  const std::uint64_t count = axis.source->shape()[0];
  const std::size_t size = axis.source->data_type().size;
  Bytes all(static_cast<std::size_t>(count) * size);
  axis.source->Read(SelectAll(*axis.source), {all.data(), zarr::Strides(1, static_cast<std::ptrdiff_t>(size))});
  Bytes picked(static_cast<std::size_t>(axis.length) * size);
  for (std::uint64_t i = 0; i < axis.length; ++i) {
    const std::uint64_t middle = (2 * i + 1) * count / (2 * axis.length);
    std::memcpy(picked.data() + i * size, all.data() + middle * size, size);
  }
  return picked;
}

void SaveAxis(const OverviewBase& base, const LevelAxis& axis) {
  const ArrayMetadata metadata = axis.regular ? MakeOfCentres(base, axis) : MakeLikeSource(axis);
  ArrayPtr array = base.resource().finder().FindArray(axis.path);
  const bool is_there = base.resource().hierarchy().Probe(axis.path).has_value();
  if (is_there && (!array || array->rank() != 1)) return;
  // The array may have grown since the level was made.
  const bool fits = is_there && array->shape() == metadata.shape && array->data_type() == metadata.data_type;
  if (is_there && !fits) base.resource().DeleteNode(axis.path);
  if (!fits) array = base.resource().Change().CreateArray(axis.path, metadata);
  const Bytes bytes = axis.regular ? MakeCentres(axis) : PickElements(axis);
  const auto writer = zarr::ArrayWriter::Make(array, {.store_empty_chunks = true});
  writer->Write(SelectAll(*array),
                {bytes.data(), zarr::Strides(1, static_cast<std::ptrdiff_t>(array->data_type().size))});
  writer->Flush();
}

/// Removes the level's coordinates if the base has lost its own, as it does by a rotated geotransform.
void RemoveIfGone(const OverviewBase& base, const zarr::Array& level, std::size_t dimension) {
  const auto& names = base.array.array().metadata().dimension_names;
  if (dimension >= names.size() || !names[dimension] || !IsNodeName(*names[dimension])) return;
  if (base.resource().hierarchy().Probe(zarr::JoinKey(base.group(), *names[dimension]))) return;
  RemoveLevelCoordinates(base.resource(), level.path(), *names[dimension]);
}

}  // namespace

void SaveLevelCoordinates(const OverviewBase& base, const zarr::Array& level, bool has_axes) {
  const std::string group = GetParentPath(level.path());
  if (group == base.group() || !IsGroupForLevels(group)) return;
  zarr::EditableHierarchy& hierarchy = base.resource().Change();
  const auto locked = hierarchy.LockGroup(group);
  for (std::size_t i = 0; i < level.rank(); ++i) {
    if (has_axes && (i == base.axes.x || i == base.axes.y)) continue;
    if (const auto axis = FindAxis(base, level, i)) {
      SaveAxis(base, *axis);
    } else if (i == base.axes.x || i == base.axes.y) {
      RemoveIfGone(base, level, i);
    }
  }
  if (locked) hierarchy.waiting().Put();
}

}  // namespace gdal_zarr
