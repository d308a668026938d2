// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/new_array/creation_options.h"
#include "zarrlib/metadata/array_metadata.h"

namespace gdal_zarr {

/// A dimension of a new array. `name` may be "".
struct NewDimension {
  std::string name;
  std::uint64_t size = 0;
  std::string usual_name = {};  ///< Another name by which options may refer to the dimension, if no other dimension has
                                ///< it: "X" or "Y".
};

/// Chooses the data type for values of a GDAL type. Throws zarr::Error(unsupported) if Zarr does not have one.
zarr::DataType MakeDataType(const GDALExtendedDataType& type, const CreationOptions& options, zarr::ZarrFormat format);

/// Makes the metadata of a new array from creation options, without attributes and with an undefined fill value.
/// `default_chunk` has the length along each dimension for which the options do not specify one. Throws zarr::Error.
zarr::ArrayMetadata MakeArrayMetadata(zarr::ZarrFormat format, const std::vector<NewDimension>& dimensions,
                                      const GDALExtendedDataType& type, const CreationOptions& options,
                                      const std::vector<std::uint64_t>& default_chunk);

/// Returns 512 along the last two dimensions and 1 along others; for a single dimension, its length up to a million.
std::vector<std::uint64_t> ChooseDefaultChunk(const std::vector<NewDimension>& dimensions);

}  // namespace gdal_zarr
