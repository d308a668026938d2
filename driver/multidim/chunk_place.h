// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "zarrlib/array/array.h"

namespace gdal_zarr {

/// The stored bytes of a chunk or an inner chunk.
struct ChunkPlace {
  std::string path;  ///< The file, as GDAL names it; "" if `bytes` are not in a file.
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::optional<std::string> bytes = {};
};

/// Finds an inner chunk of an array (or a chunk) by its grid index. Returns nullopt if it is not stored. Throws like
/// zarr::LocateInnerChunk. Thread-safe.
std::optional<ChunkPlace> FindChunkPlace(const zarr::Array& array, const zarr::Shape& inner_index);

}  // namespace gdal_zarr
