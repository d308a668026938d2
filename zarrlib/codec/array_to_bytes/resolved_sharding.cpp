// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/resolved_sharding.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "zarrlib/base/limits.h"
#include "zarrlib/base/strided_copy.h"

namespace zarr {
namespace {

/// Moves the strings that the elements point to into the chunk's own memory.
void MoveTexts(const std::vector<ByteSpan>& texts, VariableChunk* chunk) {
  std::map<const std::byte*, const std::byte*> moved;  // from the start of each string to the start of its copy
  std::size_t size = 0;
  for (const ByteSpan text : texts) size += text.size();
  chunk->arena.resize(size);
  std::byte* at = chunk->arena.data();
  for (const ByteSpan text : texts) {
    if (!text.empty()) moved[text.data()] = at;
    at = std::copy(text.begin(), text.end(), at);
  }
  for (std::string_view& element : chunk->elements) {
    if (element.empty()) {
      if (element.data() != kMissingText) element = {};
      continue;
    }
    const auto& [from, to] = *std::prev(moved.upper_bound(AsBytes(element).data()));
    element = AsText({to + (AsBytes(element).data() - from), element.size()});
  }
}

}  // namespace

/// Does not add the usual slack: a slack meant for a few bytes, added for each of millions of inner chunks, would make
/// the bound useless.
std::optional<std::uint64_t> ResolvedSharding::GetMaxInnerChunkSize() const {
  constexpr std::uint64_t kSlack = 4096;
  const auto size = inner_->max_encoded_size();
  if (!size || inner_->inner_chunk_shape() || shard_.data_type.variable()) return size;
  return std::min<std::uint64_t>(*size, 2 * std::uint64_t{inner_->decoded().byte_size()} + kSlack);
}

std::optional<ShardIndex> ResolvedSharding::ReadIndex(const ValueReader& source,
                                                      std::optional<std::uint64_t>* value_size) const {
  const std::uint64_t index_size = index_codec_.encoded_size();
  Bytes bytes;
  if (location_ == IndexLocation::kEnd) {
    auto suffix = source.ReadSuffix(index_size);
    if (!suffix) return std::nullopt;
    bytes = std::move(suffix->bytes);
    *value_size = suffix->value_size;
  } else {
    bytes.resize(static_cast<std::size_t>(index_size));
    const ByteRange range{0, index_size};
    const MutableByteSpan buffer = bytes;
    if (!source.Read({&range, 1}, {&buffer, 1})) return std::nullopt;
    *value_size = source.value_size();
  }
  if (bytes.size() != index_size) FailShort(bytes.size());
  try {
    return index_codec_.Decode(bytes);
  } catch (const Error& error) {
    throw error.Within("shard index");
  }
}

ShardIndex ResolvedSharding::GetIndex(ByteSpan value) const {
  const std::uint64_t index_size = index_codec_.encoded_size();
  if (value.size() < index_size) FailShort(value.size());
  try {
    return index_codec_.Decode(location_ == IndexLocation::kEnd ? value.last(index_size) : value.first(index_size));
  } catch (const Error& error) {
    throw error.Within("shard index");
  }
}

void ResolvedSharding::Decode(ByteSpan encoded, MutableByteSpan decoded) const {
  const ShardIndex index = GetIndex(encoded);
  const std::size_t item_size = shard_.data_type.size;
  const Strides strides = GetContiguousStrides(shard_.shape, item_size);
  const ChunkRange range(grid_, SelectAll());
  ScratchBuffer elements(inner_->decoded().byte_size());
  for (std::uint64_t i = 0; i < range.count(); ++i) {
    const ChunkOverlap overlap = range.At(i);
    Destination destination{decoded.data(), strides, nullptr};
    for (std::size_t axis = 0; axis < strides.size(); ++axis) {
      destination.data += static_cast<std::ptrdiff_t>(overlap.live.origin[axis]) * strides[axis];
    }
    if (const auto bytes = index.At(i, encoded.size())) {
      inner_->Decode(encoded.subspan(bytes->offset, bytes->length), elements.span());
      StridedCopy(elements.span().data(), inner_->layout(), overlap.live.shape, item_size, destination);
    } else {
      StridedFill(shard_.fill_value.bytes, overlap.live.shape, item_size, destination);
    }
  }
}

void ResolvedSharding::DecodeVariable(ByteSpan encoded, VariableChunk* decoded) const {
  constexpr std::size_t kViewSize = sizeof(std::string_view);
  const ShardIndex index = GetIndex(encoded);
  const std::uint64_t limit = GetMaxUnknownSize(encoded.size());
  const Strides strides = GetContiguousStrides(shard_.shape, kViewSize);
  const ChunkRange range(grid_, SelectAll());
  std::vector<Bytes> arenas;
  std::vector<ByteSpan> texts = {shard_.fill_value.bytes};
  std::uint64_t size = 0;
  decoded->elements.assign(static_cast<std::size_t>(shard_.element_count()), AsText(shard_.fill_value.bytes));
  for (std::uint64_t i = 0; i < range.count(); ++i) {
    const auto bytes = index.At(i, encoded.size());
    if (!bytes) continue;
    VariableChunk inner_chunk;
    inner_chunk.for_update = decoded->for_update;
    inner_->DecodeVariable(encoded.subspan(bytes->offset, bytes->length), &inner_chunk);
    size += inner_chunk.arena.size();
    if (size > limit) {
      throw Error(ErrorKind::kLimitExceeded, FormatExpectedGot("at most " + std::to_string(limit) + " bytes", "more"));
    }
    const Box box = range.At(i).live;
    auto* target = reinterpret_cast<std::byte*>(decoded->elements.data());
    Strides layout = inner_->layout();
    for (std::size_t axis = 0; axis < strides.size(); ++axis) {
      target += static_cast<std::ptrdiff_t>(box.origin[axis]) * strides[axis];
      layout[axis] *= static_cast<std::ptrdiff_t>(kViewSize);
    }
    StridedCopy(reinterpret_cast<const std::byte*>(inner_chunk.elements.data()), layout, box.shape, kViewSize,
                {target, strides, nullptr});
    arenas.push_back(std::move(inner_chunk.arena));  // its bytes stay at the same address
    texts.emplace_back(arenas.back());
  }
  MoveTexts(texts, decoded);
}

void ResolvedSharding::Encode(ByteSpan decoded, Bytes* encoded) const {
  const std::size_t item_size = shard_.data_type.size;
  const Strides strides = GetContiguousStrides(shard_.shape, item_size);
  const ChunkRange range(grid_, SelectAll());
  std::vector<Bytes> values(static_cast<std::size_t>(range.count()));
  std::vector<std::optional<ByteSpan>> inner_chunks(values.size());
  ScratchBuffer elements(inner_->decoded().byte_size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Shape origin = range.At(i).live.origin;
    const std::byte* source = decoded.data();
    for (std::size_t axis = 0; axis < strides.size(); ++axis) {
      source += static_cast<std::ptrdiff_t>(origin[axis]) * strides[axis];
    }
    StridedCopy(source, strides, inner_->decoded().shape, item_size,
                {elements.span().data(), inner_->layout(), nullptr});
    if (shard_.fill_value.defined && shard_.fill_value.EqualsAll(elements.span())) continue;
    EncodeInnerChunk(elements.span(), &values[i]);
    inner_chunks[i] = values[i];
  }
  Assemble(inner_chunks, encoded);
}

void ResolvedSharding::EncodeVariable(std::span<const std::string_view> decoded, Bytes* encoded) const {
  constexpr std::size_t kViewSize = sizeof(std::string_view);
  const Strides strides = GetContiguousStrides(shard_.shape, kViewSize);
  Strides layout = inner_->layout();
  for (std::ptrdiff_t& stride : layout) stride *= static_cast<std::ptrdiff_t>(kViewSize);
  const ChunkRange range(grid_, SelectAll());
  std::vector<Bytes> values(static_cast<std::size_t>(range.count()));
  std::vector<std::optional<ByteSpan>> inner_chunks(values.size());
  std::vector<std::string_view> elements(static_cast<std::size_t>(inner_->decoded().element_count()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Shape origin = range.At(i).live.origin;
    const auto* source = reinterpret_cast<const std::byte*>(decoded.data());
    for (std::size_t axis = 0; axis < strides.size(); ++axis) {
      source += static_cast<std::ptrdiff_t>(origin[axis]) * strides[axis];
    }
    StridedCopy(source, strides, inner_->decoded().shape, kViewSize,
                {reinterpret_cast<std::byte*>(elements.data()), layout, nullptr});
    const auto is_fill = [&](std::string_view element) { return inner_->IsFill(element); };
    if (shard_.fill_value.defined && std::ranges::all_of(elements, is_fill)) continue;
    EncodeInnerChunkVariable(elements, &values[i]);
    inner_chunks[i] = values[i];
  }
  Assemble(inner_chunks, encoded);
}

std::optional<SplitShard> ResolvedSharding::Split(const ValueReader& source, const InnerChunkFilter& wanted) const {
  /// A value up to this size is read as a whole with one request.
  constexpr std::uint64_t kReadAtOnce = std::uint64_t{8} << 20;
  auto end = source.ReadSuffix(std::max(index_codec_.encoded_size(), kReadAtOnce));
  if (!end) return std::nullopt;
  const std::uint64_t size = end->value_size;
  if (end->bytes.size() == size) {
    const ShardIndex index = GetIndex(end->bytes);
    return SplitShard{std::move(end->bytes), GetInnerRanges(index, size, wanted)};
  }
  std::optional<std::uint64_t> value_size = size;
  const auto index =
      location_ == IndexLocation::kEnd ? std::optional(GetIndex(end->bytes)) : ReadIndex(source, &value_size);
  if (!index) return std::nullopt;
  return Gather(source, GetInnerRanges(*index, size, wanted), *end);
}

std::vector<std::optional<ByteRange>> ResolvedSharding::GetInnerRanges(const ShardIndex& index,
                                                                       std::uint64_t value_size,
                                                                       const InnerChunkFilter& wanted) {
  std::vector<std::optional<ByteRange>> inner_chunks(static_cast<std::size_t>(index.inner_chunks()));
  std::uint64_t size = 0;
  for (std::size_t i = 0; i < inner_chunks.size(); ++i) {
    if (!wanted(i)) continue;
    inner_chunks[i] = index.At(i, value_size);
    const auto sum = AddChecked(size, inner_chunks[i] ? inner_chunks[i]->length : 0);
    if (!sum || *sum > GetLimit(Limit::kKeptOfShard)) {
      throw Error(
          ErrorKind::kLimitExceeded,
          FormatExpectedGot(
              "inner chunks of " + FormatAtMost(Limit::kKeptOfShard, "bytes") + " in a shard that is changed", "more"));
    }
    size = *sum;
  }
  return inner_chunks;
}

std::optional<SplitShard> ResolvedSharding::Gather(const ValueReader& source,
                                                   std::vector<std::optional<ByteRange>> inner_chunks,
                                                   const ValueReader::Suffix& end) {
  // Reads in the order of the value, so that adjacent inner chunks are read together.
  std::vector<ByteRange*> places;
  std::uint64_t size = 0;
  for (auto& inner_chunk : inner_chunks) {
    if (!inner_chunk) continue;
    places.push_back(&*inner_chunk);
    size += inner_chunk->length;
  }
  std::sort(places.begin(), places.end(), [](const auto* a, const auto* b) { return a->offset < b->offset; });
  const std::uint64_t end_begin = end.value_size - end.bytes.size();
  Bytes bytes(static_cast<std::size_t>(size));
  MutableByteSpan rest = bytes;
  std::vector<ByteRange> ranges;
  std::vector<MutableByteSpan> buffers;
  for (ByteRange* const place : places) {
    const ByteRange range = *place;
    const MutableByteSpan buffer = rest.first(range.length);
    place->offset = bytes.size() - rest.size();
    rest = rest.subspan(range.length);
    if (range.offset >= end_begin) {
      std::ranges::copy(ByteSpan(end.bytes).subspan(range.offset - end_begin, range.length), buffer.begin());
    } else if (!ranges.empty() && ranges.back().offset + ranges.back().length == range.offset) {
      ranges.back().length += range.length;
      buffers.back() = {buffers.back().data(), buffers.back().size() + buffer.size()};
    } else {
      ranges.push_back(range);
      buffers.push_back(buffer);
    }
  }
  if (!ranges.empty() && !source.Read(ranges, buffers)) return std::nullopt;
  return SplitShard{std::move(bytes), std::move(inner_chunks)};
}

void ResolvedSharding::Assemble(std::span<const std::optional<ByteSpan>> inner_chunks, Bytes* value) const {
  const bool at_start = location_ == IndexLocation::kStart;
  std::uint64_t size = at_start ? index_codec_.encoded_size() : 0;
  ShardIndex index = ShardIndex::MakeEmpty(inner_chunks.size());
  for (std::size_t i = 0; i < inner_chunks.size(); ++i) {
    if (!inner_chunks[i]) continue;
    index.Set(i, {size, inner_chunks[i]->size()});
    size += inner_chunks[i]->size();
  }
  const Bytes index_bytes = index_codec_.Encode(index);
  value->clear();
  value->reserve(static_cast<std::size_t>(size) + (at_start ? 0 : index_bytes.size()));
  const auto append = [&](ByteSpan bytes) { value->insert(value->end(), bytes.begin(), bytes.end()); };
  if (at_start) append(index_bytes);
  for (const auto& inner_chunk : inner_chunks) {
    if (inner_chunk) append(*inner_chunk);
  }
  if (!at_start) append(index_bytes);
}

}  // namespace zarr
