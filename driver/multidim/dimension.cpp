// SPDX-License-Identifier: MIT
#include "driver/multidim/dimension.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "driver/cf/degree_units.h"
#include "driver/dataset/attribute_names.h"
#include "driver/dataset/visit_upwards.h"
#include "driver/gdal/gdal_error.h"
#include "driver/multidim/coordinate_set.h"
#include "driver/multidim/md_array.h"
#include "driver/multidim/prefetch_referred.h"
#include "driver/multidim/shared_dimensions.h"
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

Dimension::Role GetVerticalRole(const JsonNode& attributes) {
  const std::string positive = GetTextAttribute(attributes, "positive");
  if (EQUAL(positive.c_str(), "up")) return {GDAL_DIM_TYPE_VERTICAL, "UP"};
  if (EQUAL(positive.c_str(), "down")) return {GDAL_DIM_TYPE_VERTICAL, "DOWN"};
  return {GDAL_DIM_TYPE_VERTICAL, ""};
}

/// Implements CF 1.11, chapters 4 and 5.
Dimension::Role FindRole(const zarr::ArrayMetadata& metadata) {
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
  if (name == "time" || axis == "T" || metadata.data_type.kind == zarr::DataType::Kind::kDatetime64) {
    return {GDAL_DIM_TYPE_TEMPORAL, "FUTURE"};
  }
  if (axis == "Z" || !GetTextAttribute(attributes, "positive").empty()) return GetVerticalRole(attributes);
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

/// Searches for coordinates in the dataset, then in the larger store that contains it.
std::optional<NodePlace> FindIndexing(const std::shared_ptr<SharedResource>& resource, const Reference& reference,
                                      std::uint64_t size) {
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

/// Creates a dimension without a name of its own. The key is bound to this array, because unnamed dimensions of
/// different arrays are unrelated.
std::shared_ptr<Dimension> MakeNameless(const std::shared_ptr<SharedResource>& resource, const zarr::Array& array,
                                        std::size_t number) {
  const std::string node = array.path().empty() ? resource->root_array_name() : array.path();
  return Dimension::Make(resource, node, "dim" + std::to_string(number), {}, array.shape()[number], std::nullopt,
                         false);
}

}  // namespace

std::shared_ptr<Dimension> Dimension::Make(const std::shared_ptr<SharedResource>& resource, const std::string& node,
                                           const std::string& name, const Role& role, std::uint64_t size,
                                           std::optional<NodePlace> indexing, bool has_name) {
  std::shared_ptr<Dimension> dimension(new Dimension(resource, node, name, role, size, std::move(indexing), has_name));
  if (resource->writable()) resource->edits().live_objects.Add(dimension);
  return dimension;
}

Dimension::Dimension(std::shared_ptr<SharedResource> resource, const std::string& node, const std::string& name,
                     const Role& role, std::uint64_t size, std::optional<NodePlace> indexing, bool has_name)
    : GDALDimension(has_name ? MakeGdalFullName(node) : std::string(), name, role.type, role.direction, size),
      LiveObject(node),
      resource_(std::move(resource)),
      indexing_(std::move(indexing)),
      has_name_(has_name) {}

bool Dimension::Rename(const std::string& name) {
  return TryChange([&] {
    CheckNotDeleted(GetFullName());
    RenameSharedDimension(resource_, {GetKeyName(), GetSize()}, name);
  });
}

void Dimension::SetPlace(const std::string& group, const std::string& name) {
  SetNode(group);
  m_osName = name;
  m_osFullName = GetKeyName();
  has_name_ = true;
}

void Dimension::OnMoved() {
  if (has_name_) m_osFullName = GetKeyName();
}

void Dimension::FollowMove(std::string_view from, std::string_view to) {
  LiveObject::FollowMove(from, to);
  const bool is_own = indexing_ && indexing_->resource == resource_;
  const auto moved = is_own ? GetMovedPath(indexing_->path, from, to) : std::nullopt;
  if (moved) indexing_->path = *moved;
}

void Dimension::FollowDeletion(std::string_view path) {
  LiveObject::FollowDeletion(path);
  if (indexing_ && indexing_->resource == resource_ && IsAtOrBelow(indexing_->path, path)) indexing_.reset();
}

std::shared_ptr<GDALMDArray> Dimension::FindIndexingVariable() const {
  CheckNotDeleted(GetFullName());
  if (!indexing_ && !resource_->writable()) return nullptr;
  try {
    if (indexing_) {
      auto array = MDArray::Make(indexing_->resource, indexing_->path);
      if (coordinates_) array->SetCoordinates(coordinates_);
      return array;
    }
    // It may have been created since.
    const auto found = FindIndexing(resource_, {node(), GetName()}, m_nSize);
    return found ? MDArray::Make(found->resource, found->path) : nullptr;
  } catch (const zarr::Error& error) {
    resource_->finder().Tolerate(error);
    return nullptr;
  }
}

std::shared_ptr<GDALMDArray> Dimension::GetIndexingVariable() const {
  return Guard(std::shared_ptr<GDALMDArray>(), [this] { return FindIndexingVariable(); });
}

bool Dimension::SetIndexingVariable(std::shared_ptr<GDALMDArray> variable) {
  return Guard(false, [&] {
    CheckNotDeleted(GetFullName());
    const auto* array = AsOwnMDArray(variable.get());
    auto found = FindIndexing(resource_, {node(), GetName()}, m_nSize);
    if (array && found && found->resource == array->resource() && found->path == array->array().path()) {
      indexing_ = std::move(found);
      return true;
    }
    throw zarr::Error(zarr::ErrorKind::kUnsupported,
                      "indexing variable of dimension " + GetFullName() + ": " +
                          zarr::FormatExpectedGot("an array of one dimension, with that name and size, in its group",
                                                  variable ? variable->GetFullName() : "none"));
  });
}

std::shared_ptr<GDALDimension> MakeDimension(const std::shared_ptr<SharedResource>& resource, const std::string& group,
                                             const CreatedDimension& dimension) {
  return Dimension::Make(resource, group, dimension.name, {dimension.type, dimension.direction}, dimension.size);
}

std::vector<std::shared_ptr<GDALDimension>> MakeDimensions(const std::shared_ptr<SharedResource>& resource,
                                                           const zarr::Array& array) {
  std::vector<std::shared_ptr<GDALDimension>> result;
  const std::vector<Reference> references = GetReferences(array);
  PrefetchReferred(*resource, array, references);
  const bool is_remote = array.store().info().is_on_network();
  const auto coordinates = is_remote && !resource->writable() ? std::make_shared<CoordinateSet>() : nullptr;
  for (std::size_t i = 0; i < references.size(); ++i) {
    const Reference& reference = references[i];
    const std::uint64_t size = array.shape()[i];
    if (reference.name.empty()) {
      result.push_back(MakeNameless(resource, array, i));
      continue;
    }
    const std::optional<NodePlace> indexing = FindIndexing(resource, reference, size);
    if (!indexing) WarnOfOtherLength(*resource, array, reference, size);
    const bool is_own = indexing && indexing->resource == resource;
    const std::string group = is_own ? GetParentPath(indexing->path) : reference.group;
    const auto indexing_array = indexing ? indexing->resource->hierarchy().OpenArray(indexing->path) : nullptr;
    const Dimension::Role role = indexing_array ? FindRole(indexing_array->metadata()) : Dimension::Role();
    auto dimension = Dimension::Make(resource, group, reference.name, role, size, indexing);
    if (coordinates && indexing_array) {
      coordinates->Add(indexing_array);
      dimension->SetCoordinates(coordinates);
    }
    result.push_back(std::move(dimension));
  }
  return result;
}

std::vector<std::shared_ptr<GDALDimension>> MakePlainDimensions(const std::shared_ptr<SharedResource>& resource,
                                                                const zarr::Array& array) {
  std::vector<std::shared_ptr<GDALDimension>> result;
  const std::vector<Reference> references = GetReferences(array);
  for (std::size_t i = 0; i < references.size(); ++i) {
    const auto& [group, name] = references[i];
    result.push_back(name.empty() ? MakeNameless(resource, array, i)
                                  : Dimension::Make(resource, group, name, {}, array.shape()[i]));
  }
  return result;
}

}  // namespace gdal_zarr
