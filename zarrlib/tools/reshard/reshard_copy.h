// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "zarrlib/array/array.h"

namespace zarr::tools {

/// The memory that one chunk or shard of a new array may take: it is built as a whole.
inline constexpr std::uint64_t kMaxReshardBytes = std::uint64_t{1} << 30;

/// The memory that a box of elements takes while it is copied, in bytes; nothing beyond 2^64. Elements of variable
/// length count like empty strings.
std::optional<std::uint64_t> CountCopiedBytes(const DataType& type, const Shape& shape);

/// Where a copy begins, and what it tells on its way.
struct CopySteps {
  std::uint64_t first = 0;  ///< The number of the piece to begin with; those before it have been copied.
  /// Called when a piece is stored, with the number of those that are by now, and of all. May be empty.
  std::function<void(std::uint64_t done, std::uint64_t count)> on_piece = {};
  std::uint64_t piece_bytes = std::uint64_t{64} << 20;  ///< About how much is copied at once.
};

/// Copies all elements of an array to another array with the same shape and type. Goes in pieces of whole new chunks,
/// so that all chunks of a piece are stored with it. Throws Interrupted if InterruptWatch has noted a signal.
void CopyElements(const Array& from, const std::shared_ptr<const Array>& to, const CopySteps& steps);

/// As CopyElements, but copies only the chunks of `from` that have these numbers (Array::GetChunkNumber).
void CopyChunks(const Array& from, const std::shared_ptr<const Array>& to, std::span<const std::uint64_t> chunks);

}  // namespace zarr::tools
