// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

/// Limits of what a store can make a reader or writer do; driver/README.md tells them to users. A size beyond a limit
/// is Error(limit_exceeded).
namespace zarr {

/// The number of codecs in one list. More than a few can only be there to multiply the work of decoding.
inline constexpr std::size_t kMaxCodecs = 64;

/// The number of inner chunks of one shard. The index takes 16 bytes for each, and is read whole.
inline constexpr std::uint64_t kMaxInnerChunks = std::uint64_t{1} << 22;

/// The size of a shard that has to be decoded whole because codecs follow the sharding codec: as stored, and after each
/// of these codecs.
inline constexpr std::uint64_t kMaxWholeShard = std::uint64_t{1} << 30;

/// The size of all inner chunks that a write to part of a shard reads back to store them again.
inline constexpr std::uint64_t kMaxKeptOfShard = std::uint64_t{2} << 30;

/// The size of the table of contents of a ZIP archive: enough for some millions of files.
inline constexpr std::uint64_t kMaxZipIndex = std::uint64_t{256} << 20;

/// The size of the elements of a chunk if only the content tells it (those of variable length): so many bytes, or
/// `kMaxUnknownRatio` times the stored bytes if that is more. Text and lists of lengths seldom compress better; a file
/// made to exhaust memory does.
inline constexpr std::uint64_t kMaxUnknownBytes = std::uint64_t{256} << 20;
inline constexpr std::uint64_t kMaxUnknownRatio = 64;
inline std::uint64_t GetMaxUnknownSize(std::uint64_t stored) {
  return std::max(kMaxUnknownBytes, stored > UINT64_MAX / kMaxUnknownRatio ? UINT64_MAX : kMaxUnknownRatio * stored);
}

/// The memory that large chunks take which are decoded at the same time, in all threads of the process
/// (memory_share.h). A chunk that needs more is decoded alone.
inline constexpr std::uint64_t kMaxSharedMemory = std::uint64_t{2} << 30;
/// Chunks below this size are limited by the number of threads.
inline constexpr std::uint64_t kLargeMemory = std::uint64_t{64} << 20;

}  // namespace zarr
