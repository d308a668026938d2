// SPDX-License-Identifier: MIT
#include "driver/overviews/level_arrays.h"

#include "driver/cf/unsigned_attribute.h"
#include "driver/dataset/attribute_names.h"
#include "driver/dataset/referred_arrays.h"
#include "driver/georeferencing/convention_writers.h"
#include "driver/georeferencing/geozarr/multiscales.h"
#include "driver/overviews/level_coordinates.h"
#include "driver/overviews/level_groups.h"
#include "driver/overviews/level_metadata.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::ArrayMetadata;
using zarr::JsonNode;
using zarr::Shape;

// --- georeferencing ---------------------------------------------------------------------------------------------

/// Returns the transform with the same extent and larger pixels.
std::optional<GeoTransform> FindTransform(const OverviewBase& base, const Shape& shape) {
  if (!base.place.transform) return std::nullopt;
  const Shape& from = base.array.array().shape();
  const std::size_t x = base.axes.x;
  const std::size_t y = base.axes.y;
  const double across = static_cast<double>(from[x]) / static_cast<double>(shape[x]);
  const double down = static_cast<double>(from[y]) / static_cast<double>(shape[y]);
  GeoTransform transform = *base.place.transform;
  for (const std::size_t i : {1u, 4u}) transform[i] *= across;
  for (const std::size_t i : {2u, 5u}) transform[i] *= down;
  return transform;
}

/// Chooses the base's conventions if it has coordinate arrays, which its levels then get, too. Without them, other
/// arrays in the level's group could provide wrong coordinates; GeoZarr's conventions do not need arrays.
WriteConventions ChooseConventionsForLevels(const OverviewBase& base) {
  const auto& dimensions = base.array.gdal_array().GetDimensions();
  WriteConventions conventions = FindWrittenConventions(base.array, base.axes);
  if (base.place.transform && FindIndexingVariable(*dimensions[base.axes.x]) &&
      FindIndexingVariable(*dimensions[base.axes.y])) {
    conventions.spatial_proj = true;  // some readers only support GeoZarr's conventions
    return conventions;
  }
  return {.spatial_proj = true};
}

void SaveGeoreferencing(const OverviewBase& base, EditableArray& level) {
  Georeferencing place = base.place;
  place.transform = FindTransform(base, level.array().shape());
  level.SetConventions(ChooseConventionsForLevels(base));
  WriteLevelGeoreferencing(level, base.axes, place);
}

/// Removes the georeferencing of the base.
JsonNode WithoutPlace(JsonNode attributes) {
  for (const char* name : {kCrsAttribute, kGeoTransformAttribute, kGridMappingAttribute})
    attributes = CopyWithoutMember(attributes, name);
  return attributes;
}

// --- layout -----------------------------------------------------------------------------------------------------

JsonNode MakeRelativeTransform(const Shape& shape, const Shape& from) {
  std::vector<double> scale;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    scale.push_back(shape[i] > 0 ? static_cast<double>(from[i]) / static_cast<double>(shape[i]) : 1.0);
  }
  const std::vector<double> translation(scale.size(), 0.0);  // both start at the same corner
  return JsonNode::MakeObject(
      {{"scale", zarr::MakeNumberList(scale)}, {"translation", zarr::MakeNumberList(translation)}});
}

}  // namespace

bool HasLevelArray(const OverviewBase& base, const std::string& path, const Shape& shape) {
  const auto level = base.resource().finder().FindArray(path);
  const zarr::Array& wanted = base.array.array();
  return level && level->shape() == shape && level->data_type() == wanted.data_type() &&
         GetShownType(*level) == GetShownType(wanted) &&
         level->metadata().fill_value.bytes == wanted.metadata().fill_value.bytes;
}

namespace {

/// Creates the array of a level, unless it exists. Returns true if it was created.
bool CreateLevelArray(const OverviewBase& base, const std::string& path, const ArrayMetadata& metadata, bool is_level) {
  const std::string group = GetParentPath(path);
  if (base.resource().hierarchy().Probe(group) == zarr::NodeKind::kArray) {
    throw zarr::Error(
        zarr::ErrorKind::kInvalidArgument, base.array.array().store().name(), group, "",
        zarr::FormatExpectedGot("a group for the overviews of /" + base.array.array().path(), "an array"));
  }
  const bool is_there = base.resource().hierarchy().Probe(path).has_value();
  const bool is_ours = is_level || IsUnfinished(base.resource(), path);
  if (is_there && !is_ours) {
    throw zarr::Error(zarr::ErrorKind::kInvalidArgument, base.array.array().store().name(), path, "",
                      zarr::FormatExpectedGot("no other node at the path of an overview",
                                              "a node that is no overview of /" + base.array.array().path()));
  }
  if (is_there && HasLevelArray(base, path, metadata.shape)) return false;
  NoteUnfinished(base.resource(), path);
  if (is_there) {
    // With its coordinates, which need not fit any more. That also removes the mark.
    RemoveLevelArray(MakeLevelOwner(base), path);
    NoteUnfinished(base.resource(), path);
  } else if (is_ours) {
    EraseOrphans(MakeLevelOwner(base), path);
  }
  base.resource().Change().CreateArray(path, metadata);
  return true;
}

}  // namespace

std::shared_ptr<EditableArray> MakeLevelArray(const OverviewBase& base, const std::string& path, const Shape& shape,
                                              bool is_level) {
  ArrayMetadata metadata = MakeLevelMetadata(base, shape);
  metadata.attributes = WithoutPlace(metadata.attributes);
  const std::string group = GetParentPath(path);
  bool keep = false;
  ChangeLevels(base, [&] { keep = !CreateLevelArray(base, path, metadata, is_level); });
  std::shared_ptr<EditableArray> level = base.array.OpenOther(path);
  if (keep && !IsGroupForLevels(group)) return level;  // another program created it, and may refer to it elsewhere
  if (keep) level->SaveAttributes(metadata.attributes);
  SaveLevelPlace(base, *level);
  return level;
}

void SaveLevelPlace(const OverviewBase& base, EditableArray& level) {
  if (base.place.srs || base.place.transform) SaveGeoreferencing(base, level);
  const WriteConventions conventions = ChooseConventionsForLevels(base);
  const bool has_axes = base.place.transform && (conventions.gdal || conventions.cf);
  SaveLevelCoordinates(base, level.array(), has_axes);
}

JsonNode WithLevelPlace(const OverviewBase& base, JsonNode entry, const Shape& shape) {
  const std::uint64_t height = shape[base.axes.y];
  const std::uint64_t width = shape[base.axes.x];
  entry = CopyWithMember(entry, "spatial:shape",
                         JsonNode::MakeArray({JsonNode::MakeUnsigned(height), JsonNode::MakeUnsigned(width)}));
  const Georeferencing place{nullptr, FindTransform(base, shape), base.place.is_point};
  if (!place.transform) return CopyWithoutMember(entry, "spatial:transform");
  const GeoTransform t = GetRegisteredTransform(place);
  return CopyWithMember(entry, "spatial:transform", zarr::MakeNumberList({t[1], t[2], t[0], t[4], t[5], t[3]}));
}

JsonNode MakeBaseEntry(const OverviewBase& base) {
  const Shape& shape = base.array.array().shape();
  return WithLevelPlace(base,
                        JsonNode::MakeObject({{"asset", JsonNode::MakeString(base.name())},
                                              {"transform", MakeRelativeTransform(shape, shape)}}),
                        shape);
}

JsonNode MakeLevelEntry(const OverviewBase& base, const std::string& asset, const Shape& shape, const std::string& from,
                        const Shape& from_shape, const std::string& resampling) {
  zarr::JsonMembers members = {{"asset", JsonNode::MakeString(asset)},
                               {"derived_from", JsonNode::MakeString(from)},
                               {"transform", MakeRelativeTransform(shape, from_shape)}};
  if (!EQUAL(resampling.c_str(), "NONE")) {
    members.emplace_back(kResamplingMember, JsonNode::MakeString(resampling));  // like GDAL's built-in driver
  }
  return WithLevelPlace(base, JsonNode::MakeObject(members), shape);
}

}  // namespace gdal_zarr
