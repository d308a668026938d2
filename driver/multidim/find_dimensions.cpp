// SPDX-License-Identifier: MIT
#include "driver/multidim/find_dimensions.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include "driver/cf/degree_units.h"
#include "driver/dataset/attribute_names.h"
#include "driver/dataset/visit_upwards.h"
#include "driver/gdal/gdal_error.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/metadata/document_names.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

using Reference = DimensionReference;

/// Reads a list of `rank` strings. Returns an empty list for other values.
std::vector<std::string> ReadStringList(const std::optional<JsonNode>& node, std::size_t rank) {
  std::vector<std::string> result;
  if (!node || !node->IsArray() || node->size() != rank) return result;
  for (const JsonNode& item : node->GetItems()) {
    if (!item.IsString()) return {};
    result.push_back(item.AsString());
  }
  return result;
}

/// Reads NCZarr's absolute dimension names, such as "/group/lat".
std::vector<std::string> ReadNczarrReferences(const zarr::ArrayMetadata& metadata) {
  for (const JsonNode& holder : {metadata.attributes, metadata.document}) {
    for (const char* object : {"_nczarr_array", "_NCZARR_ARRAY"}) {
      const std::optional<JsonNode> nczarr = FindMember(holder, object);
      if (!nczarr) continue;
      for (const char* list : {"dimension_references", "dimrefs"}) {
        std::vector<std::string> names = ReadStringList(FindMember(*nczarr, list), metadata.shape.size());
        if (!names.empty()) return names;
      }
    }
  }
  return {};
}

Reference ParseAbsoluteName(const std::string& group, std::string_view name) {
  if (!name.starts_with('/')) return {group, std::string(name)};
  name.remove_prefix(1);
  return {GetParentPath(name), GetNodeName(name)};
}

/// Returns one reference per dimension; its name is empty if the dimension has none.
std::vector<Reference> GetReferences(const zarr::Array& array) {
  const zarr::ArrayMetadata& metadata = array.metadata();
  const std::string group = GetParentPath(array.path());
  const std::vector<std::string> xarray =
      ReadStringList(FindMember(metadata.attributes, zarr::kXarrayDimensions), array.rank());
  const std::vector<std::string> nczarr = ReadNczarrReferences(metadata);
  std::vector<Reference> result(array.rank(), Reference{group, ""});
  for (std::size_t i = 0; i < array.rank(); ++i) {
    if (!metadata.dimension_names.empty()) result[i].name = metadata.dimension_names[i].value_or("");
    if (result[i].name.empty() && !xarray.empty()) result[i].name = xarray[i];
    if (nczarr.empty()) continue;
    // Absolute names also contain the group of the dimension.
    Reference reference = ParseAbsoluteName(group, nczarr[i]);
    if (result[i].name.empty() || result[i].name == reference.name) result[i] = std::move(reference);
  }
  return result;
}

std::string GetTextAttribute(const JsonNode& attributes, const char* name) {
  const std::optional<JsonNode> value = FindMember(attributes, name);
  return value && value->IsString() ? value->AsString() : std::string();
}

bool IsOneOf(std::string_view text, std::span<const std::string> names) {
  return std::find(names.begin(), names.end(), text) != names.end();
}

/// Returns true if a coordinate's `standard_name` is one for `axis` ("x" or "y"), whose angles are called `angles`.
bool IsHorizontal(std::string_view name, const std::string& axis, const std::string& angles) {
  return name == angles || name == "grid_" + angles || name == "projection_" + axis + "_coordinate" ||
         name == "projection_" + axis + "_angular_coordinate";
}

DimensionRole GetVerticalRole(const JsonNode& attributes) {
  const std::string positive = GetTextAttribute(attributes, "positive");
  if (EQUAL(positive.c_str(), "up")) return {GDAL_DIM_TYPE_VERTICAL, "UP"};
  if (EQUAL(positive.c_str(), "down")) return {GDAL_DIM_TYPE_VERTICAL, "DOWN"};
  return {GDAL_DIM_TYPE_VERTICAL, ""};
}

/// Returns true for units such as "days since 2000-01-01", which make a coordinate a time (CF 1.11, 4.4).
bool AreUnitsOfTime(std::string_view units) {
  constexpr std::string_view kSince = " since ";
  const std::size_t found = units.find(kSince);
  const std::size_t date = found + kSince.size();
  return found != std::string_view::npos && date < units.size() && units[date] >= '0' && units[date] <= '9';
}

/// Returns true for units that make a coordinate a vertical one (CF 1.11, 4.3).
bool AreUnitsOfPressure(std::string_view units) {
  constexpr std::string_view kUnits[] = {"Pa",      "hPa",      "kPa",  "pascal", "pascals",    "hectopascal",
                                         "bar",     "bars",     "mbar", "mb",     "millibar",   "millibars",
                                         "decibar", "decibars", "dbar", "atm",    "atmosphere", "hectopascals"};
  return std::ranges::find(kUnits, units) != std::end(kUnits);
}

/// Implements CF 1.11, chapters 4 and 5.
DimensionRole FindRole(const zarr::ArrayMetadata& metadata) {
  const JsonNode& attributes = metadata.attributes;
  const std::string name = GetTextAttribute(attributes, "standard_name");
  const std::string axis = GetTextAttribute(attributes, "axis");
  const std::string units = GetTextAttribute(attributes, kUnitsAttribute);
  if (IsHorizontal(name, "x", "longitude") || axis == "X" || IsOneOf(units, ListDegreeUnits("east"))) {
    return {GDAL_DIM_TYPE_HORIZONTAL_X, "EAST"};
  }
  if (IsHorizontal(name, "y", "latitude") || axis == "Y" || IsOneOf(units, ListDegreeUnits("north"))) {
    return {GDAL_DIM_TYPE_HORIZONTAL_Y, "NORTH"};
  }
  const bool is_datetime = metadata.data_type.kind == zarr::DataType::Kind::kDatetime64;
  if (name == "time" || axis == "T" || is_datetime || (axis.empty() && AreUnitsOfTime(units))) {
    return {GDAL_DIM_TYPE_TEMPORAL, "FUTURE"};
  }
  const bool is_vertical = axis == "Z" || !GetTextAttribute(attributes, "positive").empty();
  if (is_vertical || AreUnitsOfPressure(units)) return GetVerticalRole(attributes);
  return {};
}

/// Searches a group, then its ancestors up to the store's root.
FoundNode FindIndexingNode(SharedResource& resource, const Reference& reference, std::uint64_t size) {
  FoundNode indexing;
  VisitUpwards(reference.group, reference.name, [&](const std::string& path) {
    const FoundNode found = resource.finder().LookFor(path);
    if (found.array && found.array->rank() == 1 && found.array->shape()[0] == size) indexing.array = found.array;
    // Past a broken array, the search could find coordinates of other arrays.
    indexing.broken = found.broken;
    return indexing.array || indexing.broken;
  });
  return indexing;
}

/// Warns of coordinates whose length differs from the dimension of an array in the same group. Most likely a resize of
/// both was interrupted.
void WarnOfOtherLength(SharedResource& resource, const zarr::Array& array, const Reference& reference,
                       std::uint64_t size) {
  if (!IsNodeName(reference.name) || !resource.root_array_name().empty()) return;
  const std::string path = zarr::JoinKey(reference.group, reference.name);
  if (reference.group != GetParentPath(array.path()) || path == array.path()) return;
  const auto coordinates = resource.finder().FindArray(path);
  if (!coordinates || coordinates->rank() != 1 || GetReferences(*coordinates)[0].name != reference.name) return;
  if (!resource.TakeNote(array.path() + " " + path)) return;
  CPLError(
      CE_Warning, CPLE_AppDefined,
      "%s: array %s has %s elements along dimension %s, but its coordinates, array %s, are %s: the lengths of both "
      "may have been changed by a process that was interrupted, or is at work; the coordinates are not used",
      resource.hierarchy().store()->name().c_str(), MakeGdalFullName(array.path()).c_str(),
      std::to_string(size).c_str(), reference.name.c_str(), MakeGdalFullName(path).c_str(),
      std::to_string(coordinates->shape()[0]).c_str());
}

/// Describes a dimension without a name of its own. It is bound to this array, because unnamed dimensions of different
/// arrays are unrelated.
FoundDimension DescribeNameless(const SharedResource& resource, const zarr::Array& array, std::size_t number) {
  FoundDimension found;
  found.node = array.path().empty() ? resource.root_array_name() : array.path();
  found.name = "dim" + std::to_string(number);
  found.has_name = false;
  found.size = array.shape()[number];
  return found;
}

FoundDimension Describe(const std::shared_ptr<SharedResource>& resource, const zarr::Array& array,
                        const Reference& reference, std::uint64_t size) {
  FoundDimension found{
      reference.group, reference.name, true, size, {}, FindIndexingArray(resource, reference, size), {}};
  if (!found.indexing) {
    WarnOfOtherLength(*resource, array, reference, size);
    return found;
  }
  const auto& [owner, path] = *found.indexing;
  if (owner == resource) found.node = GetParentPath(path);
  found.indexing_array = owner->hierarchy().OpenArray(path);
  found.role = FindRole(found.indexing_array->metadata());
  return found;
}

}  // namespace

std::optional<NodePlace> FindIndexingArray(const std::shared_ptr<SharedResource>& resource,
                                           const DimensionReference& reference, std::uint64_t size) {
  if (!IsNodeName(reference.name)) return std::nullopt;
  if (resource->root_array_name().empty()) {
    const FoundNode own = FindIndexingNode(*resource, reference, size);
    if (own.array) return NodePlace{resource, own.array->path()};
    if (own.broken) return std::nullopt;
  }
  const NodePlace* above = resource->finder().FindAbove();
  if (!above) return std::nullopt;
  const auto array = FindIndexingNode(*above->resource, {GetParentPath(above->path), reference.name}, size).array;
  return array ? std::optional(NodePlace{above->resource, array->path()}) : std::nullopt;
}

std::vector<FoundDimension> FindDimensions(const std::shared_ptr<SharedResource>& resource, const zarr::Array& array) {
  const std::vector<Reference> references = GetReferences(array);
  PrefetchReferred(*resource, array, references);
  std::vector<FoundDimension> result;
  for (std::size_t i = 0; i < references.size(); ++i) {
    result.push_back(references[i].name.empty() ? DescribeNameless(*resource, array, i)
                                                : Describe(resource, array, references[i], array.shape()[i]));
  }
  return result;
}

std::vector<FoundDimension> NameDimensions(const SharedResource& resource, const zarr::Array& array) {
  const std::vector<Reference> references = GetReferences(array);
  std::vector<FoundDimension> result;
  for (std::size_t i = 0; i < references.size(); ++i) {
    const auto& [group, name] = references[i];
    result.push_back(name.empty() ? DescribeNameless(resource, array, i)
                                  : FoundDimension{group, name, true, array.shape()[i], {}, {}, {}});
  }
  return result;
}

}  // namespace gdal_zarr
