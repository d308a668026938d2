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
};

/// The type that holds a GDAL type's values. Throws zarr::Error(unsupported) for a type that has none.
zarr::DataType DataTypeFor(const GDALExtendedDataType& type, const CreationOptions& options, zarr::ZarrFormat format);

/// The metadata of a new array, as creation options say: without attributes, its fill value undefined. `default_chunk`
/// is the length along each dimension where the options give none. Throws zarr::Error.
zarr::ArrayMetadata MakeArrayMetadata(zarr::ZarrFormat format, const std::vector<NewDimension>& dimensions,
                                      const GDALExtendedDataType& type, const CreationOptions& options,
                                      const std::vector<std::uint64_t>& default_chunk);

/// 512 along the last two dimensions, 1 along others; the whole length, up to a million, of the only one.
std::vector<std::uint64_t> DefaultChunk(const std::vector<NewDimension>& dimensions);

}  // namespace gdal_zarr
