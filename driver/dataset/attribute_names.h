// SPDX-License-Identifier: MIT
#pragma once

/// Names of attributes that several parts of the driver read or write.
namespace gdal_zarr {

// CF
inline constexpr const char* kUnitsAttribute = "units";
inline constexpr const char* kUomAttribute = "uom";
inline constexpr const char* kScaleAttribute = "scale_factor";
inline constexpr const char* kOffsetAttribute = "add_offset";
inline constexpr const char* kFillValueAttribute = "_FillValue";
inline constexpr const char* kMissingValueAttribute = "missing_value";
/// How bytes are to be decoded to text (netCDF's conventions).
inline constexpr const char* kEncodingAttribute = "_Encoding";
inline constexpr const char* kUnsignedAttribute = "_Unsigned";
inline constexpr const char* kGridMappingAttribute = "grid_mapping";
inline constexpr const char* kCoordinatesAttribute = "coordinates";
inline constexpr const char* kBoundsAttribute = "bounds";

// GDAL
inline constexpr const char* kCrsAttribute = "_CRS";
inline constexpr const char* kGeoTransformAttribute = "gdal:geotransform";
inline constexpr const char* kBandsAttribute = "gdal:bands";
inline constexpr const char* kColorInterpretationAttribute = "COLOR_INTERPRETATION";
inline constexpr const char* kColorTableAttribute = "COLOR_TABLE";

// GeoZarr
inline constexpr const char* kConventionsAttribute = "zarr_conventions";
inline constexpr const char* kMultiscalesAttribute = "multiscales";

}  // namespace gdal_zarr
