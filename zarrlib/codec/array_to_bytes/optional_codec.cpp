// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/optional_codec.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "zarrlib/base/strided_copy.h"
#include "zarrlib/codec/codec_pipeline.h"

namespace zarr {
namespace {

/// A chunk begins with the sizes of the encoded mask and of the encoded elements.
constexpr std::size_t kSizeLength = 8;
constexpr std::size_t kHeaderSize = 2 * kSizeLength;

/// Runs `function`. Its errors indicate to which of the two arrays they belong.
template <typename Function>
auto RunWithin(const char* part, const Function& function) {
  try {
    return function();
  } catch (const Error& error) {
    throw error.Within(part);
  }
}

ChunkSpec MakeSpec(const Shape& shape, const DataType& type) {
  return {shape, type, MakeZeroFill(type)};
}

class ResolvedOptional final : public ResolvedArrayToBytes {
 public:
  ResolvedOptional(const ChunkSpec& chunk, const CodecPipeline& mask, std::shared_ptr<const CodecPipeline> data);

  std::optional<std::uint64_t> encoded_size() const override { return std::nullopt; }
  std::optional<std::uint64_t> max_encoded_size() const override;
  void Decode(ByteSpan encoded, MutableByteSpan decoded) const override;
  void DecodeVariable(ByteSpan encoded, VariableChunk* decoded) const override;
  void Encode(ByteSpan, Bytes*) const override { FailEncoding(); }
  void EncodeVariable(std::span<const std::string_view>, Bytes*) const override { FailEncoding(); }

 private:
  [[noreturn]] static void FailEncoding() {
    throw Error(ErrorKind::kUnsupported, "arrays of the data type \"optional\" are for reading only");
  }
  /// Decodes the mask to one byte per element, in C order, and returns the encoded elements.
  ByteSpan DecodeMask(ByteSpan encoded, MutableByteSpan mask) const;
  std::shared_ptr<const ResolvedPipeline> ResolveData(std::uint64_t count) const {
    return data_->Resolve(MakeSpec({count}, element_));
  }

  std::uint64_t count_;
  DataType element_;
  Bytes missing_;
  std::shared_ptr<const ResolvedPipeline> mask_;
  std::shared_ptr<const CodecPipeline> data_;
  std::optional<std::uint64_t> max_data_size_;
};

ResolvedOptional::ResolvedOptional(const ChunkSpec& chunk, const CodecPipeline& mask,
                                   std::shared_ptr<const CodecPipeline> data)
    : count_(chunk.element_count()),
      element_(chunk.data_type),
      missing_(MakeMissingElement(chunk.data_type)),
      mask_(mask.Resolve(MakeSpec(chunk.shape, DataType::FromV3(JsonNode::MakeString("bool"))))),
      data_(std::move(data)) {
  --element_.optional_depth;
  max_data_size_ = ResolveData(count_)->max_encoded_size();
}

std::optional<std::uint64_t> ResolvedOptional::max_encoded_size() const {
  const auto mask_size = mask_->max_encoded_size();
  const auto sizes = mask_size && max_data_size_ ? AddChecked(*mask_size, *max_data_size_) : std::nullopt;
  return sizes ? AddChecked(*sizes, kHeaderSize) : std::nullopt;
}

ByteSpan ResolvedOptional::DecodeMask(ByteSpan encoded, MutableByteSpan mask) const {
  if (encoded.size() < kHeaderSize) {
    throw Error(ErrorKind::kCorrupt, FormatExpectedGot("at least 16 bytes", std::to_string(encoded.size())));
  }
  const auto mask_size = LoadLittleEndian<std::uint64_t>(encoded.data());
  const auto data_size = LoadLittleEndian<std::uint64_t>(encoded.data() + kSizeLength);
  encoded = encoded.subspan(kHeaderSize);
  if (mask_size > encoded.size() || data_size != encoded.size() - mask_size) {
    throw Error(ErrorKind::kCorrupt,
                FormatExpectedGot("a mask and elements of " + std::to_string(encoded.size()) + " bytes",
                                  std::to_string(mask_size) + " and " + std::to_string(data_size)));
  }
  ScratchBuffer decoded(mask.size());
  mask_->Decode(encoded.first(static_cast<std::size_t>(mask_size)), decoded.span());
  const Shape& shape = mask_->decoded().shape;
  StridedCopy(decoded.span().data(), mask_->layout(), shape, 1, {mask.data(), GetContiguousStrides(shape, 1), nullptr});
  return encoded.subspan(static_cast<std::size_t>(mask_size));
}

/// Counts the elements that are present.
std::uint64_t CountTrue(ByteSpan mask) {
  return mask.size() - static_cast<std::uint64_t>(std::count(mask.begin(), mask.end(), std::byte{0}));
}

void ResolvedOptional::Decode(ByteSpan encoded, MutableByteSpan decoded) const {
  ScratchBuffer mask(static_cast<std::size_t>(count_));
  const ByteSpan data = RunWithin("mask", [&] { return DecodeMask(encoded, mask.span()); });
  const std::uint64_t count = CountTrue(mask.span());
  ScratchBuffer elements(static_cast<std::size_t>(count) * element_.size);
  if (count > 0) RunWithin("elements", [&] { ResolveData(count)->Decode(data, elements.span()); });
  const std::byte* next = elements.span().data();
  std::byte* out = decoded.data();
  for (const std::byte is_there : mask.span()) {
    std::memcpy(out, is_there == std::byte{0} ? missing_.data() : next, element_.size);
    if (is_there != std::byte{0}) next += element_.size;
    out += element_.size;
  }
}

void ResolvedOptional::DecodeVariable(ByteSpan encoded, VariableChunk* decoded) const {
  ScratchBuffer mask(static_cast<std::size_t>(count_));
  const ByteSpan data = RunWithin("mask", [&] { return DecodeMask(encoded, mask.span()); });
  const std::uint64_t count = CountTrue(mask.span());
  decoded->elements.clear();
  if (count > 0) RunWithin("elements", [&] { ResolveData(count)->DecodeVariable(data, decoded); });
  auto& elements = decoded->elements;
  std::size_t next = elements.size();
  elements.resize(static_cast<std::size_t>(count_));
  for (std::size_t i = elements.size(); i-- > 0;) {
    elements[i] = mask.span()[i] == std::byte{0} ? std::string_view(kMissingText, 0) : elements[--next];
  }
}

class OptionalCodec final : public ArrayToBytesCodec {
 public:
  OptionalCodec(const CodecSpec& spec, CodecFactory make)
      : place_(spec.configuration),
        mask_(CodecPipeline::Make(ParseCodecsV3(place_.At("mask_codecs")), false, make)),
        data_(CodecPipeline::Make(ParseCodecsV3(place_.At("data_codecs")), false, make)) {}

  std::shared_ptr<const ResolvedArrayToBytes> Resolve(const ChunkSpec& decoded) const override {
    if (decoded.data_type.optional_depth == 0) {
      place_.Fail(ErrorKind::kUnsupported,
                  FormatExpectedGot("data type \"optional\"", "\"" + decoded.data_type.name + "\""));
    }
    return std::make_shared<ResolvedOptional>(decoded, *mask_, data_);
  }

 private:
  JsonNode place_;
  std::shared_ptr<const CodecPipeline> mask_;
  std::shared_ptr<const CodecPipeline> data_;
};

}  // namespace

Codec MakeOptionalCodec(const CodecSpec& spec, CodecFactory make) {
  return std::shared_ptr<const ArrayToBytesCodec>(std::make_shared<OptionalCodec>(spec, make));
}

}  // namespace zarr
