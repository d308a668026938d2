// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "zarrlib/array/array.h"
#include "zarrlib/base/shape.h"

namespace zarr::tools {

/// Numbers about the reading of a region, as it would be if nothing were in a cache and the store were on the web.
struct ReadForecast {
  std::uint64_t chunks = 0;               ///< Chunks (shards) that the region meets.
  std::uint64_t stored_chunks = 0;        ///< Those of them that are stored.
  std::uint64_t inner_chunks = 0;         ///< Inner chunks of the stored shards that the region meets.
  std::uint64_t stored_inner_chunks = 0;  ///< Those of them that are stored.
  /// One request for each chunk, stored or not. For each shard there is one for its index, and one for all of its inner
  /// chunks: readers send more of them if these lie far apart.
  std::uint64_t requests = 0;
  std::uint64_t round_trips = 0;    ///< How many of the requests have to follow one another.
  std::uint64_t index_bytes = 0;    ///< Bytes of the indices of shards.
  std::uint64_t stored_bytes = 0;   ///< Bytes of chunks and inner chunks, as stored.
  std::uint64_t decoded_bytes = 0;  ///< 0 for data types of variable length.
  std::uint64_t decoded_values = 0;
  std::uint64_t used_values = 0;   ///< Decoded values that are in the region.
  std::uint64_t largest_read = 0;  ///< The stored bytes of the largest chunk or inner chunk.
  bool reads_whole_shards = false;

  /// The share of the decoded values that the region uses; 1 if nothing is decoded.
  double used_share() const {
    return decoded_values == 0 ? 1 : static_cast<double>(used_values) / static_cast<double>(decoded_values);
  }
};

/// Looks at the sizes of chunks, and reads the indices of shards. Decodes no chunk, except shards that are encoded as a
/// whole.
/// Calls `on_chunk`, unless it is empty, for each chunk or shard that is stored.
ReadForecast ForecastRead(const Array& array, const Box& region, const std::function<void()>& on_chunk = {});

/// Says in one or two sentences why reading is slow, and what would be better.
std::vector<std::string> GiveAdvice(const Array& array, const ReadForecast& forecast);

}  // namespace zarr::tools
