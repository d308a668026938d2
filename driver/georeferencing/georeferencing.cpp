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

constexpr const char* kAnySpatialRef = "a coordinate reference system";

constexpr Convention kConventions[] = {
    {"GeoZarr", ReadProjSpatialRef, ReadProjSpatialRef, ReadSpatialGeoTransform},
    {"CF", ReadCfSpatialRef, ReadCfSpatialRef, ReadCfGeoTransform},
    {"GDAL", ReadGdalSpatialRef, ReadGdalSpatialRef, ReadGdalGeoTransform},
    {"EOPF", ReadEopfSpatialRef, ReadOwnEopfSpatialRef, nullptr},
    {"rasterio", ReadRasterioSpatialRef, ReadRasterioSpatialRef, ReadRasterioGeoTransform},
    {"PAM", ReadPamSpatialRef, ReadPamSpatialRef, nullptr},
    {"rioxarray", ReadUsualSpatialRef, nullptr, nullptr},
};

/// Those that an array can use for itself alone.
constexpr Convention kOwnConventions[] = {
    {"CF", ReadCfSpatialRef, ReadCfSpatialRef, nullptr},
    {"GDAL", ReadGdalSpatialRef, ReadGdalSpatialRef, nullptr},
    {"PAM", ReadPamSpatialRef, ReadPamSpatialRef, nullptr},
};

/// Runs a reader. Bad metadata give a warning, and do not keep the array from being opened.
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

/// Adds the coordinate epoch, which only the side file can hold.
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

/// Warns of conventions after the first one that say another SRS. Returns whether there is one.
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

bool IsCode(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Returns null for what is no SRS.
SpatialRef TryParseSpatialRef(const zarr::JsonNode& form) {
  if (!form.IsString() && !form.IsObject() && !form.IsInteger()) return nullptr;
  std::string text = form.IsString() ? form.AsString() : form.Dump();
  if (IsCode(text)) text.insert(0, "EPSG:");
  auto srs = std::make_unique<OGRSpatialReference>();
  const ErrorCollector hidden_errors;
  if (srs->SetFromUserInput(text.c_str(), OGRSpatialReference::SET_FROM_USER_INPUT_LIMITATIONS_get()) != OGRERR_NONE) {
    return nullptr;
  }
  srs->SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  return srs;
}

}  // namespace

std::optional<zarr::JsonNode> GeoContext::FindAttribute(std::string_view name) const {
  const zarr::JsonNode& attributes = array.metadata().attributes;
  return FindMember(attributes, name);
}

std::string GeoContext::GetGroupPath() const {
  return GetParentPath(array.path());
}

const GeoZarrProperties& GeoContext::ReadGeoZarr() const {
  if (!geozarr) geozarr = std::make_shared<const GeoZarrProperties>(*this);
  return *geozarr;
}

SpatialRef ReadSpatialRef(const GeoContext& context, bool* contradicted) {
  return ReadFirstSpatialRef(context, kConventions, contradicted);
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
  const ErrorCollector known;  // bad metadata were reported when they were read
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

SpatialRef ParseSpatialRef(const std::string& text) {
  return ParseSpatialRef(zarr::JsonNode::MakeString(text));
}

SpatialRef ParseSpatialRef(const zarr::JsonNode& form) {
  SpatialRef srs = TryParseSpatialRef(form);
  if (!srs) CPLError(CE_Warning, CPLE_AppDefined, "%s", FormatUnusable(form, kAnySpatialRef).c_str());
  return srs;
}

SpatialRef ParseForms(const GeoContext& context, std::span<const zarr::JsonNode> forms) {
  SpatialRef first;
  const zarr::JsonNode* first_form = nullptr;
  for (const zarr::JsonNode& form : forms) {
    if (first && form == *first_form) continue;
    SpatialRef srs = TryParseSpatialRef(form);
    if (!srs) {
      context.nodes.WarnOnce(FormatUnusable(form, kAnySpatialRef));
    } else if (!first) {
      first = std::move(srs);
      first_form = &form;
    } else if (!AreSameSpatialRef(*srs, *first)) {
      const std::string expected = DescribeSpatialRef(*first) + ", as " + first_form->pointer() + " says";
      context.nodes.WarnOnce(FormatContradiction(form, expected, DescribeSpatialRef(*srs)));
    }
  }
  return first;
}

SpatialRef MapToDimensions(const OGRSpatialReference& srs, std::size_t x_dimension, std::size_t y_dimension) {
  SpatialRef result(srs.Clone());
  std::vector<int> mapping = srs.GetDataAxisToSRSAxisMapping();
  // Entry i of the mapping is the data axis of the SRS's axis i, counted from 1; here, data axes are dimensions.
  for (int& axis : mapping) {
    if (axis == 1 || axis == 2) axis = static_cast<int>(axis == 1 ? x_dimension : y_dimension) + 1;
  }
  result->SetDataAxisToSRSAxisMapping(mapping);
  return result;
}

}  // namespace gdal_zarr
