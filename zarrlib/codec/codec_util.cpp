// SPDX-License-Identifier: MIT
#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

/// Memory used by decoding, as a multiple of the decoded bytes: it includes the encoded bytes before, and the elements
/// after.
constexpr std::uint64_t kTimesInMemory = 3;
/// Up to this size, a share of memory is not needed.
constexpr std::uint64_t kUnshared = kLargeMemory / 4;

std::uint64_t GetShare(std::uint64_t capacity) {
  return capacity > UINT64_MAX / kTimesInMemory ? UINT64_MAX : kTimesInMemory * capacity;
}

}  // namespace

std::optional<std::size_t> DecodeGrowing(const BytesToBytesCodec& codec, ByteSpan encoded, std::uint64_t limit,
                                         Bytes* out, MemoryShare* share) {
  constexpr std::uint64_t kSmallest = 64 << 10;
  std::uint64_t capacity = std::max<std::uint64_t>(kSmallest, 4 * std::uint64_t{encoded.size()});
  if (const auto claimed = codec.GetClaimedSize(encoded)) {
    if (*claimed > limit) return std::nullopt;
    // Claims far beyond any plausible compression ratio are also reached by growing.
    capacity = std::min(*claimed, 64 * capacity);
  }
  while (true) {
    capacity = std::min(capacity, limit);
    if (capacity > out->capacity()) *out = Bytes();  // so that growing neither copies nor keeps the old bytes
    // Reserves memory for the largest size at once: threads that wait for more while holding some could deadlock.
    if (capacity > kUnshared && !*share) *share = MemoryShare(GetShare(limit));
    out->resize(static_cast<std::size_t>(capacity));
    if (const auto size = codec.Decode(encoded, {out->data(), out->size()})) return *size;
    if (capacity == limit) return std::nullopt;
    capacity = 2 * std::max<std::uint64_t>(capacity, 1);
  }
}

}  // namespace zarr
