#include "zarrlib/codec/bytes_codec.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace zarr {
namespace {

class ResolvedBytes final : public ResolvedArrayToBytes {
 public:
  ResolvedBytes(const ChunkSpec& spec, Endian endian)
      : type_(spec.data_type),
        endian_(endian),
        element_count_(static_cast<std::size_t>(spec.element_count())),
        size_(spec.byte_size()),
        is_copy_(!NeedsSwap(type_, endian) && type_.bits == 0) {}

  std::optional<std::uint64_t> encoded_size() const override { return size_; }
  bool is_copy() const override { return is_copy_; }

  void Decode(ByteSpan encoded, MutableByteSpan decoded) const override {
    if (encoded.size() != size_) {
      throw Error(ErrorKind::kCorrupt,
                  ExpectedGot(std::to_string(size_) + " bytes", std::to_string(encoded.size())));
    }
    if (size_ > 0) SwapBytes(type_, endian_, encoded.data(), decoded.data(), element_count_);
    if (type_.bits > 0) ExtendBits(decoded.first(size_));
  }

  void Encode(ByteSpan decoded, Bytes* encoded) const override {
    encoded->resize(size_);
    if (size_ > 0) SwapBytes(type_, endian_, decoded.data(), encoded->data(), element_count_);
  }

 private:
  /// zarr-extensions, "int4" and its kin: "the upper bits are ignored" on reading.
  void ExtendBits(MutableByteSpan elements) const {
    const unsigned shift = 8 - type_.bits;
    for (std::byte& element : elements) {
      const auto high = static_cast<std::uint8_t>(std::to_integer<unsigned>(element) << shift);
      element = type_.kind == DataType::Kind::kInt ? static_cast<std::byte>(static_cast<std::int8_t>(high) >> shift)
                                                   : static_cast<std::byte>(high >> shift);
    }
  }

  DataType type_;
  Endian endian_;
  std::size_t element_count_;
  std::size_t size_;
  bool is_copy_;
};

/// Whether the bytes of `type` depend on a byte order that the type does not name.
bool NeedsEndian(const DataType& type) {
  if (type.kind == DataType::Kind::kStruct) {
    return std::any_of(type.fields.begin(), type.fields.end(), [](const Field& f) { return NeedsEndian(f.type); });
  }
  return type.swap_size() > 1 && !type.endian;
}

class BytesCodec final : public ArrayToBytesCodec {
 public:
  BytesCodec(JsonNode configuration, std::optional<Endian> endian)
      : configuration_(std::move(configuration)), endian_(endian) {}

  std::shared_ptr<const ResolvedArrayToBytes> Resolve(const ChunkSpec& decoded) const override {
    if (decoded.data_type.variable() || decoded.data_type.kind == DataType::Kind::kUnknown) {
      configuration_.Fail(ErrorKind::kUnsupported,
                          ExpectedGot("elements of fixed size", "data type \"" + decoded.data_type.name + "\""));
    }
    if (!endian_ && NeedsEndian(decoded.data_type)) {
      configuration_.Fail(ErrorKind::kCorrupt,
                          "expected a member \"endian\" for elements of more than one byte, got none");
    }
    return std::make_shared<ResolvedBytes>(decoded, endian_.value_or(kNativeEndian));
  }

 private:
  JsonNode configuration_;
  std::optional<Endian> endian_;
};

}  // namespace

Codec MakeBytesCodec(const CodecSpec& spec) {
  std::optional<Endian> endian;
  if (const auto member = spec.configuration.Find("endian"); member && !member->IsNull()) {
    if (member->AsString() != "little" && member->AsString() != "big") member->FailExpected("\"little\" or \"big\"");
    endian = member->AsString() == "little" ? Endian::kLittle : Endian::kBig;
  }
  return std::shared_ptr<const ArrayToBytesCodec>(std::make_shared<BytesCodec>(spec.configuration, endian));
}

}  // namespace zarr
