#include "driver/georeferencing/georeferencing.h"

#include "driver/georeferencing/conventions.h"

namespace gdal_zarr {
namespace {

constexpr Convention kConventions[] = {
    {"CF", ReadCfSpatialRef, ReadCfGeoTransform},
    {"GDAL", ReadGdalSpatialRef, nullptr},
};

/// Runs a reader; what is wrong with its metadata does not keep the array from being read.
template <typename Result, typename Reader>
Result Tolerate(const Convention& convention, Reader reader, const GeoContext& context) {
  if (!reader) return {};
  try {
    return reader(context);
  } catch (const zarr::Error& error) {
    CPLError(CE_Warning, CPLE_AppDefined, "%s georeferencing is ignored: %s", convention.name, error.what());
    return {};
  }
}

}  // namespace

std::optional<zarr::JsonNode> GeoContext::Attribute(std::string_view name) const {
  const zarr::JsonNode& attributes = array.metadata().attributes;
  return attributes.IsObject() ? attributes.Find(name) : std::nullopt;
}

std::string GeoContext::GroupPath() const {
  const std::size_t slash = array.path().rfind('/');
  return slash == std::string::npos ? "" : array.path().substr(0, slash);
}

SpatialRef ReadSpatialRef(const GeoContext& context) {
  for (const Convention& convention : kConventions) {
    if (auto srs = Tolerate<SpatialRef>(convention, convention.read_spatial_ref, context)) return srs;
  }
  return nullptr;
}

std::optional<GeoTransform> ReadGeoTransform(const GeoContext& context) {
  for (const Convention& convention : kConventions) {
    if (auto transform = Tolerate<std::optional<GeoTransform>>(convention, convention.read_geotransform, context)) {
      return transform;
    }
  }
  return std::nullopt;
}

SpatialRef ParseSpatialRef(const std::string& text) {
  auto srs = std::make_unique<OGRSpatialReference>();
  CPLPushErrorHandler(CPLQuietErrorHandler);
  const OGRErr result =
      srs->SetFromUserInput(text.c_str(), OGRSpatialReference::SET_FROM_USER_INPUT_LIMITATIONS_get());
  CPLPopErrorHandler();
  if (result != OGRERR_NONE) {
    CPLError(CE_Warning, CPLE_AppDefined, "not a coordinate reference system: %.100s", text.c_str());
    return nullptr;
  }
  srs->SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  return srs;
}

SpatialRef ForDimensions(const OGRSpatialReference& srs, std::size_t x_dimension, std::size_t y_dimension) {
  SpatialRef result(srs.Clone());
  std::vector<int> mapping = srs.GetDataAxisToSRSAxisMapping();
  // GDAL counts the SRS's axes: entry i is the data axis of the SRS's axis i, here a dimension.
  for (int& axis : mapping) {
    if (axis == 1 || axis == 2) axis = static_cast<int>(axis == 1 ? x_dimension : y_dimension) + 1;
  }
  result->SetDataAxisToSRSAxisMapping(mapping);
  return result;
}

}  // namespace gdal_zarr
