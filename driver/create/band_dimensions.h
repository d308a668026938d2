// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

class SharedResource;

/// A dimension that the bands of a raster count, and the coordinates along it. A value type.
struct BandDimension {
  std::string name;
  std::uint64_t size = 0;
  std::vector<double> values;          ///< The coordinates; empty if they are not known, or no numbers.
  std::vector<std::int64_t> integers;  ///< The same if all are integers, exactly; empty otherwise.
  GDALDataType type = GDT_Float64;     ///< In which they are stored if they are other numbers.
  std::string datetime_unit;           ///< Of NumPy's datetime64, if the integers are such times; "" otherwise.
  std::vector<std::string> texts;      ///< The coordinates if they are text; empty otherwise.
  zarr::JsonNode attributes;           ///< Those of the coordinates, as CF has them.
};

/// How coordinates tell times whose unit is not CF's, such as those of datetime64.
enum class TimeForm {
  kCf,      ///< As seconds, which every program understands.
  kAsTold,  ///< As datetime64, so that values and units stay what they are.
};

/// Finds the dimensions that the bands of a raster count, the slowest first, from the bands' metadata DIM_{name}_INDEX,
/// _VALUE, _UNIT and _ISO8601, as this driver and GDAL's own make them. Other formats and VRT keep them. Returns none
/// if the bands are not all of a grid of such dimensions, in C order.
std::vector<BandDimension> FindBandDimensions(GDALDataset& source, TimeForm form = TimeForm::kCf);

/// Makes the coordinates of a new array's dimensions, at the root of the store. Where a store has coordinates of that
/// name already, they stay, and must have these values (`HasOtherCoordinates`). Throws zarr::Error.
void CreateBandCoordinates(SharedResource& resource, const std::vector<BandDimension>& dimensions);

/// Whether the store has a node of the dimension's name that does not hold its coordinates.
bool HasOtherCoordinates(SharedResource& resource, const BandDimension& dimension);

}  // namespace gdal_zarr
