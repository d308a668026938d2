#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

/// What decoding takes beside the bytes themselves: those that they are decoded from, and the elements made of them.
constexpr std::uint64_t kTimesInMemory = 3;
/// What is decoded without a share: a part of what is large.
constexpr std::uint64_t kUnshared = kLargeMemory / 4;

std::uint64_t ShareOf(std::uint64_t capacity) {
  return capacity > UINT64_MAX / kTimesInMemory ? UINT64_MAX : kTimesInMemory * capacity;
}

}  // namespace

std::optional<std::size_t> DecodeGrowing(const BytesToBytesCodec& codec, ByteSpan encoded, std::uint64_t limit,
                                         Bytes* out, MemoryShare* share) {
  constexpr std::uint64_t kSmallest = 64 << 10;
  std::uint64_t capacity = std::max<std::uint64_t>(kSmallest, 4 * std::uint64_t{encoded.size()});
  if (const auto claimed = codec.ClaimedSize(encoded)) {
    if (*claimed > limit) return std::nullopt;
    // A claim of much more than codecs can compress is met by growing as well.
    capacity = std::min(*claimed, 64 * capacity);
  }
  while (true) {
    capacity = std::min(capacity, limit);
    if (capacity > out->capacity()) *out = Bytes();  // so that growing neither copies nor keeps what is there
    // All that it may come to at once: who waits for more while others do the same waits for ever.
    if (capacity > kUnshared && !*share) *share = MemoryShare(ShareOf(limit));
    out->resize(static_cast<std::size_t>(capacity));
    if (const auto size = codec.Decode(encoded, {out->data(), out->size()})) return *size;
    if (capacity == limit) return std::nullopt;
    capacity = 2 * std::max<std::uint64_t>(capacity, 1);
  }
}

}  // namespace zarr
