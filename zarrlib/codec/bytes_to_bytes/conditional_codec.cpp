// SPDX-License-Identifier: MIT
#include "zarrlib/codec/bytes_to_bytes/conditional_codec.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

using CodecPointer = std::shared_ptr<const BytesToBytesCodec>;
/// The codecs that were applied to a chunk, in the order of encoding.
using AppliedCodecs = std::vector<const BytesToBytesCodec*>;

bool IsSet(ByteSpan mask, std::size_t bit) {
  return (std::to_integer<unsigned>(mask[bit / 8]) >> (bit % 8) & 1) != 0;
}

class ConditionalCodec final : public BytesToBytesCodec {
 public:
  ConditionalCodec(std::vector<CodecPointer> codecs, std::size_t header_size)
      : codecs_(std::move(codecs)), header_size_(header_size) {}

  SizeBound GetEncodedSize(SizeBound decoded) const override;
  std::optional<ByteSpan> DecodeView(ByteSpan encoded) const override;
  std::optional<std::size_t> Decode(ByteSpan encoded, MutableByteSpan out) const override;
  void Encode(ByteSpan decoded, std::size_t item_size, Bytes* encoded) const override;

 private:
  AppliedCodecs ReadApplied(ByteSpan encoded) const;

  std::vector<CodecPointer> codecs_;
  std::size_t header_size_;
};

SizeBound ConditionalCodec::GetEncodedSize(SizeBound decoded) const {
  SizeBound bound{decoded.bytes, decoded.exact && codecs_.empty(), decoded.compressed};
  for (const CodecPointer& codec : codecs_) {
    const SizeBound applied = codec->GetEncodedSize({bound.bytes, false, bound.compressed});
    if (!applied.bytes || !bound.bytes) return {};
    bound.bytes = std::max(*bound.bytes, *applied.bytes);
    bound.compressed = applied.compressed;
  }
  if (bound.bytes)
    bound.bytes = AddChecked(*bound.bytes, header_size_).value_or(std::numeric_limits<std::uint64_t>::max());
  return bound;
}

AppliedCodecs ConditionalCodec::ReadApplied(ByteSpan encoded) const {
  if (encoded.size() < header_size_) {
    throw Error(ErrorKind::kCorrupt, FormatExpectedGot("a header of " + std::to_string(header_size_) + " bytes",
                                                       std::to_string(encoded.size()) + " bytes"));
  }
  AppliedCodecs applied;
  for (std::size_t bit = 0; bit < 8 * header_size_; ++bit) {
    if (!IsSet(encoded, bit)) continue;
    if (bit >= codecs_.size()) {
      throw Error(ErrorKind::kCorrupt, FormatExpectedGot("a header for " + std::to_string(codecs_.size()) + " codecs",
                                                         "bit " + std::to_string(bit)));
    }
    applied.push_back(codecs_[bit].get());
  }
  return applied;
}

std::optional<ByteSpan> ConditionalCodec::DecodeView(ByteSpan encoded) const {
  if (!ReadApplied(encoded).empty()) return std::nullopt;
  return encoded.subspan(header_size_);
}

std::optional<std::size_t> ConditionalCodec::Decode(ByteSpan encoded, MutableByteSpan out) const {
  const AppliedCodecs applied = ReadApplied(encoded);
  encoded = encoded.subspan(header_size_);
  if (applied.empty()) {
    if (encoded.size() > out.size()) return std::nullopt;
    if (!encoded.empty()) std::memcpy(out.data(), encoded.data(), encoded.size());
    return encoded.size();
  }
  std::vector<SizeBound> bounds = {{out.size(), false}};  // of the input of each codec
  for (const BytesToBytesCodec* codec : applied) bounds.push_back(codec->GetEncodedSize(bounds.back()));
  const std::uint64_t unknown_limit = GetMaxUnknownSize(encoded.size());
  MemoryShare share;
  ScratchBuffer current;
  for (std::size_t i = applied.size() - 1; i > 0; --i) {
    ScratchBuffer next;
    const std::uint64_t limit = bounds[i].bytes.value_or(unknown_limit);
    const auto size = DecodeGrowing(*applied[i], encoded, limit, &next.bytes(), &share);
    if (!size) return std::nullopt;
    std::swap(current.bytes(), next.bytes());
    encoded = current.span().first(*size);
  }
  return applied[0]->Decode(encoded, out);
}

void ConditionalCodec::Encode(ByteSpan decoded, std::size_t item_size, Bytes* encoded) const {
  Bytes result(decoded.begin(), decoded.end());
  ScratchBuffer scratch;
  for (const CodecPointer& codec : codecs_) {
    codec->Encode(result, item_size, &scratch.bytes());
    std::swap(result, scratch.bytes());
  }
  const bool apply = result.size() < decoded.size();
  const ByteSpan body = apply ? ByteSpan(result) : decoded;
  encoded->assign(header_size_, std::byte{0});
  for (std::size_t bit = 0; apply && bit < codecs_.size(); ++bit) {
    (*encoded)[bit / 8] |= static_cast<std::byte>(1u << (bit % 8));
  }
  encoded->insert(encoded->end(), body.begin(), body.end());
}

std::vector<CodecPointer> ReadCodecs(const JsonNode& node, CodecFactory make) {
  std::vector<CodecPointer> codecs;
  const std::vector<CodecSpec> specs = ParseCodecsV3(node);
  CheckCodecCount(specs);
  for (const CodecSpec& spec : specs) {
    const Codec codec = make(spec);
    const auto* bytes_to_bytes = std::get_if<CodecPointer>(&codec);
    if (bytes_to_bytes == nullptr) {
      spec.configuration.Fail(ErrorKind::kCorrupt, FormatExpectedGot("a bytes-to-bytes codec", spec.name));
    }
    codecs.push_back(*bytes_to_bytes);
  }
  return codecs;
}

std::size_t ReadHeaderSize(const CodecSpec& spec, std::size_t codec_count) {
  constexpr std::int64_t kMaxBits = 1 << 16;
  const std::size_t smallest = (codec_count + 7) / 8;
  const std::optional<JsonNode> bits = FindOption(spec, "header_bits");
  if (!bits) return smallest;
  const auto size = static_cast<std::size_t>(bits->AsIntegerIn(0, kMaxBits)) / 8;
  if (bits->AsInt64() % 8 != 0 || size < smallest) {
    bits->FailExpected("a multiple of 8, at least " + std::to_string(8 * smallest));
  }
  return size;
}

}  // namespace

Codec MakeConditionalCodec(const CodecSpec& spec, CodecFactory make) {
  std::vector<CodecPointer> codecs = ReadCodecs(spec.configuration.At("codecs"), make);
  const std::size_t header_size = ReadHeaderSize(spec, codecs.size());
  return std::make_shared<ConditionalCodec>(std::move(codecs), header_size);
}

}  // namespace zarr
