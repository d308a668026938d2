// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/numpy_packbits.h"

#include <algorithm>
#include <string>
#include <utility>

namespace zarr {
namespace {

class ResolvedNumPyPackBits final : public ResolvedArrayToArray {
 public:
  explicit ResolvedNumPyPackBits(const ChunkSpec& decoded) : count_(decoded.element_count()) {
    encoded_.shape = Shape{1 + (count_ + 7) / 8};
    encoded_.data_type = {.kind = DataType::Kind::kUint,
                          .size = 1,
                          .endian = decoded.data_type.endian,
                          .unit = {},
                          .fields = {},
                          .name = "uint8"};
    encoded_.fill_value = MakeZeroFill(encoded_.data_type);
  }

  const ChunkSpec& encoded() const override { return encoded_; }
  void Encode(ByteSpan decoded, MutableByteSpan encoded) const override;
  void Decode(ByteSpan encoded, MutableByteSpan decoded) const override;

 private:
  std::byte padding() const { return static_cast<std::byte>((encoded_.shape[0] - 1) * 8 - count_); }

  std::uint64_t count_;
  ChunkSpec encoded_;
};

void ResolvedNumPyPackBits::Encode(ByteSpan decoded, MutableByteSpan encoded) const {
  encoded[0] = padding();
  for (std::size_t i = 1; i < encoded.size(); ++i) {
    const std::size_t first = 8 * (i - 1);
    const std::size_t count = std::min<std::size_t>(8, decoded.size() - first);
    unsigned bits = 0;
    for (std::size_t k = 0; k < count; ++k) {
      if (decoded[first + k] != std::byte{0}) bits |= 0x80u >> k;
    }
    encoded[i] = static_cast<std::byte>(bits);
  }
}

void ResolvedNumPyPackBits::Decode(ByteSpan encoded, MutableByteSpan decoded) const {
  if (encoded[0] != padding()) {
    throw Error(ErrorKind::kCorrupt,
                FormatExpectedGot(std::to_string(std::to_integer<int>(padding())) + " padding bits",
                                  std::to_string(std::to_integer<int>(encoded[0]))));
  }
  for (std::size_t i = 0; i < decoded.size(); ++i) {
    decoded[i] = encoded[1 + i / 8] >> (7 - i % 8) & std::byte{1};
  }
}

class NumPyPackBitsCodec final : public ArrayToArrayCodec {
 public:
  explicit NumPyPackBitsCodec(JsonNode place) : place_(std::move(place)) {}

  std::shared_ptr<const ResolvedArrayToArray> Resolve(const ChunkSpec& decoded) const override {
    using Kind = DataType::Kind;
    const DataType& type = decoded.data_type;
    const bool byte = (type.kind == Kind::kInt || type.kind == Kind::kUint) && type.size == 1;
    if (type.kind != Kind::kBool && !byte) {
      place_.Fail(ErrorKind::kUnsupported, FormatExpectedGot("booleans", "data type \"" + type.name + "\""));
    }
    return std::make_shared<ResolvedNumPyPackBits>(decoded);
  }

 private:
  JsonNode place_;
};

}  // namespace

Codec MakeNumPyPackBitsCodec(const CodecSpec& spec) {
  return std::make_shared<NumPyPackBitsCodec>(spec.configuration);
}

}  // namespace zarr
