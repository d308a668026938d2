// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "driver/dataset/editable_array.h"
#include "driver/georeferencing/affine.h"
#include "driver/georeferencing/convention_writers.h"
#include "driver/georeferencing/geozarr/conventions_list.h"
#include "driver/georeferencing/geozarr/geozarr_properties.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

constexpr const char* kProjMembers[] = {"proj:code", "proj:wkt2", "proj:projjson"};
constexpr const char* kSpatialMembers[] = {"spatial:dimensions", "spatial:transform", "spatial:transform_type",
                                           "spatial:bbox", "spatial:registration", "spatial:shape",
                                           // Their names from when they were part of `proj`.
                                           "proj:spatial_dimensions", "proj:transform", "proj:bbox", "proj:shape"};

constexpr const char* kDimensionMembers[] = {"spatial:dimensions", "proj:spatial_dimensions"};

// The conventions' schemas prescribe these strings.
constexpr const char* kProjDescription = "Coordinate reference system information for geospatial data";
constexpr const char* kSpatialDescription = "Spatial coordinate information";

JsonNode Text(std::string_view text) {
  return JsonNode::MakeString(text);
}

JsonNode WithoutProj(JsonNode attributes) {
  for (const char* member : kProjMembers) attributes = CopyWithoutMember(attributes, member);
  return WithoutConvention(attributes, kProjConvention);
}

JsonNode WithoutSpatial(JsonNode attributes) {
  for (const char* member : kSpatialMembers) attributes = CopyWithoutMember(attributes, member);
  return WithoutConvention(attributes, kSpatialConvention);
}

/// Returns [xmin, ymin, xmax, ymax] of a raster's four corners.
JsonNode MakeBox(const GeoTransform& t, double width, double height) {
  const auto x = [&](double column, double row) { return t[0] + column * t[1] + row * t[2]; };
  const auto y = [&](double column, double row) { return t[3] + column * t[4] + row * t[5]; };
  const auto xs = std::minmax({x(0, 0), x(width, 0), x(0, height), x(width, height)});
  const auto ys = std::minmax({y(0, 0), y(width, 0), y(0, height), y(width, height)});
  return zarr::MakeNumberList({xs.first, ys.first, xs.second, ys.second});
}

/// With node registration, the box is that of the outermost centres.
JsonNode MakeRegisteredBox(const Georeferencing& place, const RasterExtent& extent) {
  const double less = place.is_point ? 1.0 : 0.0;
  return MakeBox(GetRegisteredTransform(place), static_cast<double>(extent.width) - less,
                 static_cast<double>(extent.height) - less);
}

JsonNode WithSpatial(const JsonNode& attributes, const GeoTarget& target, const Georeferencing& place) {
  const auto& dimensions = target.array.gdal_array().GetDimensions();
  JsonNode result = WithConvention(WithoutSpatial(attributes), kSpatialConvention, "spatial", kSpatialDescription);
  const auto width = dimensions[target.axes.x]->GetSize();
  const auto height = dimensions[target.axes.y]->GetSize();
  const GeoTransform t = GetRegisteredTransform(place);
  const auto names =
      JsonNode::MakeArray({Text(dimensions[target.axes.y]->GetName()), Text(dimensions[target.axes.x]->GetName())});
  result = CopyWithMember(result, "spatial:dimensions", names);
  result = CopyWithMember(result, "spatial:transform_type", Text("affine"));
  result = CopyWithMember(result, "spatial:transform", zarr::MakeNumberList({t[1], t[2], t[0], t[4], t[5], t[3]}));
  result = CopyWithMember(result, "spatial:shape",
                          JsonNode::MakeArray({JsonNode::MakeUnsigned(height), JsonNode::MakeUnsigned(width)}));
  return CopyWithMember(result, "spatial:registration", Text(place.is_point ? "node" : "pixel"));
}

/// An array without its own properties inherits those of its group, so the array's cannot be removed.
void CheckNotInherited(const GeoTarget& target, bool (GeoZarrProperties::*inherits)() const, const char* what) {
  const GeoContext context{*target.array.resource(), target.array.array()};
  const GeoZarrProperties properties(context);
  if (!(properties.*inherits)()) return;
  throw zarr::Error(zarr::ErrorKind::kUnsupported,
                    std::string(what) + " cannot be removed from this array: it would inherit that of its group");
}

}  // namespace

JsonNode WithProj(const JsonNode& attributes, const OGRSpatialReference& srs) {
  JsonNode result = WithConvention(WithoutProj(attributes), kProjConvention, "proj", kProjDescription);
  const std::string code = FindCode(srs);
  if (!code.empty()) return CopyWithMember(result, "proj:code", Text(code));
  const std::string wkt = ToWkt(srs, "WKT2_2019");
  if (!wkt.empty()) result = CopyWithMember(result, "proj:wkt2", Text(wkt));
  if (const auto projjson = ToProjJson(srs)) result = CopyWithMember(result, "proj:projjson", *projjson);
  return result;
}

JsonNode WithSpatialExtent(const JsonNode& attributes, const std::string& y_name, const std::string& x_name,
                           const RasterExtent& extent, const Georeferencing& place) {
  JsonNode result = WithConvention(WithoutSpatial(attributes), kSpatialConvention, "spatial", kSpatialDescription);
  result = CopyWithMember(result, "spatial:dimensions", JsonNode::MakeArray({Text(y_name), Text(x_name)}));
  result = CopyWithMember(result, "spatial:bbox", MakeRegisteredBox(place, extent));
  return CopyWithMember(result, "spatial:registration", Text(place.is_point ? "node" : "pixel"));
}

JsonNode WithDimensionRenamed(const JsonNode& attributes, const std::string& from, const std::string& to) {
  JsonNode result = attributes;
  for (const char* member : kDimensionMembers) {
    const auto known = FindMember(attributes, member);
    if (!known || !known->IsArray()) continue;
    std::vector<JsonNode> names;
    for (const JsonNode& name : known->GetItems()) names.push_back(name == Text(from) ? Text(to) : name);
    result = CopyWithMember(result, member, JsonNode::MakeArray(names));
  }
  return result;
}

GeoTransform GetRegisteredTransform(const Georeferencing& place) {
  return place.is_point ? ToCentres(*place.transform) : *place.transform;
}

JsonNode WithGeoZarr(const JsonNode& attributes, const GeoTarget& target, const Georeferencing& place) {
  if (!place.srs) CheckNotInherited(target, &GeoZarrProperties::InheritsProj, "the CRS");
  JsonNode result = place.srs ? WithProj(attributes, *place.srs) : WithoutProj(attributes);
  if (!target.with_transform) return result;
  if (!place.transform) CheckNotInherited(target, &GeoZarrProperties::InheritsSpatial, "the geotransform");
  return place.transform ? WithSpatial(result, target, place) : WithoutSpatial(result);
}

JsonNode WithoutGeoZarr(const JsonNode& attributes, const GeoTarget& target) {
  const JsonNode result = WithoutProj(attributes);
  return target.with_transform ? WithoutSpatial(result) : result;
}

}  // namespace gdal_zarr
