#include "driver/georeferencing/affine.h"
#include "driver/georeferencing/conventions.h"
#include "driver/georeferencing/geozarr/conventions_list.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

SpatialRef FromCode(const JsonNode& code) {
  if (code.IsInteger()) return ParseSpatialRef("EPSG:" + std::to_string(code.AsInt64()));
  return code.IsString() ? ParseSpatialRef(code.AsString()) : nullptr;
}

/// The properties of the STAC projection extension, as they stand in attributes without a convention being declared:
/// where GeoZarr's is, they hold for direct children only.
SpatialRef FromAttributes(const JsonNode& attributes) {
  if (!attributes.IsObject() || Declares(attributes, kProjConvention)) return nullptr;
  for (const char* name : {"proj:epsg", "proj:code", "proj:wkt2", "proj:projjson"}) {
    const auto value = attributes.Find(name);
    if (!value || value->IsNull()) continue;
    if (value->IsObject()) return ParseSpatialRef(*value);
    if (auto srs = FromCode(*value)) return srs;
  }
  return nullptr;
}

SpatialRef FromStac(const JsonNode& attributes) {
  const auto stac = attributes.IsObject() ? attributes.Find("stac_discovery") : std::nullopt;
  const auto properties = stac && stac->IsObject() ? stac->Find("properties") : std::nullopt;
  return properties ? FromAttributes(*properties) : nullptr;
}

/// Nothing for a raster of another size than `proj:shape` says.
std::optional<GeoTransform> TransformFrom(const JsonNode& attributes, std::uint64_t width, std::uint64_t height) {
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
  const auto own = TransformFrom(context.array.metadata().attributes, width, height);
  if (own || context.array.path().empty()) return own;
  return TransformFrom(context.nodes.FindGroupAttributes(context.GroupPath()), width, height);
}

SpatialRef ReadEopfSpatialRef(const GeoContext& context) {
  if (auto srs = FromAttributes(context.array.metadata().attributes)) return srs;
  if (context.array.path().empty()) return nullptr;
  std::string group = context.GroupPath();
  while (true) {
    const JsonNode attributes = context.nodes.FindGroupAttributes(group);
    if (auto srs = FromAttributes(attributes)) return srs;
    if (group.empty()) return FromStac(attributes);
    const std::size_t slash = group.rfind('/');
    group = slash == std::string::npos ? "" : group.substr(0, slash);
  }
}

}  // namespace gdal_zarr
