// SPDX-License-Identifier: MIT
#include "driver/georeferencing/georeferencing.h"

#include <algorithm>
#include <span>
#include <utility>

#include "driver/dataset/attribute_names.h"
#include "driver/dataset/unused_attribute.h"
#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/conventions.h"
#include "driver/georeferencing/geozarr/geozarr_level.h"
#include "driver/georeferencing/geozarr/geozarr_properties.h"
#include "driver/georeferencing/same_spatial_ref.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

/// One way to express georeferencing: a row of the tables below. The first rows take precedence.
struct Convention {
  const char* name;
  /// Reads the array's SRS; null if this convention is not used.
  SpatialRef (*read_spatial_ref)(const GeoContext& context);
  /// Reads the SRS that the array itself specifies by this convention, to be compared with the SRS of an earlier
  /// convention; may be null.
  SpatialRef (*read_stated)(const GeoContext& context);
  /// Reads the array's geotransform, if it is expressed by other means than coordinate arrays.
  std::optional<GeoTransform> (*read_geotransform)(const GeoContext& context, const RasterAxes& axes);
};

constexpr Convention kConventions[] = {
    {"GeoZarr", ReadProjSpatialRef, ReadProjSpatialRef, ReadSpatialGeoTransform},
    {"CF", ReadCfSpatialRef, ReadCfSpatialRef, ReadCfGeoTransform},
    {"GDAL", ReadGdalSpatialRef, ReadGdalSpatialRef, ReadGdalGeoTransform},
    {"EOPF", ReadEopfSpatialRef, ReadOwnEopfSpatialRef, nullptr},
    {"rasterio", ReadRasterioSpatialRef, ReadRasterioSpatialRef, ReadRasterioGeoTransform},
    {"PAM", ReadPamSpatialRef, ReadPamSpatialRef, nullptr},
    {"rioxarray", ReadUsualSpatialRef, nullptr, nullptr},  // the last one, see StatesSpatialRef
};

/// The conventions that an array can use for itself alone.
constexpr Convention kOwnConventions[] = {
    {"CF", ReadCfSpatialRef, ReadCfSpatialRef, nullptr},
    {"GDAL", ReadGdalSpatialRef, ReadGdalSpatialRef, nullptr},
    {"PAM", ReadPamSpatialRef, ReadPamSpatialRef, nullptr},
};

/// Runs a reader. Invalid metadata cause a warning, and do not prevent the array from being opened.
template <typename Reader>
auto Tolerate(const GeoContext& context, const char* convention, Reader reader) -> decltype(reader()) {
  try {
    return reader();
  } catch (const zarr::Error& error) {
    if (error.kind() == zarr::ErrorKind::kIo) throw;
    context.nodes.WarnOnce(std::string(convention) + " georeferencing is ignored: " + error.what());
    return {};
  }
}

/// Adds the coordinate epoch, which only the PAM file can store.
SpatialRef WithEpoch(const GeoContext& context, SpatialRef srs) {
  if (srs->GetCoordinateEpoch() > 0) return srs;
  const SpatialRef saved = ReadPamSpatialRef(context);
  const char* const options[] = {"IGNORE_COORDINATE_EPOCH=YES", nullptr};
  if (saved && saved->GetCoordinateEpoch() > 0 && saved->IsSame(srs.get(), options)) {
    srs->SetCoordinateEpoch(saved->GetCoordinateEpoch());
  }
  return srs;
}

std::string NameSource(const GeoContext& context, const char* convention, const char* what) {
  return MakeGdalFullName(context.array.path()) + ": the " + what + " of " + convention;
}

/// Warns about conventions after the first one with another SRS. Returns true if there is one.
bool WarnOfOthers(const GeoContext& context, const OGRSpatialReference& srs, std::span<const Convention> conventions) {
  bool found = false;
  for (const Convention& other : conventions.subspan(1)) {
    if (!other.read_stated) continue;
    const auto stated = Tolerate(context, other.name, [&] { return other.read_stated(context); });
    if (!stated || AreSameSpatialRef(*stated, srs)) continue;
    found = true;
    context.nodes.WarnOnce(NameSource(context, other.name, "CRS") + ", " + DescribeSpatialRef(*stated) +
                           ", contradicts that of " + conventions.front().name + ", " + DescribeSpatialRef(srs) +
                           "; the latter is used");
  }
  return found;
}

SpatialRef ReadFirstSpatialRef(const GeoContext& context, std::span<const Convention> conventions, bool* contradicted) {
  for (; !conventions.empty(); conventions = conventions.subspan(1)) {
    const Convention& convention = conventions.front();
    auto srs = Tolerate(context, convention.name, [&] { return convention.read_spatial_ref(context); });
    if (!srs) continue;
    const bool others = WarnOfOthers(context, *srs, conventions);
    if (contradicted) *contradicted = others;
    return WithEpoch(context, std::move(srs));
  }
  return nullptr;
}

}  // namespace

SpatialRef ReadSpatialRef(const GeoContext& context, bool* contradicted) {
  return ReadFirstSpatialRef(context, kConventions, contradicted);
}

bool StatesSpatialRef(const GeoContext& context) {
  const std::span all(kConventions);
  return ReadFirstSpatialRef(context, all.first(all.size() - 1), nullptr) != nullptr;
}

SpatialRef ReadOwnSpatialRef(const GeoContext& context) {
  return ReadFirstSpatialRef(context, kOwnConventions, nullptr);
}

std::vector<StatedTransform> ReadStatedTransforms(const GeoContext& context, const RasterAxes& axes) {
  std::vector<StatedTransform> stated;
  for (const Convention& convention : kConventions) {
    if (!convention.read_geotransform) continue;
    const auto transform =
        Tolerate(context, convention.name, [&] { return convention.read_geotransform(context, axes); });
    if (transform) stated.push_back({NameSource(context, convention.name, "transform"), *transform});
  }
  return stated;
}

std::vector<StatedTransform> ReadUndeclaredTransforms(const GeoContext& context, const RasterAxes& axes) {
  const auto transform = Tolerate(context, "EOPF", [&] { return ReadEopfGeoTransform(context, axes); });
  if (!transform) return {};
  return {{NameSource(context, "EOPF", "transform"), *transform}};
}

std::optional<RasterAxes> ReadRasterAxes(const GeoContext& context, const std::vector<std::string>& dimension_names) {
  const auto axes = Tolerate(context, "GeoZarr", [&] { return ReadSpatialAxes(context); });
  if (!axes) return std::nullopt;
  const auto index = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(dimension_names.begin(), dimension_names.end(), name) -
                                    dimension_names.begin());
  };
  const RasterAxes found{index(axes->x), index(axes->y)};
  if (found.x < dimension_names.size() && found.y < dimension_names.size() && found.x != found.y) return found;
  const zarr::Error error(zarr::ErrorKind::kCorrupt, context.array.store().name(), context.array.path(), "",
                          "spatial:dimensions is ignored: expected two of the array's dimensions, got \"" + axes->y +
                              "\" and \"" + axes->x + "\"");
  CPLError(CE_Warning, CPLE_AppDefined, "%s", error.what());
  return std::nullopt;
}

bool HasGridMapping(const GeoContext& context) {
  if (!context.FindAttribute(kGridMappingAttribute)) return false;
  const ErrorCollector known;  // invalid metadata were reported when they were read
  return Tolerate(context, "CF", [&] { return ReadCfGeoTransform(context, {}).has_value(); }) ||
         Tolerate(context, "CF", [&] { return ReadCfSpatialRef(context) != nullptr; });
}

Registration ReadRegistration(const GeoContext& context) {
  return Tolerate(context, "GeoZarr", [&] { return ReadSpatialRegistration(context); });
}

bool IsElsewhere(const GeoContext& array, const GeoContext& overview, const RasterAxes& axes) {
  if (!Tolerate(array, "GeoZarr", [&] { return LiesElsewhere(array, overview, axes); })) return false;
  CPLError(CE_Warning, CPLE_AppDefined, "%s is no overview of %s: by the multiscales layout, it has another extent",
           overview.array.path().c_str(), array.array.path().c_str());
  return true;
}

}  // namespace gdal_zarr
