// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/base/bytes.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/metadata/data_type.h"
#include "zarrlib/metadata/fill_value.h"

namespace gdal_zarr {

/// The position of a band along a dimension, as the band's metadata tell it.
struct ToldPlace {
  std::optional<std::uint64_t> index;
  std::string value;
  std::string unit;
  std::string time;  ///< In ISO 8601.
  std::string calendar;
  bool operator==(const ToldPlace&) const = default;
};

/// Coordinates of an array of this driver, as they are stored.
struct OwnCoordinates {
  zarr::DataType type;
  zarr::ZarrFormat format = zarr::ZarrFormat::kV3;
  zarr::FillValue fill;               ///< Of this format: v3 always has one, which may mean nothing.
  std::optional<zarr::Bytes> nodata;  ///< In GDAL's form; nullopt if no coordinate is missing by it.
  zarr::Bytes elements;
};

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
  std::shared_ptr<const OwnCoordinates> own;  ///< If they are known, they replace the values above; otherwise null.
  zarr::JsonNode attributes;                  ///< The attributes of the coordinates, in CF form.
  bool has_all_attributes = false;            ///< False if the source may have attributes that the bands do not tell.
  std::vector<ToldPlace> places;              ///< What the bands tell, in order.

  bool has_coordinates() const { return own || !values.empty() || !texts.empty(); }
};

/// How to store times whose unit is not a CF unit, such as datetime64.
enum class TimeForm {
  kCf,      ///< As seconds, which all programs support.
  kAsTold,  ///< As datetime64, so that values and units are unchanged.
};

/// Finds the dimensions that are spread over the bands of a raster, the slowest first. Uses the bands' metadata
/// DIM_{name}_INDEX, _VALUE, _UNIT, _ISO8601 and _CALENDAR, which this driver and GDAL's built-in driver create, and
/// which other formats and VRT keep. Returns an empty list if the bands do not form a complete grid of such dimensions,
/// in C order, or coordinates cannot have what the bands tell.
std::vector<BandDimension> FindBandDimensions(GDALDataset& source, TimeForm form = TimeForm::kCf);

}  // namespace gdal_zarr
