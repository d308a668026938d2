// SPDX-License-Identifier: MIT
#include "driver/cf/attribute_number.h"
#include "driver/georeferencing/affine.h"
#include "driver/georeferencing/convention_writers.h"
#include "driver/georeferencing/conventions.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

constexpr const char* kCrs = "crs";
constexpr const char* kTransform = "transform";

/// Converts PROJ.4's "+init=epsg:4326" to "EPSG:4326".
std::string WithoutInit(const std::string& text) {
  constexpr const char* kInit = "+init=";
  const bool is_init = STARTS_WITH_CI(text.c_str(), kInit) && text.find(' ') == std::string::npos;
  return is_init ? text.substr(strlen(kInit)) : text;
}

/// Returns true if a node contains the rows of an affine matrix, perhaps without the last one. Other attributes are
/// also called `transform`.
bool IsMatrix(const JsonNode& node) {
  const auto numbers = ReadNumberList(node);
  return numbers && (numbers->size() == 6 || numbers->size() == 9);
}

}  // namespace

SpatialRef ReadRasterioSpatialRef(const GeoContext& context) {
  const auto crs = context.FindAttribute(kCrs);
  if (!crs || !crs->IsString() || crs->AsString().empty()) return nullptr;
  return ParseSpatialRef(WithoutInit(crs->AsString()));
}

std::optional<GeoTransform> ReadRasterioGeoTransform(const GeoContext& context, const RasterAxes&) {
  const auto matrix = context.FindAttribute(kTransform);
  return matrix && IsMatrix(*matrix) ? std::optional(ReadAffineOrMatrix(*matrix)) : std::nullopt;
}

JsonNode WithoutRasterio(const JsonNode& attributes, const GeoTarget& target) {
  if (!attributes.IsObject()) return attributes;
  const auto crs = attributes.Find(kCrs);
  const auto matrix = attributes.Find(kTransform);
  const JsonNode result = crs && crs->IsString() ? CopyWithoutMember(attributes, kCrs) : attributes;
  return target.with_transform && matrix && IsMatrix(*matrix) ? CopyWithoutMember(result, kTransform) : result;
}

}  // namespace gdal_zarr
