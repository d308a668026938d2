#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

/// What a store can make a reader or a writer take is bounded: by these numbers, of which README.md tells users.
/// Beyond them is Error(limit_exceeded).
namespace zarr {

/// Codecs in one list: those after the first few can only be there to multiply what decoding takes.
inline constexpr std::size_t kMaxCodecs = 64;

/// Inner chunks of one shard. An index takes 16 bytes for each, and is read whole.
inline constexpr std::uint64_t kMaxInnerChunks = std::uint64_t{1} << 22;

/// Bytes of a shard that has to be decoded whole before an inner chunk can be found in it, since codecs follow the
/// shards: as stored, and after each of these codecs.
inline constexpr std::uint64_t kMaxWholeShard = std::uint64_t{1} << 30;

/// Bytes of the inner chunks that a write to a part of a shard reads back, all together, to store them again.
inline constexpr std::uint64_t kMaxKeptOfShard = std::uint64_t{2} << 30;

/// Bytes of the table of contents of a ZIP archive: some millions of files.
inline constexpr std::uint64_t kMaxZipIndex = std::uint64_t{256} << 20;

/// Bytes that the elements of a chunk may have where only the content tells how many (those of variable length): so
/// many, or `kMaxUnknownRatio` times the stored bytes if that is more. Text, and lists of its lengths, seldom compress
/// that well; a file made to take all memory does.
inline constexpr std::uint64_t kMaxUnknownBytes = std::uint64_t{256} << 20;
inline constexpr std::uint64_t kMaxUnknownRatio = 64;
inline std::uint64_t MaxUnknownSize(std::uint64_t stored) {
  return std::max(kMaxUnknownBytes, stored > UINT64_MAX / kMaxUnknownRatio ? UINT64_MAX : kMaxUnknownRatio * stored);
}

/// Bytes that large chunks which are decoded at the same time take together, in all threads of the process
/// (memory_share.h). One that needs more is decoded alone.
inline constexpr std::uint64_t kMaxSharedMemory = std::uint64_t{2} << 30;
/// Of smaller ones the number of threads is bound enough.
inline constexpr std::uint64_t kLargeMemory = std::uint64_t{64} << 20;

}  // namespace zarr
