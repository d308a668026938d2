// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "zarrlib/array/array.h"
#include "zarrlib/base/shape.h"

namespace zarr::tools {

/// The cost of reading a region from a remote store with empty caches.
struct ReadForecast {
  std::uint64_t chunks = 0;               ///< Chunks (shards) that the region overlaps.
  std::uint64_t stored_chunks = 0;        ///< The number of stored chunks among them.
  std::uint64_t inner_chunks = 0;         ///< Inner chunks of the stored shards that the region overlaps.
  std::uint64_t stored_inner_chunks = 0;  ///< The number of stored inner chunks among them.
  /// One request for each chunk, stored or not. For each shard there is one for its index, and one for all its inner
  /// chunks that do not come with the index: readers send more if these are far apart.
  std::uint64_t requests = 0;
  std::uint64_t round_trips = 0;    ///< How many of the requests have to follow one another.
  std::uint64_t index_bytes = 0;    ///< Bytes of the indices of shards.
  std::uint64_t stored_bytes = 0;   ///< Bytes of chunks and inner chunks, as stored.
  std::uint64_t decoded_bytes = 0;  ///< 0 for variable-length data types.
  std::uint64_t decoded_values = 0;
  std::uint64_t used_values = 0;   ///< Decoded values that are in the region.
  std::uint64_t largest_read = 0;  ///< The stored bytes of the largest chunk or inner chunk.
  bool reads_whole_shards = false;

  /// Returns the fraction of the decoded values that the region uses; 1 if no values are decoded.
  double used_share() const {
    return decoded_values == 0 ? 1 : static_cast<double>(used_values) / static_cast<double>(decoded_values);
  }
};

/// Estimates the cost from the sizes of chunks and the indices of shards. Does not decode chunks, except shards that
/// are encoded as a whole. Calls `on_chunk`, unless it is empty, for each stored chunk or shard.
ReadForecast ForecastRead(const Array& array, const Box& region, const std::function<void()>& on_chunk = {});

/// Explains in one or two sentences why reading is slow, and what would be better.
std::vector<std::string> GiveAdvice(const Array& array, const ReadForecast& forecast);

}  // namespace zarr::tools
