// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "driver/create/references/source_blocks.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Reads a box of an array by its own driver, as SourceBlocks::ReadElements does. Throws zarr::Error(io).
void ReadBox(const GDALMDArray& array, const zarr::Box& box, zarr::MutableByteSpan out);

/// The place of the elements of an array in a file: packed, in C order, without compression.
struct ContiguousPlace {
  std::string path;
  std::uint64_t offset = 0;
  zarr::Endian endian = zarr::kNativeEndian;
  /// The distance in bytes between the elements of neighbouring indices of the first axis, if it is larger than those
  /// elements; nullopt if all elements are packed.
  std::optional<std::uint64_t> record_distance = {};
  /// The type of the elements in the file, if GDAL shows another one: int8, which older versions show as Int16.
  std::optional<zarr::DataType> type = {};
};

/// Makes the blocks of an array of which all elements are stored. They are divided into chunks of at most 16 MiB, if
/// the lengths of the array have suitable divisors.
std::shared_ptr<const SourceBlocks> MakeContiguousBlocks(std::shared_ptr<GDALMDArray> array, ContiguousPlace place);

}  // namespace gdal_zarr
