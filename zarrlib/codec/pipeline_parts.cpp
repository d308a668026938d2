// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>

#include "zarrlib/base/limits.h"
#include "zarrlib/codec/codec_pipeline.h"

namespace zarr {
namespace {

/// A value in memory.
class MemorySource final : public ValueReader {
 public:
  explicit MemorySource(Bytes bytes) : bytes_(std::move(bytes)) {}
  std::size_t size() const { return bytes_.size(); }

  bool Read(std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers) const override {
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const ByteRange& range = ranges[i];
      if (range.offset > bytes_.size() || range.length > bytes_.size() - range.offset) {
        throw Error(ErrorKind::kCorrupt,
                    FormatExpectedGot("a range within " + std::to_string(bytes_.size()) + " bytes",
                                      std::to_string(range.offset) + "+" + std::to_string(range.length)));
      }
      if (range.length > 0) std::memcpy(buffers[i].data(), bytes_.data() + range.offset, range.length);
    }
    return true;
  }
  std::optional<Suffix> ReadSuffix(std::uint64_t length) const override {
    const auto count = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(length, bytes_.size()));
    return Suffix{Bytes(bytes_.end() - count, bytes_.end()), bytes_.size()};
  }
  std::optional<Bytes> ReadAll(std::uint64_t max_size) const override {
    if (bytes_.size() <= max_size) return bytes_;
    throw Error(
        ErrorKind::kLimitExceeded,
        FormatExpectedGot("a value of at most " + std::to_string(max_size) + " bytes", std::to_string(bytes_.size())));
  }

 private:
  Bytes bytes_;
};

/// Returns true if bytes, which are not empty, lie in a buffer.
bool IsPartOf(const Bytes& buffer, ByteSpan bytes) {
  const std::less<> before;  // unlike <, it orders pointers into different buffers
  return !buffer.empty() && !before(bytes.data(), buffer.data()) && before(bytes.data(), buffer.data() + buffer.size());
}

}  // namespace

/// Computes how the codecs around a sharding codec affect one of its inner chunks.
class PartsOfPipeline {
 public:
  static bool IsTrivial(const ResolvedPipeline& pipeline) { return pipeline.array_to_array_.empty(); }
  static Selection ToInner(const ResolvedPipeline& pipeline, const Selection& selection);
  static Box ToOuter(const ResolvedPipeline& pipeline, const Box& box);
  static ChunkSpec GetDecodedSpec(const ResolvedPipeline& pipeline, const InnerChunkDecoder& inner);
  static Strides GetLayout(const ResolvedPipeline& pipeline, const InnerChunkDecoder& inner);
  static bool HasArrayCodecs(const ResolvedPipeline& pipeline) {
    return pipeline.array_to_array_.size() > pipeline.leading_permutations_;
  }
  static void DecodeElements(const ResolvedPipeline& pipeline, MutableByteSpan elements, MutableByteSpan out);
  static std::optional<Bytes> DecodeValue(const ResolvedPipeline& pipeline, const ValueReader& source);
  static bool HasBytesCodecs(const ResolvedPipeline& pipeline) { return !pipeline.bytes_to_bytes_.empty(); }
  static void EncodeElements(const ResolvedPipeline& pipeline, const ShardEncoder& inner, ByteSpan elements,
                             Bytes* encoded);
  static void EncodeValue(const ResolvedPipeline& pipeline, Bytes* value);
  /// The number of inner chunks along the axes of the array, and along the axes of the codec that contains them.
  static Shape GetOuterGrid(const ResolvedPipeline& pipeline, const Shape& inner_chunk);
  static std::uint64_t GetInnerNumber(const ResolvedPipeline& pipeline, const Shape& outer_grid,
                                      const Shape& outer_index);
  static const ResolvedArrayToBytes& GetInner(const ResolvedPipeline& pipeline) { return *pipeline.array_to_bytes_; }
};

Selection PartsOfPipeline::ToInner(const ResolvedPipeline& pipeline, const Selection& selection) {
  Selection inner = selection;
  for (std::size_t i = 0; i < inner.rank(); ++i) {
    const std::size_t axis = pipeline.axes_[i];
    inner.start[i] = selection.start[axis];
    inner.count[i] = selection.count[axis];
    inner.step[i] = selection.step[axis];
  }
  return inner;
}

Box PartsOfPipeline::ToOuter(const ResolvedPipeline& pipeline, const Box& box) {
  Box outer = box;
  for (std::size_t i = 0; i < box.rank(); ++i) {
    outer.origin[pipeline.axes_[i]] = box.origin[i];
    outer.shape[pipeline.axes_[i]] = box.shape[i];
  }
  return outer;
}

ChunkSpec PartsOfPipeline::GetDecodedSpec(const ResolvedPipeline& pipeline, const InnerChunkDecoder& inner) {
  ChunkSpec spec{inner.decoded().shape, pipeline.decoded_.data_type, pipeline.decoded_.fill_value};
  for (std::size_t i = 0; i < spec.shape.size(); ++i) spec.shape[pipeline.axes_[i]] = inner.decoded().shape[i];
  return spec;
}

Strides PartsOfPipeline::GetLayout(const ResolvedPipeline& pipeline, const InnerChunkDecoder& inner) {
  Strides layout = inner.layout();
  const auto inner_size = static_cast<std::ptrdiff_t>(std::max<std::size_t>(inner.decoded().data_type.size, 1));
  const auto size = static_cast<std::ptrdiff_t>(std::max<std::size_t>(pipeline.decoded_.data_type.size, 1));
  for (std::size_t i = 0; i < layout.size(); ++i) layout[pipeline.axes_[i]] = inner.layout()[i] / inner_size * size;
  return layout;
}

void PartsOfPipeline::DecodeElements(const ResolvedPipeline& pipeline, MutableByteSpan elements, MutableByteSpan out) {
  const auto& codecs = pipeline.array_to_array_;
  const std::size_t count = elements.size() / std::max<std::size_t>(codecs.back()->encoded().data_type.size, 1);
  ScratchBuffer current;
  for (std::size_t i = codecs.size(); i-- > pipeline.leading_permutations_;) {
    const DataType& type = i == 0 ? pipeline.decoded_.data_type : codecs[i - 1]->encoded().data_type;
    const bool last = i == pipeline.leading_permutations_;
    ScratchBuffer target;
    if (!last) target.bytes().resize(count * type.size);
    codecs[i]->Decode(elements, last ? out : target.span());
    std::swap(current.bytes(), target.bytes());
    elements = current.span();
  }
}

void PartsOfPipeline::EncodeElements(const ResolvedPipeline& pipeline, const ShardEncoder& inner, ByteSpan elements,
                                     Bytes* encoded) {
  const auto& codecs = pipeline.array_to_array_;
  const std::size_t count = elements.size() / std::max<std::size_t>(pipeline.decoded_.data_type.size, 1);
  ScratchBuffer current;
  for (std::size_t i = pipeline.leading_permutations_; i < codecs.size(); ++i) {
    ScratchBuffer next(count * codecs[i]->encoded().data_type.size);
    codecs[i]->Encode(elements, next.span());
    std::swap(current.bytes(), next.bytes());
    elements = current.span();
  }
  inner.EncodeInnerChunk(elements, encoded);
}

Shape PartsOfPipeline::GetOuterGrid(const ResolvedPipeline& pipeline, const Shape& inner_chunk) {
  Shape grid = pipeline.decoded_.shape;
  for (std::size_t i = 0; i < grid.size(); ++i) grid[i] /= inner_chunk[i];
  return grid;
}

std::uint64_t PartsOfPipeline::GetInnerNumber(const ResolvedPipeline& pipeline, const Shape& outer_grid,
                                              const Shape& outer_index) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < outer_grid.size(); ++i) {
    number = number * outer_grid[pipeline.axes_[i]] + outer_index[pipeline.axes_[i]];
  }
  return number;
}

void PartsOfPipeline::EncodeValue(const ResolvedPipeline& pipeline, Bytes* value) {
  if (!pipeline.bytes_to_bytes_.empty() && value->size() > GetLimit(Limit::kWholeShard)) {
    throw Error(ErrorKind::kLimitExceeded,
                FormatExpectedGot(FormatAtMost(Limit::kWholeShard, "bytes") + " of a shard that codecs follow",
                                  std::to_string(value->size())));
  }
  pipeline.EncodeBytes(0, value);
}

std::optional<Bytes> PartsOfPipeline::DecodeValue(const ResolvedPipeline& pipeline, const ValueReader& source) {
  constexpr std::uint64_t kRoom = std::uint64_t{16} << 20;  // for bytes that may follow the value
  const std::uint64_t most = std::min(pipeline.max_encoded_size().value_or(UINT64_MAX), GetLimit(Limit::kWholeShard));
  std::optional<Bytes> value = source.ReadAll(most + kRoom);
  if (!value) return std::nullopt;
  MemoryShare share;
  std::array<ScratchBuffer, 2> scratch;
  const ByteSpan bytes = pipeline.DecodeBytes(*value, {}, scratch, &share);
  if (bytes.empty()) return Bytes();
  // The decoded bytes are a range of the encoded bytes or of one of the scratch buffers: there is memory for both.
  for (ScratchBuffer& buffer : scratch) {
    if (IsPartOf(buffer.bytes(), bytes)) std::swap(*value, buffer.bytes());
  }
  const std::ptrdiff_t begin = bytes.data() - value->data();
  value->resize(static_cast<std::size_t>(begin) + bytes.size());
  value->erase(value->begin(), value->begin() + begin);
  return value;
}

namespace {

/// Decodes an inner chunk of a pipeline with other codecs around the sharding codec.
class InnerChunkInPipeline final : public InnerChunkDecoder {
 public:
  InnerChunkInPipeline(std::shared_ptr<const ResolvedPipeline> pipeline, std::shared_ptr<const InnerChunkDecoder> inner)
      : pipeline_(std::move(pipeline)),
        inner_(std::move(inner)),
        decoded_(PartsOfPipeline::GetDecodedSpec(*pipeline_, *inner_)),
        layout_(PartsOfPipeline::GetLayout(*pipeline_, *inner_)) {}

  const ChunkSpec& decoded() const override { return decoded_; }
  const Strides& layout() const override { return layout_; }

  void Decode(ByteSpan encoded, MutableByteSpan out) const override {
    if (!PartsOfPipeline::HasArrayCodecs(*pipeline_)) return inner_->Decode(encoded, out);
    ScratchBuffer elements(inner_->decoded().byte_size());
    inner_->Decode(encoded, elements.span());
    PartsOfPipeline::DecodeElements(*pipeline_, elements.span(), out);
  }
  void DecodeVariable(ByteSpan encoded, VariableChunk* out) const override { inner_->DecodeVariable(encoded, out); }
  std::optional<std::uint64_t> max_encoded_size() const override { return inner_->max_encoded_size(); }
  std::uint64_t largest_array() const override {
    return std::max<std::uint64_t>(inner_->largest_array(), decoded_.byte_size());
  }

 private:
  std::shared_ptr<const ResolvedPipeline> pipeline_;
  std::shared_ptr<const InnerChunkDecoder> inner_;
  ChunkSpec decoded_;
  Strides layout_;
};

class PipelinePartialDecoder final : public ShardReader {
 public:
  PipelinePartialDecoder(std::shared_ptr<const ResolvedPipeline> pipeline, std::shared_ptr<const ShardReader> inner,
                         std::shared_ptr<const MemorySource> memory)
      : pipeline_(std::move(pipeline)), inner_(std::move(inner)), memory_(std::move(memory)) {}

  void Plan(const Selection& selection, const ValueReader& source, std::vector<InnerChunkRead>* tasks) const override {
    const std::size_t first = tasks->size();
    const Selection inner = PartsOfPipeline::ToInner(*pipeline_, selection);
    inner_->Plan(inner, memory_ ? *memory_ : source, tasks);
    std::pair<const InnerChunkDecoder*, std::shared_ptr<const InnerChunkDecoder>> wrapped;
    for (std::size_t i = first; i < tasks->size(); ++i) {
      InnerChunkRead& task = (*tasks)[i];
      if (memory_ && !task.source) task.source = memory_;
      if (PartsOfPipeline::IsTrivial(*pipeline_)) continue;
      task.box = PartsOfPipeline::ToOuter(*pipeline_, task.box);
      if (wrapped.first != task.decoder.get()) {
        wrapped = {task.decoder.get(), std::make_shared<InnerChunkInPipeline>(pipeline_, task.decoder)};
      }
      task.decoder = wrapped.second;
    }
  }

  std::size_t memory_size() const override { return inner_->memory_size() + (memory_ ? memory_->size() : 0); }

 private:
  std::shared_ptr<const ResolvedPipeline> pipeline_;
  std::shared_ptr<const ShardReader> inner_;
  std::shared_ptr<const MemorySource> memory_;
};

}  // namespace

namespace {

template <typename T>
std::shared_ptr<const T> MakeUnowned(const T& object) {
  return {std::shared_ptr<const void>(), &object};
}

/// Encodes inner chunks of a pipeline with other codecs around the sharding codec. Owned by the pipeline that it points
/// to.
class PipelinePartialEncoder final : public ShardEncoder {
 public:
  PipelinePartialEncoder(const ResolvedPipeline& pipeline, const ShardEncoder& inner)
      : pipeline_(pipeline),
        inner_(inner),
        inner_decoder_(MakeUnowned(pipeline), MakeUnowned(inner.inner_decoder())),
        grid_(PartsOfPipeline::GetOuterGrid(pipeline, inner_decoder_.decoded().shape)) {}

  const InnerChunkDecoder& inner_decoder() const override { return inner_decoder_; }
  void EncodeInnerChunk(ByteSpan elements, Bytes* encoded) const override {
    PartsOfPipeline::EncodeElements(pipeline_, inner_, elements, encoded);
  }
  void EncodeInnerChunkVariable(std::span<const std::string_view> elements, Bytes* encoded) const override {
    inner_.EncodeInnerChunkVariable(elements, encoded);
  }
  std::optional<SplitShard> Split(const ValueReader& source, const InnerChunkFilter& wanted) const override {
    if (!PartsOfPipeline::HasBytesCodecs(pipeline_)) return SplitDecoded(source, wanted);
    auto value = PartsOfPipeline::DecodeValue(pipeline_, source);
    if (!value) return std::nullopt;
    return SplitDecoded(MemorySource(*std::move(value)), wanted);
  }
  void Assemble(std::span<const std::optional<ByteSpan>> inner_chunks, Bytes* value) const override {
    inner_.Assemble(Reorder(inner_chunks, true), value);
    PartsOfPipeline::EncodeValue(pipeline_, value);
  }

 private:
  std::optional<SplitShard> SplitDecoded(const ValueReader& source, const InnerChunkFilter& wanted) const {
    std::vector<std::size_t> outer(static_cast<std::size_t>(ComputeProduct(grid_)));
    std::iota(outer.begin(), outer.end(), 0);
    outer = Reorder<std::size_t>(outer, true);
    std::optional<SplitShard> value = inner_.Split(source, [&](std::size_t inner) { return wanted(outer[inner]); });
    if (value) value->inner_chunks = Reorder<std::optional<ByteRange>>(value->inner_chunks, false);
    return value;
  }

  /// Reorders inner chunks from the order of the array's axes to that of the sharding codec's axes, or back.
  template <typename T>
  std::vector<T> Reorder(std::span<const T> inner_chunks, bool to_inner) const {
    std::vector<T> reordered(inner_chunks.size());
    Shape index(grid_.size(), 0);
    std::size_t outer = 0;
    do {
      const auto inner = static_cast<std::size_t>(PartsOfPipeline::GetInnerNumber(pipeline_, grid_, index));
      reordered[to_inner ? inner : outer] = inner_chunks[to_inner ? outer : inner];
      ++outer;
    } while (AdvanceIndex(grid_, &index));
    return reordered;
  }

  const ResolvedPipeline& pipeline_;
  const ShardEncoder& inner_;
  InnerChunkInPipeline inner_decoder_;
  Shape grid_;
};

}  // namespace

std::unique_ptr<const ShardEncoder> ResolvedPipeline::MakePartialEncoder() const {
  const ShardEncoder* inner = PartsOfPipeline::GetInner(*this).shard_encoder();
  return inner ? std::make_unique<PipelinePartialEncoder>(*this, *inner) : nullptr;
}

std::uint64_t ResolvedPipeline::max_open_size() const {
  const std::uint64_t inner = PartsOfPipeline::GetInner(*this).max_open_size();
  if (!opens_whole()) return inner;
  return AddChecked(inner, bounds_[0].bytes.value_or(GetLimit(Limit::kWholeShard))).value_or(UINT64_MAX);
}

std::shared_ptr<const ShardReader> ResolvedPipeline::Open(const ValueReader& source) const {
  std::shared_ptr<const MemorySource> memory;
  if (PartsOfPipeline::HasBytesCodecs(*this)) {
    auto value = PartsOfPipeline::DecodeValue(*this, source);
    if (!value) return nullptr;
    memory = std::make_shared<MemorySource>(*std::move(value));
  }
  auto inner = PartsOfPipeline::GetInner(*this).Open(memory ? *memory : source);
  if (!inner) return nullptr;
  if (!memory && PartsOfPipeline::IsTrivial(*this)) return inner;
  return std::make_shared<PipelinePartialDecoder>(shared_from_this(), std::move(inner), std::move(memory));
}

}  // namespace zarr
