// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "driver/gdal/gdal_compat.h"
#include "driver/gdal/selection.h"

namespace gdal_zarr {

/// Finds the index of the coordinate that a selector of the kinds kNearest and kExact selects. `coordinates` has one
/// dimension.
///
/// - Times (CF or datetime64) are compared with a date, or with a number in the units of the coordinates.
/// - Numbers are compared unpacked. A Float32 counts as the decimal number that was meant, for instance 0.1.
/// - Text must be equal, whatever the selector's kind.
///
/// If several coordinates are equally near, the first one is chosen. Nodata values and NaN are never found. Throws
/// zarr::Error(invalid_argument) if the value is not of the coordinates' kind, or if no coordinate is equal to it. Also
/// throws it if the value is further from the lowest or highest coordinate than that coordinate is from its neighbour.
/// Passes on errors from reading.
std::uint64_t FindCoordinateIndex(const GDALMDArray& coordinates, const Selector& selector);

/// Returns true if coordinates of that type can be compared with a value: real numbers and text.
bool CanBeSelected(const GDALExtendedDataType& type);

}  // namespace gdal_zarr
