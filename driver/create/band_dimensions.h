// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

class SharedResource;

/// A dimension that is spread over the bands of a raster, and its coordinates. A value type.
struct BandDimension {
  std::string name;
  std::uint64_t size = 0;
  std::vector<double> values;             ///< The coordinates; empty if they are unknown or not numbers.
  std::vector<std::int64_t> integers;     ///< The exact coordinates if all are integers; otherwise empty.
  GDALDataType integer_type = GDT_Int64;  ///< Or GDT_UInt64, of which `integers` then have the bits.
  GDALDataType type = GDT_Float64;        ///< Storage type of coordinates that are not integers.
  std::string datetime_unit;              ///< The unit of NumPy's datetime64, if the integers are such times; otherwise
                                          /// empty.
  std::vector<std::string> texts;         ///< The coordinates if they are strings; otherwise empty.
  zarr::JsonNode attributes;              ///< The attributes of the coordinates, in CF form.
};

/// How to store times whose unit is not a CF unit, such as datetime64.
enum class TimeForm {
  kCf,      ///< As seconds, which all programs support.
  kAsTold,  ///< As datetime64, so that values and units are unchanged.
};

/// Finds the dimensions that are spread over the bands of a raster, the slowest first. Uses the bands' metadata
/// DIM_{name}_INDEX, _VALUE, _UNIT and _ISO8601, which this driver and GDAL's built-in driver create, and which other
/// formats and VRT keep. Returns an empty list if the bands do not form a complete grid of such dimensions, in C order,
/// or coordinates cannot have what the bands tell.
std::vector<BandDimension> FindBandDimensions(GDALDataset& source, TimeForm form = TimeForm::kCf);

/// Creates the coordinates of a new array's dimensions, at the root of the store. Existing coordinates of that name are
/// kept, and must have these values (`HasOtherCoordinates`). Throws zarr::Error.
void CreateBandCoordinates(SharedResource& resource, const std::vector<BandDimension>& dimensions);

/// Returns true if the store has a node of the dimension's name that does not contain its coordinates.
bool HasOtherCoordinates(SharedResource& resource, const BandDimension& dimension);

}  // namespace gdal_zarr
