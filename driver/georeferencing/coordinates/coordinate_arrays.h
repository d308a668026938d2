// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/dataset/editable_array.h"
#include "driver/new_array/array_metadata_builder.h"
#include "zarrlib/array/array.h"
#include "zarrlib/json/json_node.h"

/// Arrays of numbers for coordinates and their bounds. All functions throw zarr::Error.
namespace gdal_zarr {

/// Creates an array of Float64 in the store of another one.
std::shared_ptr<const zarr::Array> CreateNumbers(const EditableArray& beside, const std::string& path,
                                                 const std::vector<NewDimension>& dimensions,
                                                 const zarr::JsonNode& attributes);
/// Writes all values of an array.
void WriteNumbers(const std::shared_ptr<const zarr::Array>& array, const std::vector<double>& values);

/// Returns how far, in pixels of a width, values are from those that an array of the type gives back.
double FindRounding(const zarr::DataType& type, const std::vector<double>& values, double width);

/// Removes the attributes about packing and dimensions, which do not apply to a new array.
zarr::JsonNode WithoutPacking(zarr::JsonNode attributes);

}  // namespace gdal_zarr
