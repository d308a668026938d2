// SPDX-License-Identifier: MIT
#include <initializer_list>
#include <string>
#include <string_view>

#include "driver/georeferencing/affine.h"
#include "driver/georeferencing/conventions.h"
#include "driver/georeferencing/geozarr/conventions_list.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// Finds a nested member. Returns nullopt if one of the members on the way is missing or null.
std::optional<JsonNode> FindInside(const JsonNode& node, std::initializer_list<std::string_view> names) {
  std::optional<JsonNode> found = node;
  for (const std::string_view name : names) {
    found = FindMember(*found, name);
    if (!found || found->IsNull()) return std::nullopt;
  }
  return found;
}

SpatialRef ReadFirst(const JsonNode& object, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const auto form = FindInside(object, {name});
    if (!form || (!form->IsInteger() && !form->IsObject() && !form->IsString())) continue;
    if (auto srs = ParseSpatialRef(*form)) return srs;
  }
  return nullptr;
}

/// Reads properties of STAC's projection extension. No convention is declared for them; if GeoZarr's `proj` is
/// declared, they apply only to direct children.
SpatialRef ReadSpatialRefAttributes(const JsonNode& attributes) {
  if (!attributes.IsObject() || Declares(attributes, kProjConvention)) return nullptr;
  return ReadFirst(attributes, {"proj:epsg", "proj:code", "proj:wkt2", "proj:projjson"});
}

/// Reads the UTM zone from the name of a Sentinel-2 tile (MGRS), such as "T32VLK" or "32VLK".
SpatialRef ParseTile(std::string_view name) {
  if (name.starts_with('T')) name.remove_prefix(1);
  if (name.size() != 5) return nullptr;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) { return c >= 'A' && c <= 'Z' && c != 'I' && c != 'O'; };
  if (!is_digit(name[0]) || !is_digit(name[1])) return nullptr;
  const int zone = (name[0] - '0') * 10 + (name[1] - '0');
  const char band = name[2];
  if (zone < 1 || zone > 60 || !is_letter(band) || band < 'C' || band > 'X') return nullptr;
  if (!is_letter(name[3]) || !is_letter(name[4])) return nullptr;
  return ParseSpatialRef("EPSG:" + std::to_string((band >= 'N' ? 32600 : 32700) + zone));
}

/// Finds the tile in a product's name, such as "S2A_MSIL2A_20240701T101031_N0510_R022_T32VLK_20240701T140102.zarr".
SpatialRef ParseTileInName(std::string_view name) {
  for (std::size_t start = name.find("_T"); start != std::string_view::npos; start = name.find("_T", start + 1)) {
    const std::string_view rest = name.substr(start + 1);
    if (rest.size() > 6 && rest[6] != '_' && rest[6] != '.') continue;
    if (auto srs = ParseTile(rest.substr(0, 6))) return srs;
  }
  return nullptr;
}

SpatialRef ReadTile(const JsonNode& properties) {
  for (const char* name : {"s2:mgrs_tile", "mgrs_tile", "tile_id"}) {
    const auto tile = FindInside(properties, {name});
    if (!tile || !tile->IsString()) continue;
    if (auto srs = ParseTile(tile->AsString())) return srs;
  }
  return nullptr;
}

SpatialRef ReadStacSpatialRef(const JsonNode& root) {
  if (const auto properties = FindInside(root, {"stac_discovery", "properties"})) {
    if (auto srs = ReadFirst(*properties, {"proj:epsg", "proj:code", "proj:wkt2", "proj:projjson", "spatial_ref"})) {
      return srs;
    }
  }
  const auto geometry = FindInside(root, {"stac_discovery", "geometry", "crs", "properties"});
  return geometry ? ReadFirst(*geometry, {"code", "name"}) : nullptr;
}

/// Reads the attributes of a product's root.
SpatialRef ReadProductSpatialRef(const JsonNode& root) {
  if (auto srs = ReadStacSpatialRef(root)) return srs;
  if (const auto other = FindInside(root, {"other_metadata"})) {
    if (auto srs = ReadFirst(*other, {"proj:epsg", "horizontal_CRS_code"})) return srs;
  }
  return ReadFirst(root, {"spatial_ref"});
}

/// Reads the properties of the root's members, in which some products store them for their groups.
SpatialRef ReadSpatialRefOfMembers(const JsonNode& root) {
  if (!root.IsObject()) return nullptr;
  for (const auto& [name, member] : root.GetMembers()) {
    if (!member.IsObject()) continue;
    if (auto srs = ReadFirst(member, {"proj:epsg", "epsg"})) return srs;
  }
  return nullptr;
}

/// Derives an SRS from hints that do not specify it directly.
SpatialRef GuessSpatialRef(const GeoContext& context, const JsonNode& root) {
  if (auto srs = ReadSpatialRefOfMembers(root)) return srs;
  if (const auto properties = FindInside(root, {"stac_discovery", "properties"})) {
    if (auto srs = ReadTile(*properties)) return srs;
  }
  return ParseTileInName(CPLGetFilename(context.array.store().name().c_str()));
}

/// Returns true if the array belongs to an EOPF product that has an SRS.
bool IsInProduct(const GeoContext& context) {
  return context.FindAttribute("_eopf_attrs").has_value();
}

/// Returns nullopt if `proj:shape` is a different size.
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
  return ReadTransform(context.nodes.finder().FindGroupAttributes(context.GetGroupPath()), width, height);
}

SpatialRef ReadOwnEopfSpatialRef(const GeoContext& context) {
  return ReadSpatialRefAttributes(context.array.metadata().attributes);
}

SpatialRef ReadEopfSpatialRef(const GeoContext& context) {
  if (auto srs = ReadOwnEopfSpatialRef(context)) return srs;
  if (context.array.path().empty() || !context.has_axes) return nullptr;
  for (std::string group = context.GetGroupPath();; group = GetParentPath(group)) {
    const JsonNode attributes = context.nodes.finder().FindGroupAttributes(group);
    if (auto srs = ReadSpatialRefAttributes(attributes)) return srs;
    if (!group.empty()) continue;
    if (auto srs = ReadProductSpatialRef(attributes)) return srs;
    return IsInProduct(context) ? GuessSpatialRef(context, attributes) : nullptr;
  }
}

}  // namespace gdal_zarr
