// SPDX-License-Identifier: MIT
#include <string>
#include <unordered_set>
#include <utility>

#include "driver/dataset/attribute_names.h"
#include "driver/dataset/referred_arrays.h"
#include "driver/dataset/shared_resource.h"
#include "driver/dataset/visit_upwards.h"
#include "driver/georeferencing/axis_unit.h"
#include "driver/georeferencing/cf/cf_projection.h"
#include "driver/georeferencing/conventions.h"
#include "driver/georeferencing/raster_axes.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/document_names.h"

namespace gdal_zarr {
namespace {

std::unordered_set<std::string> ListDimensionNames(const zarr::Array& array) {
  const zarr::ArrayMetadata& metadata = array.metadata();
  std::unordered_set<std::string> names;
  for (const auto& dimension : metadata.dimension_names) {
    if (dimension) names.insert(*dimension);
  }
  const auto xarray = FindMember(metadata.attributes, zarr::kXarrayDimensions);
  if (!xarray || !xarray->IsArray()) return names;
  for (const zarr::JsonNode& dimension : xarray->GetItems()) {
    if (dimension.IsString()) names.insert(dimension.AsString());
  }
  return names;
}

/// Returns the variable that `grid_mapping` names, such as "crs" or "/group/crs". The long form, "utm: x y wgs84: lat
/// lon", names several: the one with the array's dimensions counts, else the first.
std::string GetGridMappingName(const std::string& text, const zarr::Array& array) {
  const CPLStringList words(CSLTokenizeString2(text.c_str(), " ", 0));
  const std::unordered_set<std::string> dimensions = ListDimensionNames(array);
  std::string first;
  std::string current;
  for (int i = 0; i < words.size(); ++i) {
    const std::string word = words[i];
    if (i == 0 || word.ends_with(':')) {
      current = word.ends_with(':') ? word.substr(0, word.size() - 1) : word;
      if (i == 0) first = current;
    } else if (dimensions.contains(word)) {
      return current;
    }
  }
  return first;
}

/// Resolves a name with slashes from a group; nothing if it leads above the root.
std::optional<std::string> Resolve(std::string group, const std::string& name) {
  if (name.starts_with('/')) group.clear();
  const CPLStringList steps(CSLTokenizeString2(name.c_str(), "/", 0));
  for (int i = 0; i < steps.size(); ++i) {
    const std::string step = steps[i];
    if (step == ".." && group.empty()) return std::nullopt;
    if (step == "..") {
      group = GetParentPath(group);
    } else if (step != ".") {
      group = zarr::JoinKey(group, step);
    }
  }
  return group;
}

std::optional<zarr::JsonNode> GetAttributes(const zarr::Array* array) {
  if (!array || !array->metadata().attributes.IsObject()) return std::nullopt;
  return array->metadata().attributes;
}

/// Finds the attributes of the grid mapping variable. By CF 1.11, section 2.7, a name with slashes is a path, and
/// another name is looked for in the array's group, then in the groups above.
std::optional<zarr::JsonNode> FindVariable(const GeoContext& context, const std::string& name) {
  if (name.empty()) return std::nullopt;
  const std::string group = context.GetGroupPath();
  if (name.find('/') != std::string::npos) {
    const auto path = Resolve(group, name);
    return path ? GetAttributes(context.nodes.LookFor(*path, true).array.get()) : std::nullopt;
  }
  FoundNode found;
  VisitUpwards(group, name, [&](const std::string& path) {
    found = context.nodes.LookFor(path, true);
    // Beyond a broken variable the search would find one that belongs to other arrays.
    return found.array || found.broken;
  });
  return GetAttributes(found.array.get());
}

/// After some operations of xarray and rioxarray, `grid_mapping` is lost, but its variable is still among the
/// `coordinates`.
bool NamesUsualVariable(const GeoContext& context) {
  const auto coordinates = context.FindAttribute(kCoordinatesAttribute);
  if (!coordinates || !coordinates->IsString()) return false;
  const CPLStringList names(CSLTokenizeString2(coordinates->AsString().c_str(), " ", 0));
  return names.FindString(kUsualGridMapping) >= 0;
}

std::optional<zarr::JsonNode> FindGridMapping(const GeoContext& context) {
  const auto attribute = context.FindAttribute(kGridMappingAttribute);
  std::string name;
  if (attribute && attribute->IsString()) name = GetGridMappingName(attribute->AsString(), context.array);
  if (!attribute && NamesUsualVariable(context)) name = kUsualGridMapping;
  return FindVariable(context, name);
}

/// Returns the unit of the coordinates along X in metres; 0 if it is not known.
double GetMetresPerUnit(const GeoContext& context) {
  const auto variable = context.x ? FindIndexingVariable(*context.x) : nullptr;
  return variable ? GetMetresOfUnit(variable->GetUnit()) : 0;
}

SpatialRef ReadGridMapping(const zarr::JsonNode& attributes, const GeoContext& context) {
  for (const char* name : {"crs_wkt", "spatial_ref"}) {
    const auto wkt = attributes.Find(name);
    if (!wkt || !wkt->IsString()) continue;
    if (auto srs = ParseSpatialRef(*wkt)) return srs;
  }
  return ReadCfProjection(attributes, GetMetresPerUnit(context));
}

}  // namespace

SpatialRef ReadCfSpatialRef(const GeoContext& context) {
  const auto attributes = FindGridMapping(context);
  return attributes ? ReadGridMapping(*attributes, context) : nullptr;
}

SpatialRef ReadUsualSpatialRef(const GeoContext& context) {
  if (context.FindAttribute(kGridMappingAttribute) || context.array.rank() < 2) return nullptr;
  const auto coordinates = context.x ? FindIndexingVariable(*context.x) : nullptr;
  if (!coordinates) return nullptr;
  const auto variable = context.nodes.FindArray(zarr::JoinKey(context.GetGroupPath(), kUsualGridMapping));
  if (!variable || zarr::ComputeProduct(variable->shape()) != 1) return nullptr;
  const auto attributes = GetAttributes(variable.get());
  SpatialRef srs = attributes ? ReadGridMapping(*attributes, context) : nullptr;
  return srs && srs->IsProjected() && HoldsLongitudes(*coordinates) ? nullptr : std::move(srs);
}

std::optional<GeoTransform> ReadCfGeoTransform(const GeoContext& context, const RasterAxes&) {
  const auto attributes = FindGridMapping(context);
  const auto text = attributes ? attributes->Find("GeoTransform") : std::nullopt;
  if (!text || !text->IsString()) return std::nullopt;
  const CPLStringList numbers(CSLTokenizeString2(text->AsString().c_str(), " ,", 0));
  GeoTransform transform{};
  if (numbers.size() != static_cast<int>(transform.size())) text->FailExpected("six numbers");
  for (std::size_t i = 0; i < transform.size(); ++i) {
    char* end = nullptr;
    transform[i] = CPLStrtod(numbers[static_cast<int>(i)], &end);
    if (*end != '\0') text->FailExpected("six numbers");
  }
  return transform;
}

}  // namespace gdal_zarr
