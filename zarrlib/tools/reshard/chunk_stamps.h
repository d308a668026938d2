// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "zarrlib/array/array.h"

namespace zarr::tools {

/// Records which chunks of an array are stored at one time, and their states. Looks up each chunk, and takes 16 bytes
/// for each.
class ChunkStamps {
 public:
  /// Throws Error(limit_exceeded) for an array of more than 2^64 chunks, and the errors of the store.
  explicit ChunkStamps(const Array& array);

  /// Returns the numbers (Array::GetChunkNumber) of the chunks that may have been stored, replaced or erased since
  /// `before` was recorded for the same array, in ascending order.
  std::vector<std::uint64_t> FindChanged(const ChunkStamps& before) const;

 private:
  struct Stored {
    std::uint64_t chunk = 0;
    std::uint64_t state = 0;  ///< Identifies its stamp; kUnsettled if the chunk may change without getting another
                              ///< stamp.
  };
  static constexpr std::uint64_t kUnsettled = 0;

  std::vector<Stored> stored_;  // sorted by the number of the chunk
};

}  // namespace zarr::tools
