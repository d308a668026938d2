#include "zarrlib/codec/sharding_codec.h"

#include <map>
#include <mutex>
#include <utility>

#include "zarrlib/base/strided_copy.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/codec/codec_util.h"
#include "zarrlib/codec/shard_index.h"
#include "zarrlib/grid/chunk_grid.h"

namespace zarr {
namespace {

enum class IndexLocation { kStart, kEnd };

/// A part of another value, as a value of its own.
class SubSource final : public ByteSource {
 public:
  SubSource(const ByteSource& outer, ByteRange range) : outer_(outer), range_(range) {}

  bool Read(std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers) const override {
    std::vector<ByteRange> shifted(ranges.begin(), ranges.end());
    for (ByteRange& range : shifted) {
      if (range.offset > range_.length || range.length > range_.length - range.offset) {
        throw Error(ErrorKind::kCorrupt,
                    ExpectedGot("a range within " + std::to_string(range_.length) + " bytes",
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
  std::optional<Bytes> ReadAll() const override {
    auto suffix = ReadSuffix(range_.length);
    if (!suffix) return std::nullopt;
    return std::move(suffix->bytes);
  }
  std::optional<std::uint64_t> value_size() const override { return range_.length; }

 private:
  const ByteSource& outer_;
  ByteRange range_;
};

class ResolvedSharding final : public ResolvedArrayToBytes,
                               public PartialEncoder,
                               public std::enable_shared_from_this<ResolvedSharding> {
 public:
  ResolvedSharding(const ChunkSpec& shard, std::shared_ptr<const ResolvedPipeline> inner,
                   const CodecPipeline& index_codecs, IndexLocation location, const JsonNode& place)
      : shard_(shard),
        inner_(std::move(inner)),
        grid_(ChunkGrid::Regular(shard.shape, inner_->decoded().shape)),
        index_codec_(index_codecs, grid_.grid_shape(), place),
        location_(location) {}

  std::optional<std::uint64_t> encoded_size() const override { return std::nullopt; }
  /// Shards may have gaps: as much again.
  std::optional<std::uint64_t> max_encoded_size() const override {
    const auto part = inner_->max_encoded_size();
    const auto parts = part ? CheckedMultiply(*part, Product(inner_grid_)) : std::nullopt;
    const auto all = parts ? CheckedAdd(*parts, index_codec_.encoded_size()) : std::nullopt;
    return CompressedBound({all, false}).bytes;
  }
  void Decode(ByteSpan encoded, MutableByteSpan decoded) const override;
  void Encode(ByteSpan decoded, Bytes* encoded) const override;
  const Shape* leaf_shape() const override {
    return inner_->leaf_shape() ? inner_->leaf_shape() : &inner_->decoded().shape;
  }
  std::shared_ptr<const PartialDecoder> Open(const ByteSource& source) const override;
  const PartialEncoder* partial_encoder() const override { return this; }

  // PartialEncoder: the parts are the inner chunks, whether they are leaves or shards.
  const LeafDecoder& part() const override { return *inner_; }
  void EncodePart(ByteSpan elements, Bytes* encoded) const override {
    const ByteSpan bytes = inner_->EncodeLaidOut(elements, encoded);
    if (bytes.data() != encoded->data()) encoded->assign(bytes.begin(), bytes.end());
  }
  void EncodePartVariable(std::span<const std::string_view> elements, Bytes* encoded) const override {
    inner_->EncodeLaidOutVariable(elements, encoded);
  }
  SplitValue Split(Bytes stored) const override;
  void Assemble(std::span<const std::optional<ByteSpan>> parts, Bytes* value) const override;

  const std::shared_ptr<const ResolvedPipeline>& inner() const { return inner_; }
  const ChunkGrid& grid() const { return grid_; }
  const Shape& inner_grid() const { return inner_grid_; }

 private:
  ShardIndex IndexOf(ByteSpan value) const;
  [[noreturn]] void FailShort(std::uint64_t got) const {
    throw Error(ErrorKind::kCorrupt,
                ExpectedGot("a shard with an index of " + std::to_string(index_codec_.encoded_size()) + " bytes",
                            std::to_string(got) + " bytes"));
  }
  Selection All() const { return Selection::Of({Shape(shard_.shape.size(), 0), shard_.shape}); }

  ChunkSpec shard_;
  std::shared_ptr<const ResolvedPipeline> inner_;
  ChunkGrid grid_;
  Shape inner_grid_ = grid_.grid_shape();
  ShardIndexCodec index_codec_;
  IndexLocation location_;
};

std::uint64_t LinearIndex(const Shape& grid, const Shape& index) {
  std::uint64_t linear = 0;
  for (std::size_t i = 0; i < grid.size(); ++i) linear = linear * grid[i] + index[i];
  return linear;
}

/// A shard whose index has been read.
class OpenedShard final : public PartialDecoder {
 public:
  OpenedShard(std::shared_ptr<const ResolvedSharding> shard, ShardIndex index, std::optional<std::uint64_t> value_size)
      : shard_(std::move(shard)), index_(std::move(index)), value_size_(value_size) {}

  void Plan(const Selection& selection, const ByteSource& source, std::vector<LeafTask>* tasks) const override {
    const ChunkRange range(shard_->grid(), selection);
    tasks->reserve(tasks->size() + static_cast<std::size_t>(range.count()));
    for (std::uint64_t i = 0; i < range.count(); ++i) {
      const ChunkOverlap overlap = range.At(i);
      const std::uint64_t number = LinearIndex(shard_->inner_grid(), overlap.grid_index);
      const auto bytes = index_.At(number, value_size_);
      if (bytes && shard_->inner()->leaf_shape()) {
        PlanNested(overlap, selection.step, number, *bytes, source, tasks);
      } else {
        tasks->push_back({overlap.live, number, bytes, shard_->inner(), nullptr});
      }
    }
  }

  std::size_t memory_size() const override { return sizeof(*this) + index_.memory_size(); }

 private:
  /// The leaves of an inner chunk that is a shard itself.
  void PlanNested(const ChunkOverlap& overlap, const Shape& step, std::uint64_t number, ByteRange bytes,
                  const ByteSource& source, std::vector<LeafTask>* tasks) const {
    const SubSource inner_source(source, bytes);
    const auto inner = OpenInner(number, inner_source);
    const std::size_t first = tasks->size();
    inner->Plan({overlap.first, overlap.count, step}, inner_source, tasks);
    const std::uint64_t leaves = LeavesPerInnerChunk();
    for (std::size_t i = first; i < tasks->size(); ++i) {
      LeafTask& task = (*tasks)[i];
      for (std::size_t axis = 0; axis < task.box.rank(); ++axis) task.box.origin[axis] += overlap.live.origin[axis];
      task.leaf_index += number * leaves;
      if (task.range && !task.source) task.range->offset += bytes.offset;
    }
  }

  std::uint64_t LeavesPerInnerChunk() const {
    const Shape& inner = shard_->inner()->decoded().shape;
    std::uint64_t leaves = 1;
    for (std::size_t i = 0; i < inner.size(); ++i) leaves *= inner[i] / (*shard_->inner()->leaf_shape())[i];
    return leaves;
  }

  std::shared_ptr<const PartialDecoder> OpenInner(std::uint64_t number, const ByteSource& source) const {
    {
      const std::lock_guard lock(mutex_);
      if (const auto known = opened_.find(number); known != opened_.end()) return known->second;
    }
    auto inner = shard_->inner()->Open(source);
    if (!inner) throw Error(ErrorKind::kCorrupt, "a shard that vanished while it was read");
    const std::lock_guard lock(mutex_);
    return opened_.try_emplace(number, std::move(inner)).first->second;
  }

  std::shared_ptr<const ResolvedSharding> shard_;
  ShardIndex index_;
  std::optional<std::uint64_t> value_size_;
  mutable std::mutex mutex_;
  mutable std::map<std::uint64_t, std::shared_ptr<const PartialDecoder>> opened_;  // inner chunks that are shards
};

std::shared_ptr<const PartialDecoder> ResolvedSharding::Open(const ByteSource& source) const {
  const std::uint64_t index_size = index_codec_.encoded_size();
  Bytes bytes;
  std::optional<std::uint64_t> value_size;
  if (location_ == IndexLocation::kEnd) {
    auto suffix = source.ReadSuffix(index_size);
    if (!suffix) return nullptr;
    bytes = std::move(suffix->bytes);
    value_size = suffix->value_size;
  } else {
    bytes.resize(static_cast<std::size_t>(index_size));
    const ByteRange range{0, index_size};
    const MutableByteSpan buffer = bytes;
    if (!source.Read({&range, 1}, {&buffer, 1})) return nullptr;
    value_size = source.value_size();
  }
  if (bytes.size() != index_size) FailShort(bytes.size());
  try {
    return std::make_shared<OpenedShard>(shared_from_this(), index_codec_.Decode(bytes), value_size);
  } catch (const Error& error) {
    throw error.Within("shard index");
  }
}

ShardIndex ResolvedSharding::IndexOf(ByteSpan value) const {
  const std::uint64_t index_size = index_codec_.encoded_size();
  if (value.size() < index_size) FailShort(value.size());
  try {
    return index_codec_.Decode(location_ == IndexLocation::kEnd ? value.last(index_size) : value.first(index_size));
  } catch (const Error& error) {
    throw error.Within("shard index");
  }
}

void ResolvedSharding::Decode(ByteSpan encoded, MutableByteSpan decoded) const {
  const ShardIndex index = IndexOf(encoded);
  const std::size_t item_size = shard_.data_type.size;
  const Strides strides = ContiguousStrides(shard_.shape, item_size);
  const ChunkRange range(grid_, All());
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

void ResolvedSharding::Encode(ByteSpan decoded, Bytes* encoded) const {
  const std::size_t item_size = shard_.data_type.size;
  const Strides strides = ContiguousStrides(shard_.shape, item_size);
  const ChunkRange range(grid_, All());
  std::vector<Bytes> values(static_cast<std::size_t>(range.count()));
  std::vector<std::optional<ByteSpan>> parts(values.size());
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
    EncodePart(elements.span(), &values[i]);
    parts[i] = values[i];
  }
  Assemble(parts, encoded);
}

SplitValue ResolvedSharding::Split(Bytes stored) const {
  const ShardIndex index = IndexOf(stored);
  SplitValue value{std::move(stored), {}};
  value.parts.reserve(static_cast<std::size_t>(index.inner_chunks()));
  for (std::uint64_t i = 0; i < index.inner_chunks(); ++i) value.parts.push_back(index.At(i, value.bytes.size()));
  return value;
}

void ResolvedSharding::Assemble(std::span<const std::optional<ByteSpan>> parts, Bytes* value) const {
  const bool at_start = location_ == IndexLocation::kStart;
  std::uint64_t size = at_start ? index_codec_.encoded_size() : 0;
  ShardIndex index = ShardIndex::Empty(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i]) continue;
    index.Set(i, {size, parts[i]->size()});
    size += parts[i]->size();
  }
  const Bytes index_bytes = index_codec_.Encode(index);
  value->clear();
  value->reserve(static_cast<std::size_t>(size) + (at_start ? 0 : index_bytes.size()));
  const auto append = [&](ByteSpan bytes) { value->insert(value->end(), bytes.begin(), bytes.end()); };
  if (at_start) append(index_bytes);
  for (const auto& part : parts) {
    if (part) append(*part);
  }
  if (!at_start) append(index_bytes);
}

std::shared_ptr<const CodecPipeline> PipelineFrom(const JsonNode& codecs) {
  if (codecs.IsArray() && codecs.size() == 0) codecs.FailExpected("at least an array-to-bytes codec");
  return CodecPipeline::Make(CodecsFromV3(codecs), false);
}

class ShardingCodec final : public ArrayToBytesCodec {
 public:
  explicit ShardingCodec(const CodecSpec& spec)
      : configuration_(spec.configuration),
        chunk_shape_(configuration_.At("chunk_shape")),
        inner_(PipelineFrom(configuration_.At("codecs"))),
        index_codecs_(PipelineFrom(configuration_.At("index_codecs"))) {
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
