#include "zarrlib/codec/codec_util.h"

namespace zarr {

std::optional<std::size_t> DecodeGrowing(const BytesToBytesCodec& codec, ByteSpan encoded, std::uint64_t limit,
                                         Bytes* out) {
  constexpr std::uint64_t kSmallest = 64 << 10;
  std::uint64_t capacity = std::max<std::uint64_t>(kSmallest, 4 * std::uint64_t{encoded.size()});
  // A claim of much more than codecs can compress is met by growing as well.
  if (const auto claimed = codec.ClaimedSize(encoded)) capacity = std::min(*claimed, 64 * capacity);
  while (true) {
    capacity = std::min(capacity, limit);
    out->resize(static_cast<std::size_t>(capacity));
    if (const auto size = codec.Decode(encoded, {out->data(), out->size()})) return *size;
    if (capacity == limit) return std::nullopt;
    capacity = 2 * std::max<std::uint64_t>(capacity, 1);
  }
}

}  // namespace zarr
