// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/vlen_array_codec.h"

#include <array>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "zarrlib/codec/array_to_array/array_filter.h"
#include "zarrlib/codec/array_to_bytes/element_builder.h"
#include "zarrlib/codec/array_to_bytes/vlen_codec.h"
#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

template <typename T>
void AppendNumber(T value, std::string* text) {
  if constexpr (std::is_same_v<T, Boolean>) {
    *text += value != 0 ? "true" : "false";
  } else if constexpr (kIsFloat<T> && !std::is_floating_point_v<T>) {
    AppendNumber(static_cast<float>(value), text);
  } else {
    if constexpr (kIsFloat<T>) {
      if (std::isnan(value)) return void(*text += "NaN");
      if (std::isinf(value)) return void(*text += value < 0 ? "-Infinity" : "Infinity");
    }
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    text->append(digits.data(), end);
  }
}

/// Turns the bytes of one element into a list of numbers.
std::string MakeList(std::string_view element, const DataType& type) {
  if (element.size() % type.size != 0) {
    throw Error(ErrorKind::kCorrupt, FormatExpectedGot("a multiple of " + std::to_string(type.size) + " bytes",
                                                       std::to_string(element.size())));
  }
  if (element.empty()) return "[]";
  Bytes numbers(element.size());
  const std::size_t count = element.size() / type.size;
  SwapBytes(type, Endian::kLittle, AsBytes(element).data(), numbers.data(), count);
  std::string text = "[";
  VisitNumber(type, [&](auto zero) {
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) text += ',';
      AppendNumber(LoadElement<decltype(zero)>(numbers, i), &text);
    }
  });
  return text += ']';
}

class ResolvedVlenArray final : public ResolvedArrayToBytes {
 public:
  ResolvedVlenArray(std::shared_ptr<const ResolvedArrayToBytes> bytes, const DataType& type)
      : bytes_(std::move(bytes)), type_(type) {}

  std::optional<std::uint64_t> encoded_size() const override { return std::nullopt; }
  void Decode(ByteSpan encoded, MutableByteSpan decoded) const override { bytes_->Decode(encoded, decoded); }
  void Encode(ByteSpan decoded, Bytes* encoded) const override { bytes_->Encode(decoded, encoded); }
  void DecodeVariable(ByteSpan encoded, VariableChunk* decoded) const override {
    VariableChunk lists;
    bytes_->DecodeVariable(encoded, &lists);
    ElementBuilder builder;
    for (const std::string_view list : lists.elements) builder.Append(MakeList(list, type_));
    builder.MoveTo(decoded);
  }
  void EncodeVariable(std::span<const std::string_view>, Bytes*) const override {
    throw Error(ErrorKind::kUnsupported, "lists of numbers cannot be encoded");
  }

 private:
  std::shared_ptr<const ResolvedArrayToBytes> bytes_;
  DataType type_;
};

class VlenArrayCodec final : public ArrayToBytesCodec {
 public:
  explicit VlenArrayCodec(const CodecSpec& spec)
      : bytes_(std::get<std::shared_ptr<const ArrayToBytesCodec>>(MakeVlenCodec(spec))) {
    spec.configuration.At("dtype");
    type_ = *ParseNumPyTypeOption(spec, "dtype");
  }

  std::shared_ptr<const ResolvedArrayToBytes> Resolve(const ChunkSpec& decoded) const override {
    return std::make_shared<ResolvedVlenArray>(bytes_->Resolve(decoded), type_);
  }

 private:
  std::shared_ptr<const ArrayToBytesCodec> bytes_;
  DataType type_;
};

}  // namespace

Codec MakeVlenArrayCodec(const CodecSpec& spec) {
  return std::shared_ptr<const ArrayToBytesCodec>(std::make_shared<VlenArrayCodec>(spec));
}

}  // namespace zarr
