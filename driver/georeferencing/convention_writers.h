#pragma once

#include <optional>
#include <string>

#include "driver/georeferencing/georeferencing_writer.h"
#include "zarrlib/json/json_node.h"

/// The writing side of the conventions, one file each. Each function returns an array's attributes as they are to be;
/// what it stores elsewhere it stores at once. All throw zarr::Error.
namespace gdal_zarr {

/// The array whose place is stored.
struct GeoTarget {
  EditableArray& array;
  RasterAxes axes;
  bool with_transform = true;  ///< Else only the CRS changes.
};

// write_gdal
zarr::JsonNode WithGdal(const zarr::JsonNode& attributes, const GeoTarget& target, const Georeferencing& place);
zarr::JsonNode WithoutGdal(const zarr::JsonNode& attributes, const GeoTarget& target);

// write_geozarr
zarr::JsonNode WithGeoZarr(const zarr::JsonNode& attributes, const GeoTarget& target, const Georeferencing& place);
zarr::JsonNode WithoutGeoZarr(const zarr::JsonNode& attributes, const GeoTarget& target);

// write_cf
zarr::JsonNode WithCf(const zarr::JsonNode& attributes, const GeoTarget& target, const Georeferencing& place);
zarr::JsonNode WithoutCf(const zarr::JsonNode& attributes, const GeoTarget& target);

// rasterio
/// It is not written: the attributes without what ReadRasterioSpatialRef and ReadRasterioGeoTransform would read.
zarr::JsonNode WithoutRasterio(const zarr::JsonNode& attributes, const GeoTarget& target);

// write_coordinates
/// Whether coordinate arrays can say it: it is not rotated, and there is a place for them.
bool FitsCoordinates(const GeoTarget& target, const std::optional<GeoTransform>& transform);
/// Gives a new array the dimensions of other arrays if coordinate arrays of their names say where it lies, and
/// dimensions of its own if they say, or would say, where others lie, or if coordinates cannot say where it does.
void ChooseAxes(const GeoTarget& target, const Georeferencing& place);
/// Writes the coordinate arrays of X and Y, the centres of pixels, beside the array; removes them where they would say
/// something else.
void SaveCoordinates(const GeoTarget& target, const Georeferencing& place);
/// Adds the attributes of CF that say what the coordinates are, where there are coordinate arrays.
void DescribeCoordinates(const GeoTarget& target, const OGRSpatialReference& srs);

// shared
/// The CRS as WKT of that form ("WKT2_2019", "WKT1_GDAL"), "" where it has none.
std::string ToWkt(const OGRSpatialReference& srs, const char* form);
/// The CRS as PROJJSON; nothing where it has none.
std::optional<zarr::JsonNode> ToProjJson(const OGRSpatialReference& srs);
/// "EPSG:32631"; "" for a CRS without a code.
std::string CodeOf(const OGRSpatialReference& srs);

}  // namespace gdal_zarr
