// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/n5_default_codec.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "zarrlib/base/strided_copy.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

constexpr std::uint64_t kDefaultMode = 0;
constexpr std::uint64_t kLastMode = 2;  // 1 is "varlength", 2 is "object"
constexpr std::uint64_t kMaxLength = 0xFFFFFFFF;

std::uint64_t LoadBigEndian(ByteSpan bytes) {
  std::uint64_t value = 0;
  for (const std::byte b : bytes) value = value << 8 | std::to_integer<std::uint64_t>(b);
  return value;
}

void AppendBigEndian(std::uint64_t value, std::size_t size, Bytes* bytes) {
  for (std::size_t i = size; i-- > 0;) bytes->push_back(static_cast<std::byte>(value >> (8 * i)));
}

[[noreturn]] void FailHeader(ErrorKind kind, const std::string& expected, const std::string& got) {
  throw Error(kind, "block header: " + FormatExpectedGot(expected, got));
}

class ResolvedN5Default final : public ResolvedArrayToBytes {
 public:
  ResolvedN5Default(const ChunkSpec& chunk, std::shared_ptr<const CodecPipeline> codecs)
      : chunk_(chunk), codecs_(std::move(codecs)), whole_(codecs_->Resolve(chunk)) {}

  std::optional<std::uint64_t> encoded_size() const override { return std::nullopt; }
  void Decode(ByteSpan encoded, MutableByteSpan decoded) const override;
  void Encode(ByteSpan decoded, Bytes* encoded) const override;

 private:
  std::size_t header_size() const { return 4 + 4 * chunk_.shape.size(); }
  Shape ReadHeader(ByteSpan encoded) const;
  /// Throws Error(limit_exceeded) for a block that uses much more memory than the chunk. Some blocks use more: writers
  /// pad them to the full edge where a chunk may be cut off.
  void CheckBlockSize(const Shape& block) const;

  ChunkSpec chunk_;
  std::shared_ptr<const CodecPipeline> codecs_;
  std::shared_ptr<const ResolvedPipeline> whole_;  // for blocks of the chunk's shape
};

Shape ResolvedN5Default::ReadHeader(ByteSpan encoded) const {
  if (encoded.size() < 4) FailHeader(ErrorKind::kCorrupt, "at least 4 bytes", std::to_string(encoded.size()));
  const std::uint64_t mode = LoadBigEndian(encoded.first(2));
  if (mode != kDefaultMode) {
    FailHeader(mode <= kLastMode ? ErrorKind::kUnsupported : ErrorKind::kCorrupt, "mode 0", std::to_string(mode));
  }
  const std::uint64_t rank = LoadBigEndian(encoded.subspan(2, 2));
  if (rank != chunk_.shape.size()) {
    FailHeader(ErrorKind::kCorrupt, std::to_string(chunk_.shape.size()) + " dimensions", std::to_string(rank));
  }
  if (encoded.size() < header_size()) {
    FailHeader(ErrorKind::kCorrupt, std::to_string(header_size()) + " bytes", std::to_string(encoded.size()));
  }
  Shape block(chunk_.shape.size());
  for (std::size_t i = 0; i < block.size(); ++i) block[i] = LoadBigEndian(encoded.subspan(4 + 4 * i, 4));
  return block;
}

void ResolvedN5Default::CheckBlockSize(const Shape& block) const {
  const auto count = ComputeCheckedProduct(block);
  const auto size = count ? MultiplyChecked(*count, chunk_.data_type.size) : std::nullopt;
  const std::uint64_t limit = std::max<std::uint64_t>(chunk_.byte_size(), GetLimit(Limit::kUnknownChunk));
  if (!size || *size > limit) {
    FailHeader(ErrorKind::kLimitExceeded,
               "a block of at most " + std::to_string(limit) + " bytes (ZARR_MAX_VARIABLE_CHUNK_SIZE)",
               "shape " + ToString(block));
  }
}

void ResolvedN5Default::Decode(ByteSpan encoded, MutableByteSpan decoded) const {
  const Shape block = ReadHeader(encoded);
  const bool is_whole = block == chunk_.shape;
  if (!is_whole) CheckBlockSize(block);
  const auto codecs = is_whole ? whole_ : codecs_->Resolve({block, chunk_.data_type, chunk_.fill_value});
  const std::uint64_t size = codecs->decoded().byte_size();
  const MemoryShare share = !is_whole && size > kLargeMemory ? MemoryShare(2 * size) : MemoryShare();
  ScratchBuffer elements(codecs->decoded().byte_size());
  codecs->Decode(encoded.subspan(header_size()), elements.span());

  Shape common = block;
  for (std::size_t i = 0; i < common.size(); ++i) common[i] = std::min(block[i], chunk_.shape[i]);
  const std::size_t item_size = chunk_.data_type.size;
  const Destination destination{decoded.data(), GetContiguousStrides(chunk_.shape, item_size), nullptr};
  if (common != chunk_.shape) StridedFill(chunk_.fill_value.bytes, chunk_.shape, item_size, destination);
  StridedCopy(elements.span().data(), codecs->layout(), common, item_size, destination);
}

void ResolvedN5Default::Encode(ByteSpan decoded, Bytes* encoded) const {
  ScratchBuffer body;
  whole_->Encode(decoded, &body.bytes());
  encoded->clear();
  AppendBigEndian(kDefaultMode, 2, encoded);
  AppendBigEndian(chunk_.shape.size(), 2, encoded);
  for (const std::uint64_t length : chunk_.shape) AppendBigEndian(length, 4, encoded);
  encoded->insert(encoded->end(), body.bytes().begin(), body.bytes().end());
}

/// Checks the inner codecs against the specification, as far as this does not depend on the array.
void CheckCodecs(const JsonNode& place, const std::vector<CodecSpec>& codecs) {
  const bool right = (codecs.size() == 2 || codecs.size() == 3) && codecs[0].name == "transpose" &&
                     (codecs[1].name == "bytes" || codecs[1].name == "endian");
  if (!right) place.FailExpected("\"transpose\", \"bytes\", and at most one more codec");
  const std::optional<JsonNode> endian = FindOption(codecs[1], "endian");
  if (endian && endian->AsString() != "big") endian->FailExpected("\"big\"");
}

class N5DefaultCodec final : public ArrayToBytesCodec {
 public:
  N5DefaultCodec(const CodecSpec& spec, CodecFactory make) : place_(spec.configuration.At("codecs")) {
    const std::vector<CodecSpec> codecs = ParseCodecsV3(place_);
    CheckCodecs(place_, codecs);
    order_ = codecs[0].configuration.At("order");
    codecs_ = CodecPipeline::Make(codecs, false, make);
  }

  std::shared_ptr<const ResolvedArrayToBytes> Resolve(const ChunkSpec& chunk) const override {
    CheckShape(chunk.shape);
    CheckOrder(chunk.shape.size());
    return std::make_shared<ResolvedN5Default>(chunk, codecs_);
  }

 private:
  void CheckOrder(std::size_t rank) const {
    bool reversed = order_.IsArray() && order_.size() == rank;
    for (std::size_t i = 0; reversed && i < rank; ++i) {
      reversed = order_[i] == JsonNode::MakeUnsigned(rank - 1 - i);
    }
    if (!reversed) order_.FailExpected("all " + std::to_string(rank) + " axes in reverse order");
  }

  void CheckShape(const Shape& shape) const {
    if (std::all_of(shape.begin(), shape.end(), [](std::uint64_t n) { return n <= kMaxLength; })) return;
    place_.Fail(ErrorKind::kUnsupported,
                FormatExpectedGot("a chunk with lengths of at most 2^32-1", "shape " + ToString(shape)));
  }

  JsonNode place_;
  JsonNode order_;
  std::shared_ptr<const CodecPipeline> codecs_;
};

}  // namespace

Codec MakeN5DefaultCodec(const CodecSpec& spec, CodecFactory make) {
  return std::shared_ptr<const ArrayToBytesCodec>(std::make_shared<N5DefaultCodec>(spec, make));
}

}  // namespace zarr
