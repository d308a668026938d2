// SPDX-License-Identifier: MIT
#include "driver/dataset/attribute_names.h"
#include "driver/dataset/editable_array.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/text.h"
#include "driver/georeferencing/cf/cf_projection.h"
#include "driver/georeferencing/cf/usual_mapping.h"
#include "driver/georeferencing/convention_writers.h"
#include "driver/georeferencing/geo_context.h"
#include "driver/georeferencing/same_spatial_ref.h"
#include "driver/new_array/array_metadata_builder.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/document_names.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

JsonNode MakeText(const std::string& text) {
  return JsonNode::MakeString(text);
}

/// Parses the value of a CF attribute, which GDAL provides as text.
JsonNode ParseGdalText(const std::string& text) {
  const CPLStringList items(CSLTokenizeString2(text.c_str(), ",", CSLT_STRIPLEADSPACES));
  std::vector<JsonNode> numbers;
  for (int i = 0; i < items.size(); ++i) {
    if (CPLGetValueType(items[i]) == CPL_VALUE_STRING) return MakeText(text);
    numbers.push_back(JsonNode::MakeFloat(CPLAtof(items[i])));
  }
  return numbers.size() == 1 ? numbers[0] : JsonNode::MakeArray(numbers);
}

/// Formats the six numbers in GDAL's order, like rioxarray.
std::string FormatTransform(const GeoTransform& transform) {
  std::string text;
  for (const double number : transform) text += (text.empty() ? "" : " ") + FormatNumber(number);
  return text;
}

/// Returns WKT1 of a CRS; empty if it has none, or if that would be read as another CRS.
std::string ToFaithfulWkt1(const OGRSpatialReference& srs) {
  std::string wkt1 = ToWkt(srs, "WKT1_GDAL");
  return !wkt1.empty() && IsReadAs(MakeText(wkt1), srs) ? std::move(wkt1) : "";
}

/// Adds or replaces the two forms of a CRS that can express all of it.
void AddWkt(const OGRSpatialReference& srs, zarr::JsonMembers* members) {
  const std::string wkt2 = ToWkt(srs, "WKT2_2019");
  const std::string wkt1 = ToFaithfulWkt1(srs);
  std::erase_if(*members,
                [](const auto& member) { return member.first == "crs_wkt" || member.first == "spatial_ref"; });
  members->emplace_back("crs_wkt", MakeText(wkt2.empty() ? wkt1 : wkt2));
  members->emplace_back("spatial_ref", MakeText(wkt1.empty() ? wkt2 : wkt1));
}

/// Makes the attributes of a grid mapping variable. `before` are its current attributes: those written by a user are
/// kept, and if only the CRS changes, so is the geotransform.
JsonNode MakeGridMappingAttributes(const JsonNode& before, const GeoTarget& target, const Georeferencing& place) {
  zarr::JsonMembers members;
  // Attributes that come from the source of a copy are kept, even if they do not contain a readable CRS.
  if (target.array.resource()->edits().group_copy.is_running() && place.srs && before.IsObject() && before.size() > 0) {
    members = before.GetMembers();
    AddWkt(*place.srs, &members);
    return JsonNode::MakeObject(members);
  }
  if (place.srs) {
    // CF has no engineering CRS, for which PROJ reports errors.
    const CPLStringList parameters = place.srs->IsLocal() ? CPLStringList() : ExportToCf(*place.srs);
    for (int i = 0; i < parameters.size(); ++i) {
      const auto parameter = ParseNameValue(parameters[i]);
      if (!parameter) continue;
      const auto& [key, value] = *parameter;
      if (!key.empty() && key != "crs_wkt" && key != "spatial_ref" && key != "GeoTransform") {
        members.emplace_back(key, ParseGdalText(value));
      }
    }
    AddWkt(*place.srs, &members);
  }
  for (const char* name : {"long_name", "comment"}) {
    if (const auto kept = place.srs ? FindMember(before, name) : std::nullopt) members.emplace_back(name, *kept);
  }
  if (target.with_transform) {
    if (place.transform) members.emplace_back("GeoTransform", MakeText(FormatTransform(*place.transform)));
  } else if (const auto kept = FindMember(before, "GeoTransform")) {
    members.emplace_back("GeoTransform", *kept);
  }
  return members.empty() ? JsonNode() : JsonNode::MakeObject(members);
}

/// Returns true if another array of the group uses the same grid mapping variable.
bool IsShared(const GeoTarget& target, const std::string& name) {
  const zarr::Hierarchy& hierarchy = target.array.resource()->hierarchy();
  const std::string& path = target.array.array().path();
  const std::string group = GetParentPath(path);
  for (const zarr::Hierarchy::Child& child : hierarchy.List(group)) {
    const std::string other = zarr::JoinKey(group, child.name);
    if (child.kind != zarr::NodeKind::kArray || other == path) continue;
    const FoundNode found = target.array.resource()->finder().LookFor(other);
    if (found.broken) return true;  // it may use the variable
    if (found.array && GetNamedGridMapping(found.array->metadata().attributes) == name) return true;
  }
  return false;
}

JsonNode MakeArrayAttributes(const GeoTarget& target, const std::string& path) {
  const auto array = target.array.resource()->finder().FindArray(path);
  // In v2, the attributes include the names of dimensions, but this variable does not have dimensions.
  return array ? CopyWithoutMember(array->metadata().attributes, zarr::kXarrayDimensions) : JsonNode();
}

/// Compares regardless of the order of members, which v2 sorts.
bool SayTheSame(const JsonNode& a, const JsonNode& b) {
  if (!a.IsObject() || !b.IsObject() || a.size() != b.size()) return false;
  for (const auto& [name, value] : a.GetMembers()) {
    if (b.Find(name) != std::optional(value)) return false;
  }
  return true;
}

/// Finds a variable of another array that says what is wanted, and which another array has under its own name.
std::optional<std::string> FindEqualVariable(const GeoTarget& target, const JsonNode& wanted) {
  const std::string group = GetParentPath(target.array.array().path());
  for (const zarr::Hierarchy::Child& child : target.array.resource()->hierarchy().List(group)) {
    if (child.kind != zarr::NodeKind::kArray || !child.name.starts_with(kUsualGridMapping)) continue;
    if (SayTheSame(MakeArrayAttributes(target, zarr::JoinKey(group, child.name)), wanted)) return child.name;
  }
  return std::nullopt;
}

/// Returns a name with that of the array, which no other array uses for another variable.
std::string MakeOwnName(const GeoTarget& target) {
  const std::string group = GetParentPath(target.array.array().path());
  const std::string own_name = std::string(kUsualGridMapping) + "_" + target.array.gdal_array().GetName();
  std::string name = own_name;
  for (int number = 2; target.array.resource()->hierarchy().Probe(zarr::JoinKey(group, name)) && IsShared(target, name);
       ++number) {
    name = own_name + "_" + std::to_string(number);
  }
  return name;
}

/// Chooses the variable to write to: the array's own, otherwise the one with the usual name. If other arrays use that
/// for another grid mapping, or would use it without having asked, chooses one with the array's name.
std::string ChooseName(const JsonNode& attributes, const GeoTarget& target, const JsonNode& wanted) {
  const std::string group = GetParentPath(target.array.array().path());
  const zarr::Hierarchy& hierarchy = target.array.resource()->hierarchy();
  std::string name = GetNamedGridMapping(attributes);
  if (name.find('/') != std::string::npos) name.clear();
  // A copy sets the CRS of an array before it copies the variable.
  if (!name.empty() && target.array.is_new() && !hierarchy.Probe(zarr::JoinKey(group, name))) return name;
  // An existing variable with equal attributes can be used, too.
  if (SayTheSame(MakeArrayAttributes(target, zarr::JoinKey(group, kUsualGridMapping)), wanted))
    return kUsualGridMapping;
  if (name.empty()) {
    if (const auto equal = FindEqualVariable(target, wanted)) return *equal;
    name = kUsualGridMapping;
  }
  if (name == kUsualGridMapping && OthersTakeUsualSpatialRef(target)) return MakeOwnName(target);
  if (!hierarchy.Probe(zarr::JoinKey(group, name))) return name;
  const bool same = SayTheSame(MakeArrayAttributes(target, zarr::JoinKey(group, name)), wanted);
  return same || !IsShared(target, name) ? name : MakeOwnName(target);
}

/// Creates the variable as an integer without dimensions; only its attributes matter.
void WriteVariable(const GeoTarget& target, const std::string& path, const JsonNode& attributes) {
  if (SayTheSame(MakeArrayAttributes(target, path), attributes)) return;
  zarr::EditableHierarchy& hierarchy = target.array.resource()->Change();
  if (hierarchy.Probe(path)) {
    hierarchy.EditAttributes(path, [&](const JsonNode&) { return attributes; });
    return;
  }
  const char* const options[] = {"COMPRESS=NONE", nullptr};
  zarr::ArrayMetadata metadata =
      MakeArrayMetadata(hierarchy.format(), {}, GDALExtendedDataType::Create(GDT_Int32), CreationOptions(options), {});
  metadata.attributes = attributes;
  metadata.fill_value.defined = true;
  hierarchy.CreateArray(path, metadata);
  target.array.resource()->edits().group_copy.AddHelper(path);
}

/// Removes the variable, unless other arrays use it.
void RemoveVariable(const GeoTarget& target, const std::string& name) {
  const std::string path = zarr::JoinKey(GetParentPath(target.array.array().path()), name);
  if (!target.array.resource()->finder().FindArray(path) || IsShared(target, name)) return;
  if (name == kUsualGridMapping && OthersTakeUsualSpatialRef(target)) return;
  target.array.resource()->DeleteNode(path);
}

/// Adds the variable to the attribute `coordinates`, because xarray treats the arrays named there as coordinates, and
/// rioxarray searches for the CRS among those.
JsonNode WithCoordinate(const JsonNode& attributes, const std::string& before, const std::string& name) {
  const auto known = FindMember(attributes, kCoordinatesAttribute);
  const std::string text = known && known->IsString() ? known->AsString() : "";
  const CPLStringList items(CSLTokenizeString2(text.c_str(), " ", 0));
  std::string joined;
  for (int i = 0; i < items.size(); ++i) {
    if (items[i] != before && items[i] != name) joined += std::string(items[i]) + " ";
  }
  joined += name;
  while (joined.ends_with(' ')) joined.pop_back();
  return joined.empty() ? CopyWithoutMember(attributes, kCoordinatesAttribute)
                        : CopyWithMember(attributes, kCoordinatesAttribute, MakeText(joined));
}

/// Returns true if a variable without a CRS, which CF does not have, is needed: nothing else that was asked for tells
/// the exact transform.
bool NeedsTransform(const JsonNode& attributes, const GeoTarget& target) {
  const auto& asked = target.array.conventions();
  const bool is_in_geozarr = asked && asked->spatial_proj && FindMember(attributes, "spatial:transform");
  return !is_in_geozarr && !FindMember(attributes, kGeoTransformAttribute);
}

}  // namespace

std::string GetNamedGridMapping(const JsonNode& attributes) {
  const auto name = FindMember(attributes, kGridMappingAttribute);
  if (!name || !name->IsString()) return "";
  const std::string text = name->AsString();
  const std::string first = text.substr(0, text.find(' '));
  return first.ends_with(':') ? first.substr(0, first.size() - 1) : first;
}

JsonNode WithCf(const JsonNode& attributes, const GeoTarget& target, const Georeferencing& place) {
  const std::string before = GetNamedGridMapping(attributes);
  const std::string group = GetParentPath(target.array.array().path());
  const JsonNode known = before.empty() ? JsonNode() : MakeArrayAttributes(target, zarr::JoinKey(group, before));
  const JsonNode wanted = MakeGridMappingAttributes(known, target, place);
  if (wanted.IsNull() || (!place.srs && !NeedsTransform(attributes, target))) return WithoutCf(attributes, target);
  const std::string name = ChooseName(attributes, target, wanted);
  WriteVariable(target, zarr::JoinKey(group, name), wanted);
  if (name == before) return attributes;
  if (!before.empty()) RemoveVariable(target, before);
  return WithCoordinate(CopyWithMember(attributes, kGridMappingAttribute, MakeText(name)), before, name);
}

JsonNode WithoutUsualSpatialRef(const JsonNode& attributes, const GeoTarget& target, const Georeferencing& place) {
  if (!HasUsualSpatialRef(target.array)) return attributes;
  const std::string name = MakeOwnName(target);
  const JsonNode wanted = MakeGridMappingAttributes(JsonNode(), target, {nullptr, place.transform, place.is_point});
  const std::string group = GetParentPath(target.array.array().path());
  WriteVariable(target, zarr::JoinKey(group, name), wanted.IsNull() ? JsonNode::MakeObject({}) : wanted);
  return WithCoordinate(CopyWithMember(attributes, kGridMappingAttribute, MakeText(name)), "", name);
}

JsonNode WithoutCf(const JsonNode& attributes, const GeoTarget& target) {
  const std::string name = GetNamedGridMapping(attributes);
  if (name.empty()) return attributes;
  RemoveVariable(target, name);
  return WithCoordinate(CopyWithoutMember(attributes, kGridMappingAttribute), name, "");
}

}  // namespace gdal_zarr
