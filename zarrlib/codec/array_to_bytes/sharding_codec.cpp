#include "zarrlib/codec/array_to_bytes/sharding_codec.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "zarrlib/base/fork_safety.h"
#include "zarrlib/base/limits.h"
#include "zarrlib/base/strided_copy.h"
#include "zarrlib/codec/array_to_bytes/shard_index.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/codec/codec_util.h"
#include "zarrlib/grid/chunk_grid.h"

namespace zarr {
namespace {

enum class IndexLocation { kStart, kEnd };

/// A range of another value, as a value of its own.
class SubSource final : public ValueReader {
 public:
  SubSource(const ValueReader& outer, ByteRange range) : outer_(outer), range_(range) {}

  bool Read(std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers) const override {
    std::vector<ByteRange> shifted(ranges.begin(), ranges.end());
    for (ByteRange& range : shifted) {
      if (range.offset > range_.length || range.length > range_.length - range.offset) {
        throw Error(ErrorKind::kCorrupt,
                    FormatExpectedGot("a range within " + std::to_string(range_.length) + " bytes",
                                      std::to_string(range.offset) + "+" + std::to_string(range.length)));
      }
      range.offset += range_.offset;
    }
    return outer_.Read(shifted, buffers);
  }
  std::optional<Suffix> ReadSuffix(std::uint64_t length) const override {
    Suffix suffix{Bytes(static_cast<std::size_t>(std::min(length, range_.length))), range_.length};
    const ByteRange range{range_.length - suffix.bytes.size(), suffix.bytes.size()};
    const MutableByteSpan buffer = suffix.bytes;
    if (!Read({&range, 1}, {&buffer, 1})) return std::nullopt;
    return suffix;
  }
  std::optional<Bytes> ReadAll(std::uint64_t max_size) const override {
    if (range_.length > max_size) {
      throw Error(ErrorKind::kLimitExceeded,
                  FormatExpectedGot("a value of at most " + std::to_string(max_size) + " bytes",
                                    std::to_string(range_.length)));
    }
    auto suffix = ReadSuffix(range_.length);
    if (!suffix) return std::nullopt;
    return std::move(suffix->bytes);
  }
  std::optional<std::uint64_t> value_size() const override { return range_.length; }

 private:
  const ValueReader& outer_;
  ByteRange range_;
};

class ResolvedSharding final : public ResolvedArrayToBytes,
                               public ShardEncoder,
                               public std::enable_shared_from_this<ResolvedSharding> {
 public:
  ResolvedSharding(const ChunkSpec& shard, std::shared_ptr<const ResolvedPipeline> inner,
                   const CodecPipeline& index_codecs, IndexLocation location, const JsonNode& place)
      : shard_(shard),
        inner_(std::move(inner)),
        grid_(ChunkGrid::MakeRegular(shard.shape, inner_->decoded().shape)),
        index_codec_(index_codecs, grid_.grid_shape(), place),
        location_(location) {}

  std::optional<std::uint64_t> encoded_size() const override { return std::nullopt; }
  /// Shards may have gaps; allows as many bytes again for them.
  std::optional<std::uint64_t> max_encoded_size() const override {
    const auto inner_chunk = GetMaxInnerChunkSize();
    const auto inner_chunks = inner_chunk ? MultiplyChecked(*inner_chunk, ComputeProduct(inner_grid_)) : std::nullopt;
    const auto all = inner_chunks ? AddChecked(*inner_chunks, index_codec_.encoded_size()) : std::nullopt;
    return GetCompressedBound({all, false}).bytes;
  }
  void Decode(ByteSpan encoded, MutableByteSpan decoded) const override;
  void DecodeVariable(ByteSpan encoded, VariableChunk* decoded) const override;
  void Encode(ByteSpan decoded, Bytes* encoded) const override;
  const Shape* inner_chunk_shape() const override {
    return is_nested() ? inner_->inner_chunk_shape() : &inner_->decoded().shape;
  }
  std::uint64_t max_open_size() const override;
  std::shared_ptr<const ShardReader> Open(const ValueReader& source) const override;
  const ShardEncoder* shard_encoder() const override { return this; }

  // ShardEncoder. An inner chunk may be a shard itself.
  const InnerChunkDecoder& inner_decoder() const override { return *inner_; }
  void EncodeInnerChunk(ByteSpan elements, Bytes* encoded) const override {
    const ByteSpan bytes = inner_->EncodeLaidOut(elements, encoded);
    if (bytes.data() != encoded->data()) encoded->assign(bytes.begin(), bytes.end());
  }
  void EncodeInnerChunkVariable(std::span<const std::string_view> elements, Bytes* encoded) const override {
    inner_->EncodeLaidOutVariable(elements, encoded);
  }
  std::optional<SplitShard> Split(const ValueReader& source, const InnerChunkFilter& wanted) const override;
  void Assemble(std::span<const std::optional<ByteSpan>> inner_chunks, Bytes* value) const override;

  const std::shared_ptr<const ResolvedPipeline>& inner() const { return inner_; }
  const ChunkGrid& grid() const { return grid_; }
  const Shape& inner_grid() const { return inner_grid_; }
  /// Whether inner chunks are shards whose own inner chunks can be read one by one. A shard that must be decoded whole
  /// counts as one inner chunk.
  bool is_nested() const { return inner_->inner_chunk_shape() && !inner_->opens_whole(); }

 private:
  std::optional<std::uint64_t> GetMaxInnerChunkSize() const;
  /// The ranges of the wanted inner chunks in the value.
  static std::vector<std::optional<ByteRange>> GetInnerRanges(const ShardIndex& index, std::uint64_t value_size,
                                                              const InnerChunkFilter& wanted);
  /// Reads only those ranges.
  static std::optional<SplitShard> Gather(const ValueReader& source,
                                          std::vector<std::optional<ByteRange>> inner_chunks);
  /// Reads the index; nothing if there is no such value. Sets `value_size` if the size becomes known.
  std::optional<ShardIndex> ReadIndex(const ValueReader& source, std::optional<std::uint64_t>* value_size) const;
  ShardIndex GetIndex(ByteSpan value) const;
  [[noreturn]] void FailShort(std::uint64_t got) const {
    throw Error(ErrorKind::kCorrupt,
                FormatExpectedGot("a shard with an index of " + std::to_string(index_codec_.encoded_size()) + " bytes",
                                  std::to_string(got) + " bytes"));
  }
  Selection SelectAll() const { return Selection::FromBox({Shape(shard_.shape.size(), 0), shard_.shape}); }

  ChunkSpec shard_;
  std::shared_ptr<const ResolvedPipeline> inner_;
  ChunkGrid grid_;
  Shape inner_grid_ = grid_.grid_shape();
  ShardIndexCodec index_codec_;
  IndexLocation location_;
};

/// Moves the text that the elements point to into the chunk's own memory.
void MoveTexts(const std::vector<ByteSpan>& texts, VariableChunk* chunk) {
  std::map<const std::byte*, const std::byte*> moved;  // from the begin of each text to the begin of its copy
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
      element = {};
      continue;
    }
    const auto& [from, to] = *std::prev(moved.upper_bound(AsBytes(element).data()));
    element = AsText({to + (AsBytes(element).data() - from), element.size()});
  }
}

std::uint64_t GetLinearIndex(const Shape& grid, const Shape& index) {
  std::uint64_t linear = 0;
  for (std::size_t i = 0; i < grid.size(); ++i) linear = linear * grid[i] + index[i];
  return linear;
}

/// The limit of the nested indices that one ShardReader keeps, in bytes.
constexpr std::size_t kMaxOpenedSize = std::size_t{8} << 20;

/// A shard whose index has been read.
class OpenedShard final : public ShardReader {
 public:
  OpenedShard(std::shared_ptr<const ResolvedSharding> shard, ShardIndex index, std::optional<std::uint64_t> value_size)
      : shard_(std::move(shard)), index_(std::move(index)), value_size_(value_size) {}

  void Plan(const Selection& selection, const ValueReader& source, std::vector<InnerChunkRead>* tasks) const override {
    const ChunkRange range(shard_->grid(), selection);
    if (tasks->empty()) tasks->reserve(static_cast<std::size_t>(range.count()));
    for (std::uint64_t i = 0; i < range.count(); ++i) {
      const ChunkOverlap overlap = range.At(i);
      const std::uint64_t number = GetLinearIndex(shard_->inner_grid(), overlap.grid_index);
      const auto bytes = index_.At(number, value_size_);
      if (bytes && shard_->is_nested()) {
        PlanNested(overlap, selection.step, number, *bytes, source, tasks);
      } else {
        tasks->push_back({overlap.live, number, bytes, shard_->inner(), nullptr});
      }
    }
  }

  std::size_t memory_size() const override {
    const std::size_t own = sizeof(*this) + index_.memory_size();
    if (!shard_->is_nested()) return own;
    const std::lock_guard lock(mutex_);
    return own + opened_size_;
  }

 private:
  /// Plans the inner chunks of an inner chunk that is a shard itself.
  void PlanNested(const ChunkOverlap& overlap, const Shape& step, std::uint64_t number, ByteRange bytes,
                  const ValueReader& source, std::vector<InnerChunkRead>* tasks) const {
    const SubSource inner_source(source, bytes);
    const auto inner = OpenInner(number, inner_source);
    const std::size_t first = tasks->size();
    inner->Plan({overlap.first, overlap.count, step}, inner_source, tasks);
    Keep(number, inner);  // its memory may have grown by the indices that it has read
    const std::uint64_t inner_chunks = CountInnermostPerInnerChunk();
    for (std::size_t i = first; i < tasks->size(); ++i) {
      InnerChunkRead& task = (*tasks)[i];
      for (std::size_t axis = 0; axis < task.box.rank(); ++axis) task.box.origin[axis] += overlap.live.origin[axis];
      task.inner_index += number * inner_chunks;
      if (task.range && !task.source) task.range->offset += bytes.offset;
    }
  }

  std::uint64_t CountInnermostPerInnerChunk() const {
    const Shape& inner = shard_->inner()->decoded().shape;
    std::uint64_t inner_chunks = 1;
    for (std::size_t i = 0; i < inner.size(); ++i)
      inner_chunks *= inner[i] / (*shard_->inner()->inner_chunk_shape())[i];
    return inner_chunks;
  }

  std::shared_ptr<const ShardReader> OpenInner(std::uint64_t number, const ValueReader& source) const {
    {
      const std::lock_guard lock(mutex_);
      if (const auto known = opened_.find(number); known != opened_.end()) return known->second.decoder;
    }
    auto inner = shard_->inner()->Open(source);
    if (!inner) throw Error(ErrorKind::kCorrupt, "a shard that vanished while it was read");
    return inner;
  }

  /// Keeps the reader of a nested shard, or counts its memory again. If all take too much, the others are dropped.
  void Keep(std::uint64_t number, const std::shared_ptr<const ShardReader>& inner) const {
    const std::size_t size = inner->memory_size();
    std::map<std::uint64_t, Opened> dropped;  // freed after the mutex is released
    const std::lock_guard lock(mutex_);
    if (const auto known = opened_.find(number); known != opened_.end()) {
      opened_size_ -= known->second.size;
      opened_.erase(known);
    }
    if (opened_size_ + size > kMaxOpenedSize) {
      dropped.swap(opened_);
      opened_size_ = 0;
    }
    if (size > kMaxOpenedSize) return;
    opened_.emplace(number, Opened{inner, size});
    opened_size_ += size;
  }

  std::shared_ptr<const ResolvedSharding> shard_;
  ShardIndex index_;
  std::optional<std::uint64_t> value_size_;
  mutable ForkSafeMutex mutex_;  // the child of a fork may get a reader from a cache while other threads use it
  struct Opened {
    std::shared_ptr<const ShardReader> decoder;
    std::size_t size;  // as counted
  };
  mutable std::map<std::uint64_t, Opened> opened_;  // the nested shards whose indices are kept
  mutable std::size_t opened_size_ = 0;
};

/// Adds no slack: the slack for a few bytes, taken for each of millions of inner chunks, would make the bound useless.
std::optional<std::uint64_t> ResolvedSharding::GetMaxInnerChunkSize() const {
  constexpr std::uint64_t kSlack = 4096;
  const auto size = inner_->max_encoded_size();
  if (!size || inner_->inner_chunk_shape() || shard_.data_type.variable()) return size;
  return std::min<std::uint64_t>(*size, 2 * std::uint64_t{inner_->decoded().byte_size()} + kSlack);
}

std::uint64_t ResolvedSharding::max_open_size() const {
  const std::uint64_t count = ComputeProduct(inner_grid_);
  const std::uint64_t index = sizeof(OpenedShard) + 2 * sizeof(std::uint64_t) * count;
  if (!is_nested()) return index;
  const std::uint64_t nested = inner_->max_open_size();
  return index + std::min<std::uint64_t>(MultiplyChecked(nested, count).value_or(UINT64_MAX), kMaxOpenedSize + nested);
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

std::shared_ptr<const ShardReader> ResolvedSharding::Open(const ValueReader& source) const {
  std::optional<std::uint64_t> value_size;
  auto index = ReadIndex(source, &value_size);
  if (!index) return nullptr;
  return std::make_shared<OpenedShard>(shared_from_this(), *std::move(index), value_size);
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
    arenas.push_back(std::move(inner_chunk.arena));  // its bytes stay where they are
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

std::optional<SplitShard> ResolvedSharding::Split(const ValueReader& source, const InnerChunkFilter& wanted) const {
  /// A value of at most this size is read whole with one request.
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
  end.reset();
  return Gather(source, GetInnerRanges(*index, size, wanted));
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
    if (!sum || *sum > kMaxKeptOfShard) {
      throw Error(ErrorKind::kLimitExceeded,
                  FormatExpectedGot("inner chunks of at most " + std::to_string(kMaxKeptOfShard) +
                                        " bytes in a shard that is changed",
                                    "more"));
    }
    size = *sum;
  }
  return inner_chunks;
}

std::optional<SplitShard> ResolvedSharding::Gather(const ValueReader& source,
                                                   std::vector<std::optional<ByteRange>> inner_chunks) {
  // Reads in the order of the value, so that neighbours are read together.
  std::vector<ByteRange*> places;
  for (auto& inner_chunk : inner_chunks) {
    if (inner_chunk) places.push_back(&*inner_chunk);
  }
  std::sort(places.begin(), places.end(), [](const auto* a, const auto* b) { return a->offset < b->offset; });
  std::vector<ByteRange> ranges;
  std::uint64_t size = 0;
  for (ByteRange* const place : places) {
    const ByteRange range = *place;
    place->offset = size;
    size += range.length;
    if (!ranges.empty() && ranges.back().offset + ranges.back().length == range.offset) {
      ranges.back().length += range.length;
    } else {
      ranges.push_back(range);
    }
  }
  Bytes bytes(static_cast<std::size_t>(size));
  std::vector<MutableByteSpan> buffers;
  MutableByteSpan rest = bytes;
  for (const ByteRange& range : ranges) {
    buffers.push_back(rest.first(range.length));
    rest = rest.subspan(range.length);
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

std::shared_ptr<const CodecPipeline> ParsePipeline(const JsonNode& codecs) {
  if (codecs.IsArray() && codecs.size() == 0) codecs.FailExpected("at least an array-to-bytes codec");
  return CodecPipeline::Make(ParseCodecsV3(codecs), false);
}

class ShardingCodec final : public ArrayToBytesCodec {
 public:
  explicit ShardingCodec(const CodecSpec& spec)
      : configuration_(spec.configuration),
        chunk_shape_(configuration_.At("chunk_shape")),
        inner_(ParsePipeline(configuration_.At("codecs"))),
        index_codecs_(ParsePipeline(configuration_.At("index_codecs"))) {
    const auto location = configuration_.Find("index_location");
    if (!location || location->IsNull()) return;
    if (location->AsString() != "start" && location->AsString() != "end")
      location->FailExpected("\"start\" or \"end\"");
    if (location->AsString() == "start") location_ = IndexLocation::kStart;
  }

  std::shared_ptr<const ResolvedArrayToBytes> Resolve(const ChunkSpec& shard) const override {
    if (!chunk_shape_.IsArray() || chunk_shape_.size() != shard.shape.size()) {
      chunk_shape_.FailExpected("a list of " + std::to_string(shard.shape.size()) + " integers");
    }
    ChunkSpec inner = shard;
    for (std::size_t i = 0; i < shard.shape.size(); ++i) {
      const JsonNode edge = chunk_shape_[i];
      if (!edge.IsInteger() || edge.AsDouble() < 1 || shard.shape[i] % edge.AsUint64() != 0) {
        edge.FailExpected("a divisor of the shard's edge " + std::to_string(shard.shape[i]));
      }
      inner.shape[i] = edge.AsUint64();
    }
    return std::make_shared<ResolvedSharding>(shard, inner_->Resolve(inner), *index_codecs_, location_,
                                              configuration_.At("index_codecs"));
  }

 private:
  JsonNode configuration_;
  JsonNode chunk_shape_;
  std::shared_ptr<const CodecPipeline> inner_;
  std::shared_ptr<const CodecPipeline> index_codecs_;
  IndexLocation location_ = IndexLocation::kEnd;
};

}  // namespace

Codec MakeShardingCodec(const CodecSpec& spec) {
  return std::shared_ptr<const ArrayToBytesCodec>(std::make_shared<ShardingCodec>(spec));
}

}  // namespace zarr
