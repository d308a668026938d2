// SPDX-License-Identifier: MIT
#include "zarrlib/codec/bytes_to_bytes/shuffle_codec.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

/// On the shuffled side, byte k of item i is at `k * count + i`. A constant `kItemSize` lets the compiler unroll the
/// loop; 0 means `item_size`.
template <std::size_t kItemSize>
void Unshuffle(const std::byte* from, std::byte* to, std::size_t item_size, std::size_t count) {
  const std::size_t size = kItemSize == 0 ? item_size : kItemSize;
  for (std::size_t i = 0; i < count; ++i, to += size) {
    for (std::size_t k = 0; k < size; ++k) to[k] = from[k * count + i];
  }
}

template <std::size_t kItemSize>
void Shuffle(const std::byte* from, std::byte* to, std::size_t item_size, std::size_t count) {
  const std::size_t size = kItemSize == 0 ? item_size : kItemSize;
  for (std::size_t i = 0; i < count; ++i, from += size) {
    for (std::size_t k = 0; k < size; ++k) to[k * count + i] = from[k];
  }
}

using Permute = void (*)(const std::byte* from, std::byte* to, std::size_t item_size, std::size_t count);

class ShuffleCodec final : public BytesToBytesCodec {
 public:
  explicit ShuffleCodec(std::size_t item_size) : item_size_(item_size) {}

  SizeBound GetEncodedSize(SizeBound decoded) const override { return decoded; }
  std::optional<std::uint64_t> GetClaimedSize(ByteSpan encoded) const override { return encoded.size(); }
  std::optional<std::size_t> Decode(ByteSpan encoded, MutableByteSpan out) const override;
  void Encode(ByteSpan decoded, std::size_t item_size, Bytes* encoded) const override;

 private:
  void Run(Permute permute, ByteSpan from, std::byte* to) const;

  std::size_t item_size_;
};

void ShuffleCodec::Run(Permute permute, ByteSpan from, std::byte* to) const {
  const std::size_t count = from.size() / item_size_;
  const std::size_t whole = count * item_size_;
  permute(from.data(), to, item_size_, count);
  std::copy(from.begin() + static_cast<std::ptrdiff_t>(whole), from.end(), to + whole);
}

std::optional<std::size_t> ShuffleCodec::Decode(ByteSpan encoded, MutableByteSpan out) const {
  if (encoded.size() > out.size()) return std::nullopt;
  const Permute permute = item_size_ == 2   ? Unshuffle<2>
                          : item_size_ == 4 ? Unshuffle<4>
                          : item_size_ == 8 ? Unshuffle<8>
                                            : Unshuffle<0>;
  Run(permute, encoded, out.data());
  return encoded.size();
}

void ShuffleCodec::Encode(ByteSpan decoded, std::size_t, Bytes* encoded) const {
  encoded->resize(decoded.size());
  const Permute permute = item_size_ == 2   ? Shuffle<2>
                          : item_size_ == 4 ? Shuffle<4>
                          : item_size_ == 8 ? Shuffle<8>
                                            : Shuffle<0>;
  Run(permute, decoded, encoded->data());
}

}  // namespace

Codec MakeShuffleCodec(const CodecSpec& spec) {
  constexpr std::int64_t kDefault = 4;
  const std::int64_t size =
      GetIntegerOption(spec, "elementsize", 1, std::numeric_limits<std::int32_t>::max(), kDefault);
  return std::make_shared<ShuffleCodec>(static_cast<std::size_t>(size));
}

}  // namespace zarr
