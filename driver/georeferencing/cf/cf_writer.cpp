#include "driver/dataset/editable_array.h"
#include "driver/georeferencing/convention_writers.h"
#include "driver/new_array/array_metadata_builder.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

constexpr const char* kUsualName = "spatial_ref";

JsonNode Text(const std::string& text) {
  return JsonNode::MakeString(text);
}

std::string GridMappingOf(const JsonNode& attributes) {
  const auto name = attributes.IsObject() ? attributes.Find("grid_mapping") : std::nullopt;
  if (!name || !name->IsString()) return "";
  const std::string text = name->AsString();
  const std::string first = text.substr(0, text.find(' '));
  return first.ends_with(':') ? first.substr(0, first.size() - 1) : first;
}

/// The value of a CF attribute that GDAL gives as text.
JsonNode FromGdalText(const std::string& text) {
  const CPLStringList items(CSLTokenizeString2(text.c_str(), ",", CSLT_STRIPLEADSPACES));
  std::vector<JsonNode> numbers;
  for (int i = 0; i < items.size(); ++i) {
    if (CPLGetValueType(items[i]) == CPL_VALUE_STRING) return Text(text);
    numbers.push_back(JsonNode::MakeFloat(CPLAtof(items[i])));
  }
  return numbers.size() == 1 ? numbers[0] : JsonNode::MakeArray(numbers);
}

/// Six numbers in GDAL's order, as rioxarray has them.
std::string TransformText(const GeoTransform& transform) {
  std::string text;
  for (const double number : transform) text += (text.empty() ? "" : " ") + std::string(CPLSPrintf("%.17g", number));
  return text;
}

/// The attributes of a grid mapping variable. `before` are those that it has: a change of the CRS alone keeps the
/// geotransform.
JsonNode GridMappingAttributes(const JsonNode& before, const GeoTarget& target, const Georeferencing& place) {
  std::vector<std::pair<std::string, JsonNode>> members;
  if (place.srs) {
    const CPLStringList parameters = ExportToCf(*place.srs);
    for (int i = 0; i < parameters.size(); ++i) {
      char* name = nullptr;
      const char* value = CPLParseNameValue(parameters[i], &name);
      const std::string key = name ? name : "";
      CPLFree(name);
      if (!key.empty() && key != "crs_wkt" && key != "spatial_ref" && key != "GeoTransform") {
        members.emplace_back(key, FromGdalText(value));
      }
    }
    const std::string wkt2 = ToWkt(*place.srs, "WKT2_2019");
    const std::string wkt1 = ToWkt(*place.srs, "WKT1_GDAL");
    members.emplace_back("crs_wkt", Text(wkt2.empty() ? wkt1 : wkt2));
    members.emplace_back("spatial_ref", Text(wkt1.empty() ? wkt2 : wkt1));
  }
  if (target.with_transform) {
    if (place.transform) members.emplace_back("GeoTransform", Text(TransformText(*place.transform)));
  } else if (const auto kept = before.IsObject() ? before.Find("GeoTransform") : std::nullopt) {
    members.emplace_back("GeoTransform", *kept);
  }
  return members.empty() ? JsonNode() : JsonNode::MakeObject(members);
}

/// Whether another array of the group has the same grid mapping variable.
bool IsShared(const GeoTarget& target, const std::string& name) {
  const zarr::Hierarchy& hierarchy = target.array.resource()->hierarchy();
  const std::string& path = target.array.array().path();
  const std::string group = ParentPath(path);
  for (const zarr::Hierarchy::Child& child : hierarchy.List(group)) {
    const std::string other = zarr::JoinKey(group, child.name);
    if (child.kind != zarr::NodeKind::kArray || other == path) continue;
    const FoundNode found = target.array.resource()->LookFor(other);
    if (found.broken) return true;  // for all that is known
    if (found.array && GridMappingOf(found.array->metadata().attributes) == name) return true;
  }
  return false;
}

JsonNode AttributesOf(const GeoTarget& target, const std::string& path) {
  const auto array = target.array.resource()->FindArray(path);
  // In v2 the names of dimensions, of which this has none, stand among them.
  return array ? CopyWithoutMember(array->metadata().attributes, "_ARRAY_DIMENSIONS") : JsonNode();
}

/// Whatever the order of members, which v2 sorts.
bool SayTheSame(const JsonNode& a, const JsonNode& b) {
  if (!a.IsObject() || !b.IsObject() || a.size() != b.size()) return false;
  for (const auto& [name, value] : a.GetMembers()) {
    if (b.Find(name) != std::optional(value)) return false;
  }
  return true;
}

/// The variable to write to: the array's own, else one of the usual name; one of another name where that is others'.
std::string ChooseName(const JsonNode& attributes, const GeoTarget& target, const JsonNode& wanted) {
  const std::string group = ParentPath(target.array.array().path());
  // One that says the same is as good as the array's own.
  if (SayTheSame(AttributesOf(target, zarr::JoinKey(group, kUsualName)), wanted)) return kUsualName;
  std::string name = GridMappingOf(attributes);
  if (name.empty() || name.find('/') != std::string::npos) name = kUsualName;
  const zarr::Hierarchy& hierarchy = target.array.resource()->hierarchy();
  if (!hierarchy.Probe(zarr::JoinKey(group, name))) return name;
  const bool same = SayTheSame(AttributesOf(target, zarr::JoinKey(group, name)), wanted);
  if (same || !IsShared(target, name)) return name;
  return std::string(kUsualName) + "_" + target.array.gdal_array().GetName();
}

/// An integer without dimensions, whose value says nothing.
void WriteVariable(const GeoTarget& target, const std::string& path, const JsonNode& attributes) {
  zarr::Hierarchy& hierarchy = target.array.resource()->Change();
  if (hierarchy.Probe(path)) {
    hierarchy.SetAttributes(path, attributes);
    return;
  }
  const char* const options[] = {"COMPRESS=NONE", nullptr};
  zarr::ArrayMetadata metadata =
      MakeArrayMetadata(hierarchy.format(), {}, GDALExtendedDataType::Create(GDT_Int32), CreationOptions(options), {});
  metadata.attributes = attributes;
  metadata.fill_value.defined = true;
  hierarchy.CreateArray(path, metadata);
  target.array.resource()->AddHelper(path);
}

/// Unless other arrays have it, too.
void RemoveVariable(const GeoTarget& target, const std::string& name) {
  const std::string path = zarr::JoinKey(ParentPath(target.array.array().path()), name);
  if (!target.array.resource()->FindArray(path) || IsShared(target, name)) return;
  target.array.resource()->DeleteNode(path);
}

/// xarray takes for coordinates what the attribute `coordinates` names, and rioxarray looks for the CRS among those.
JsonNode WithCoordinate(const JsonNode& attributes, const std::string& before, const std::string& name) {
  const auto known = attributes.IsObject() ? attributes.Find("coordinates") : std::nullopt;
  const std::string text = known && known->IsString() ? known->AsString() : "";
  const CPLStringList items(CSLTokenizeString2(text.c_str(), " ", 0));
  std::string joined;
  for (int i = 0; i < items.size(); ++i) {
    if (items[i] != before && items[i] != name) joined += std::string(items[i]) + " ";
  }
  joined += name;
  while (joined.ends_with(' ')) joined.pop_back();
  return joined.empty() ? CopyWithoutMember(attributes, "coordinates")
                        : CopyWithMember(attributes, "coordinates", Text(joined));
}

}  // namespace

JsonNode WithCf(const JsonNode& attributes, const GeoTarget& target, const Georeferencing& place) {
  const std::string before = GridMappingOf(attributes);
  const std::string group = ParentPath(target.array.array().path());
  const JsonNode known = before.empty() ? JsonNode() : AttributesOf(target, zarr::JoinKey(group, before));
  const JsonNode wanted = GridMappingAttributes(known, target, place);
  if (wanted.IsNull()) return WithoutCf(attributes, target);
  const std::string name = ChooseName(attributes, target, wanted);
  WriteVariable(target, zarr::JoinKey(group, name), wanted);
  if (!before.empty() && before != name) RemoveVariable(target, before);
  return WithCoordinate(CopyWithMember(attributes, "grid_mapping", Text(name)), before, name);
}

JsonNode WithoutCf(const JsonNode& attributes, const GeoTarget& target) {
  const std::string name = GridMappingOf(attributes);
  if (name.empty()) return attributes;
  RemoveVariable(target, name);
  return WithCoordinate(CopyWithoutMember(attributes, "grid_mapping"), name, "");
}

}  // namespace gdal_zarr
