// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "zarrlib/array/array.h"

namespace zarr::tools {

/// The maximum memory of one chunk or shard of a new array: it is built as a whole.
inline constexpr std::uint64_t kMaxReshardBytes = std::uint64_t{1} << 30;

/// Returns the memory that a box of elements takes while it is copied, in bytes; nullopt above 2^64. Variable-length
/// elements count like empty strings.
std::optional<std::uint64_t> CountCopiedBytes(const DataType& type, const Shape& shape);

/// The start of a copy, and its progress reports.
struct CopySteps {
  std::uint64_t first = 0;  ///< The number of the first piece to copy; earlier pieces have already been copied.
  /// Called when a piece is stored, with the number of stored pieces and of all pieces. May be empty.
  std::function<void(std::uint64_t done, std::uint64_t count)> on_piece = {};
  std::uint64_t piece_bytes = std::uint64_t{64} << 20;  ///< The approximate amount that is copied at once.
};

/// Copies all elements of an array to another array with the same shape and type. Copies pieces of whole new chunks, so
/// that all chunks of a piece are stored with it. Throws Interrupted if InterruptWatch has recorded a signal.
void CopyElements(const Array& from, const std::shared_ptr<const Array>& to, const CopySteps& steps);

/// Like CopyElements, but copies only the chunks of `from` with these numbers (Array::GetChunkNumber).
void CopyChunks(const Array& from, const std::shared_ptr<const Array>& to, std::span<const std::uint64_t> chunks);

}  // namespace zarr::tools
