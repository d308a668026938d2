// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "zarrlib/base/bytes.h"

namespace zarr {

/// What a snapshot repeats of a node's document.
struct NodeDocument {
  /// A dimension of an array.
  struct Dimension {
    std::uint64_t length = 0;        ///< In elements.
    std::uint64_t chunk_length = 0;  ///< The longest, in elements.
    std::uint32_t chunks = 0;        ///< Number of chunks.
    std::optional<std::string> name;
  };
  bool is_array = false;
  std::vector<Dimension> dimensions;
};

/// Throws Error(unsupported) for a document that is not one of Zarr v3, and Error(limit_exceeded) for an array with too
/// many chunks for the format.
NodeDocument ParseNodeDocument(ByteSpan document);

}  // namespace zarr
