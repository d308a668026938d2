// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/shard_index.h"

#include "zarrlib/base/limits.h"
#include "zarrlib/base/strided_copy.h"

namespace zarr {
namespace {

constexpr std::uint64_t kAbsent = UINT64_MAX;

ChunkSpec MakeSpec(const Shape& inner_grid) {
  ChunkSpec spec;
  spec.shape = inner_grid;
  spec.shape.push_back(2);
  spec.data_type.kind = DataType::Kind::kUint;
  spec.data_type.size = sizeof(std::uint64_t);
  spec.data_type.name = "uint64";
  spec.fill_value = {Bytes(sizeof(std::uint64_t), std::byte{0xFF}), true};
  return spec;
}

}  // namespace

ShardIndex ShardIndex::MakeEmpty(std::uint64_t inner_chunks) {
  return ShardIndex(std::vector<std::uint64_t>(static_cast<std::size_t>(2 * inner_chunks), kAbsent));
}

std::optional<ByteRange> ShardIndex::At(std::uint64_t inner_chunk, std::optional<std::uint64_t> value_size) const {
  const ByteRange range{entries_[static_cast<std::size_t>(2 * inner_chunk)],
                        entries_[static_cast<std::size_t>(2 * inner_chunk + 1)]};
  if (range.offset == kAbsent && range.length == kAbsent) return std::nullopt;
  const auto end = AddChecked(range.offset, range.length);
  if (!end || (value_size && *end > *value_size)) {
    const std::string within = value_size ? std::to_string(*value_size) : "2^64";
    throw Error(ErrorKind::kCorrupt, "inner chunk " + std::to_string(inner_chunk) + ": " +
                                         FormatExpectedGot("a range within " + within + " bytes",
                                                           std::to_string(range.length) + " bytes at offset " +
                                                               std::to_string(range.offset)));
  }
  return range;
}

void ShardIndex::Set(std::uint64_t inner_chunk, ByteRange range) {
  entries_[static_cast<std::size_t>(2 * inner_chunk)] = range.offset;
  entries_[static_cast<std::size_t>(2 * inner_chunk + 1)] = range.length;
}

ShardIndexCodec::ShardIndexCodec(const CodecPipeline& codecs, const Shape& inner_grid, const JsonNode& place) {
  const auto count = ComputeCheckedProduct(inner_grid);
  if (!count || *count > GetLimit(Limit::kInnerChunks)) {
    place.Fail(
        ErrorKind::kLimitExceeded,
        FormatExpectedGot("a shard of " + FormatAtMost(Limit::kInnerChunks, "inner chunks"), ToString(inner_grid)));
  }
  pipeline_ = codecs.Resolve(MakeSpec(inner_grid));
  if (!pipeline_->encoded_size()) place.FailExpected("index codecs that give a fixed size");
  encoded_size_ = *pipeline_->encoded_size();
}

ShardIndex ShardIndexCodec::Decode(ByteSpan encoded) const {
  const ChunkSpec& spec = pipeline_->decoded();
  std::vector<std::uint64_t> entries(static_cast<std::size_t>(spec.element_count()));
  if (pipeline_->layout() == GetContiguousStrides(spec.shape, sizeof(std::uint64_t))) {
    pipeline_->Decode(encoded, std::as_writable_bytes(std::span(entries)));
    return ShardIndex(std::move(entries));
  }
  ScratchBuffer decoded(spec.byte_size());
  pipeline_->Decode(encoded, decoded.span());
  StridedCopy(
      decoded.span().data(), pipeline_->layout(), spec.shape, sizeof(std::uint64_t),
      {reinterpret_cast<std::byte*>(entries.data()), GetContiguousStrides(spec.shape, sizeof(std::uint64_t)), nullptr});
  return ShardIndex(std::move(entries));
}

Bytes ShardIndexCodec::Encode(const ShardIndex& index) const {
  Bytes encoded;
  pipeline_->Encode(std::as_bytes(std::span(index.entries())), &encoded);
  return encoded;
}

}  // namespace zarr
