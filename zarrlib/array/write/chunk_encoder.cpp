// SPDX-License-Identifier: MIT
#include "zarrlib/array/write/chunk_encoder.h"
#include "zarrlib/base/limits.h"

#include <algorithm>
#include <utility>

namespace zarr {
namespace {

/// Codecs that work on numbers may need memory with this alignment.
constexpr std::size_t kAlignment = 16;

std::span<const std::string_view> AsViews(const std::byte* elements, std::size_t count) {
  return {reinterpret_cast<const std::string_view*>(elements), count};
}

const InnerChunkDecoder& GetDecoder(const ResolvedPipeline& pipeline) {
  const ShardEncoder* shards = pipeline.shard_encoder();
  return shards ? shards->inner_decoder() : pipeline;
}

/// Returns the number of elements of a chunk, which has to fit into memory as a whole.
std::size_t CountElements(const ChunkSpec& spec, std::size_t item_size) {
  const std::size_t item = std::max<std::size_t>(item_size, 1);
  return ToMemorySize(spec.element_count() * item) / item;
}

}  // namespace

ChunkEncoder::ChunkEncoder(std::shared_ptr<const ResolvedPipeline> pipeline, bool store_empty)
    : pipeline_(std::move(pipeline)),
      shards_(pipeline_->shard_encoder()),
      decoder_(GetDecoder(*pipeline_)),
      store_empty_(store_empty || !decoder_.decoded().fill_value.defined),
      grid_(ChunkGrid::MakeRegular(pipeline_->decoded().shape, decoder_.decoded().shape)),
      grid_shape_(grid_.grid_shape()),
      item_size_(variable() ? sizeof(std::string_view) : decoder_.decoded().data_type.size),
      element_count_(CountElements(decoder_.decoded(), item_size_)),
      element_strides_(decoder_.layout()),
      byte_strides_(decoder_.layout()) {
  const auto item = static_cast<std::ptrdiff_t>(std::max<std::size_t>(item_size_, 1));
  for (std::size_t i = 0; i < byte_strides_.size(); ++i) {
    // The decoder's layout is in bytes for types of fixed size, and otherwise in elements.
    if (variable())
      byte_strides_[i] *= item;
    else
      element_strides_[i] /= item;
  }
}

std::uint64_t ChunkEncoder::GetInnerChunkNumber(const Shape& index) const {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < index.size(); ++i) number = number * grid_shape_[i] + index[i];
  return number;
}

void ChunkEncoder::Fill(std::byte* elements) const {
  const Bytes& fill = decoder_.decoded().fill_value.bytes;
  const std::string_view text = variable() ? decoder_.GetGap() : std::string_view();
  const ByteSpan element = variable() ? ByteSpan(reinterpret_cast<const std::byte*>(&text), sizeof(text)) : fill;
  StridedFill(element, inner_chunk_shape(), item_size_, {elements, byte_strides_, nullptr});
}

void ChunkEncoder::Copy(const RegionElements& source, std::byte* elements) const {
  Strides strides = byte_strides_;
  for (std::size_t i = 0; i < strides.size(); ++i) {
    elements += static_cast<std::ptrdiff_t>(source.first[i]) * strides[i];
    if (source.count[i] > 1) strides[i] *= static_cast<std::ptrdiff_t>(source.step[i]);
  }
  StridedCopy(source.data, source.strides, source.count, item_size_, {elements, strides, source.converter});
}

bool ChunkEncoder::TakesAsItIs(const RegionElements& source) const {
  if (source.converter || reinterpret_cast<std::uintptr_t>(source.data) % kAlignment != 0) return false;
  const Shape& shape = inner_chunk_shape();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (source.count[i] != shape[i]) return false;
    if (shape[i] > 1 && source.strides[i] != byte_strides_[i]) return false;
  }
  return true;
}

bool ChunkEncoder::IsEmpty(const std::byte* elements) const {
  const FillValue& fill = decoder_.decoded().fill_value;
  if (store_empty_) return false;
  if (!variable()) return fill.EqualsAll({elements, memory_size()});
  const auto views = AsViews(elements, element_count_);
  return std::ranges::all_of(views, [&](std::string_view view) { return decoder_.IsFill(view); });
}

ByteSpan ChunkEncoder::Encode(const std::byte* elements, Bytes* encoded) const {
  if (variable()) {
    const auto views = AsViews(elements, element_count_);
    shards_ ? shards_->EncodeInnerChunkVariable(views, encoded) : pipeline_->EncodeLaidOutVariable(views, encoded);
    return *encoded;
  }
  const ByteSpan bytes(elements, memory_size());
  if (!shards_) return pipeline_->EncodeLaidOut(bytes, encoded);
  shards_->EncodeInnerChunk(bytes, encoded);
  return *encoded;
}

void ChunkEncoder::Decode(ByteSpan encoded, std::byte* elements) const {
  decoder_.Decode(encoded, {elements, memory_size()});
}

}  // namespace zarr
