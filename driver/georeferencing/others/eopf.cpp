// SPDX-License-Identifier: MIT
#include "driver/georeferencing/affine.h"
#include "driver/georeferencing/conventions.h"
#include "driver/georeferencing/geozarr/conventions_list.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

SpatialRef ParseCode(const JsonNode& code) {
  if (code.IsInteger()) return ParseSpatialRef("EPSG:" + std::to_string(code.AsInt64()));
  return code.IsString() ? ParseSpatialRef(code.AsString()) : nullptr;
}

/// Reads properties of STAC's projection extension. No convention is declared for them; where GeoZarr's `proj` is
/// declared, they hold for direct children only.
SpatialRef ReadSpatialRefAttributes(const JsonNode& attributes) {
  if (!attributes.IsObject() || Declares(attributes, kProjConvention)) return nullptr;
  for (const char* name : {"proj:epsg", "proj:code", "proj:wkt2", "proj:projjson"}) {
    const auto value = attributes.Find(name);
    if (!value || value->IsNull()) continue;
    if (value->IsObject()) return ParseSpatialRef(*value);
    if (auto srs = ParseCode(*value)) return srs;
  }
  return nullptr;
}

SpatialRef ReadStacSpatialRef(const JsonNode& attributes) {
  const auto stac = FindMember(attributes, "stac_discovery");
  const auto properties = stac ? FindMember(*stac, "properties") : std::nullopt;
  return properties ? ReadSpatialRefAttributes(*properties) : nullptr;
}

/// Returns nothing if `proj:shape` is another size.
std::optional<GeoTransform> ReadTransform(const JsonNode& attributes, std::uint64_t width, std::uint64_t height) {
  if (!attributes.IsObject() || Declares(attributes, kProjConvention)) return std::nullopt;
  const auto said = [&](const char* name) {
    const auto value = attributes.Find(name);
    return value && !value->IsNull() ? value : std::nullopt;
  };
  const auto shape = said("proj:shape");
  if (shape) {
    if (!shape->IsArray() || shape->size() != 2) shape->FailExpected("the height and the width");
    if ((*shape)[0].AsUint64() != height || (*shape)[1].AsUint64() != width) return std::nullopt;
  }
  if (const auto numbers = said("proj:transform")) return ReadAffineOrMatrix(*numbers);
  const auto box = said("proj:bbox");
  return box ? ReadBox(*box, width, height, false) : std::nullopt;
}

}  // namespace

std::optional<GeoTransform> ReadEopfGeoTransform(const GeoContext& context, const RasterAxes& axes) {
  if (axes.y >= context.array.rank()) return std::nullopt;
  const std::uint64_t width = context.array.shape()[axes.x];
  const std::uint64_t height = context.array.shape()[axes.y];
  const auto own = ReadTransform(context.array.metadata().attributes, width, height);
  if (own || context.array.path().empty()) return own;
  return ReadTransform(context.nodes.FindGroupAttributes(context.GetGroupPath()), width, height);
}

SpatialRef ReadEopfSpatialRef(const GeoContext& context) {
  if (auto srs = ReadSpatialRefAttributes(context.array.metadata().attributes)) return srs;
  if (context.array.path().empty()) return nullptr;
  std::string group = context.GetGroupPath();
  while (true) {
    const JsonNode attributes = context.nodes.FindGroupAttributes(group);
    if (auto srs = ReadSpatialRefAttributes(attributes)) return srs;
    if (group.empty()) return ReadStacSpatialRef(attributes);
    const std::size_t slash = group.rfind('/');
    group = slash == std::string::npos ? "" : group.substr(0, slash);
  }
}

}  // namespace gdal_zarr
