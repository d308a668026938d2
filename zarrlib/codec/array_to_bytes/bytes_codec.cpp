// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/bytes_codec.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace zarr {
namespace {

/// Returns true if elements or their fields are integers narrower than a byte.
bool HasNarrow(const DataType& type) {
  return type.bits > 0 ||
         std::any_of(type.fields.begin(), type.fields.end(), [](const Field& f) { return HasNarrow(f.type); });
}

/// Extends the sign of narrow integers: zarr-extensions specifies for "int4" and similar types that "the upper bits are
/// ignored" on reading. The `count` elements are `stride` bytes apart.
void ExtendBits(const DataType& type, std::byte* element, std::size_t stride, std::size_t count) {
  const unsigned shift = 8 - type.bits;
  for (std::size_t i = 0; type.bits > 0 && i < count; ++i, element += stride) {
    const auto high = static_cast<std::uint8_t>(std::to_integer<unsigned>(*element) << shift);
    *element = type.kind == DataType::Kind::kInt ? static_cast<std::byte>(static_cast<std::int8_t>(high) >> shift)
                                                 : static_cast<std::byte>(high >> shift);
  }
  for (const Field& field : type.fields) {
    const std::size_t repeats = HasNarrow(field.type) ? static_cast<std::size_t>(ComputeProduct(field.shape)) : 0;
    for (std::size_t i = 0; i < repeats; ++i) {
      ExtendBits(field.type, element + field.offset + i * field.type.size, stride, count);
    }
  }
}

class ResolvedBytes final : public ResolvedArrayToBytes {
 public:
  ResolvedBytes(const ChunkSpec& spec, Endian endian)
      : type_(spec.data_type),
        endian_(endian),
        element_count_(static_cast<std::size_t>(spec.element_count())),
        size_(spec.byte_size()),
        has_narrow_(HasNarrow(type_)),
        is_copy_(!NeedsSwap(type_, endian) && !has_narrow_) {}

  std::optional<std::uint64_t> encoded_size() const override { return size_; }
  bool is_copy() const override { return is_copy_; }

  void Decode(ByteSpan encoded, MutableByteSpan decoded) const override {
    if (encoded.size() != size_) {
      throw Error(ErrorKind::kCorrupt,
                  FormatExpectedGot(std::to_string(size_) + " bytes", std::to_string(encoded.size())));
    }
    if (size_ > 0) SwapBytes(type_, endian_, encoded.data(), decoded.data(), element_count_);
    if (has_narrow_) ExtendBits(type_, decoded.data(), type_.size, element_count_);
  }

  void Encode(ByteSpan decoded, Bytes* encoded) const override {
    encoded->resize(size_);
    if (size_ > 0) SwapBytes(type_, endian_, decoded.data(), encoded->data(), element_count_);
  }

 private:
  DataType type_;
  Endian endian_;
  std::size_t element_count_;
  std::uint64_t size_;
  bool has_narrow_;
  bool is_copy_;
};

class BytesCodec final : public ArrayToBytesCodec {
 public:
  BytesCodec(JsonNode configuration, Endian endian) : configuration_(std::move(configuration)), endian_(endian) {}

  std::shared_ptr<const ResolvedArrayToBytes> Resolve(const ChunkSpec& decoded) const override {
    if (decoded.data_type.variable() || decoded.data_type.kind == DataType::Kind::kUnknown) {
      configuration_.Fail(ErrorKind::kUnsupported,
                          FormatExpectedGot("elements of fixed size", "data type \"" + decoded.data_type.name + "\""));
    }
    return std::make_shared<ResolvedBytes>(decoded, endian_);
  }

 private:
  JsonNode configuration_;
  Endian endian_;
};

}  // namespace

Codec MakeBytesCodec(const CodecSpec& spec) {
  // The specification requires the member for elements of more than one byte, but some writers omit it.
  Endian endian = Endian::kLittle;
  if (const auto member = spec.configuration.Find("endian"); member && !member->IsNull()) {
    if (member->AsString() != "little" && member->AsString() != "big") member->FailExpected("\"little\" or \"big\"");
    endian = member->AsString() == "little" ? Endian::kLittle : Endian::kBig;
  }
  return std::shared_ptr<const ArrayToBytesCodec>(std::make_shared<BytesCodec>(spec.configuration, endian));
}

}  // namespace zarr
