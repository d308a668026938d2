// SPDX-License-Identifier: MIT
#include "zarrlib/array/array.h"

#include <algorithm>
#include <initializer_list>
#include <mutex>

#include "zarrlib/array/cache/array_registry.h"
#include "zarrlib/array/cache/chunk_cache.h"
#include "zarrlib/array/cache/shard_index_cache.h"
#include "zarrlib/array/cache/value_state.h"
#include "zarrlib/array/other_chunk_keys.h"
#include "zarrlib/base/fork_safety.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/codec/codec_registry.h"

namespace zarr {
namespace {

/// Describes everything that determines the content of the chunks: the metadata without the attributes, which may
/// change while chunks are cached, and the options with which the metadata were parsed (MetadataOptions).
std::string DescribeContent(const ArrayMetadata& metadata) {
  std::string content = std::to_string(static_cast<int>(metadata.zarr_format)) + metadata.data_type.name + ' ' +
                        std::to_string(metadata.data_type.size) + '\n';
  content.append(AsText(metadata.fill_value.bytes)).append(metadata.implicit_bytes ? "\n1" : "\n0");
  for (const CodecSpec& codec : metadata.codecs) content += '\n' + codec.name + codec.configuration.Dump();
  // The keys may differ from those that the document declares.
  content += '\n' + metadata.chunk_key_encoding.Format(Shape(metadata.shape.size())) + '\n';
  if (!metadata.document.IsObject()) return content;
  for (const auto& [name, value] : metadata.document.GetMembers()) {
    if (name != "attributes" && name != "dimension_names") content += name + value.Dump() + '\n';
  }
  return content;
}

/// Returns the error with the JSON Pointer of the first member with one of the names, unless it already has a pointer.
Error AddMemberPath(const ArrayMetadata& metadata, std::initializer_list<const char*> names, const Error& error) {
  if (!error.pointer().empty() || !metadata.document.IsObject()) return error;
  for (const char* name : names) {
    const auto node = metadata.document.Find(name);
    if (node) return {error.kind(), node->store(), node->key(), node->pointer(), error.message()};
  }
  return error;
}

[[noreturn]] void FailDataType(const ArrayMetadata& metadata) {
  const std::string message = FormatExpectedGot("a known data type", "\"" + metadata.data_type.name + "\"");
  throw AddMemberPath(metadata, {"data_type", "dtype"}, Error(ErrorKind::kUnsupported, message));
}

bool CanWait(ErrorKind kind) {
  return kind == ErrorKind::kUnsupported || kind == ErrorKind::kLimitExceeded;
}

}  // namespace

struct Array::ResolvedPipelines {
  ForkSafeMutex mutex;
  std::vector<std::shared_ptr<const ResolvedPipeline>> pipelines;  // the latest last
};

std::shared_ptr<const Array> Array::Make(std::shared_ptr<Store> store, std::string path, ArrayMetadata metadata,
                                         const ArrayWarner& warn) {
  std::shared_ptr<Array> array(new Array);
  if (warn) array->key_check_ = std::make_unique<ChunkKeyCheck>(warn);
  array->opened_ = OpeningClock::Advance();
  array->identity_ = ArrayIdentity::Get(store->identity(), path, std::hash<std::string>()(DescribeContent(metadata)));
  array->store_ = std::move(store);
  array->path_ = std::move(path);
  array->metadata_ = std::move(metadata);
  const ArrayMetadata& model = array->metadata_;
  for (const std::string& folder : {model.chunk_root, array->path_}) {
    if (!folder.empty()) array->chunk_prefix_ += folder + "/";
  }
  array->grid_shape_ = model.chunk_grid.grid_shape();
  array->numbers_chunks_ = ComputeCheckedProduct(array->grid_shape_).has_value();
  try {
    if (model.data_type.kind == DataType::Kind::kUnknown) FailDataType(model);
    array->pipeline_ = MakePipeline(model.codecs, model.implicit_bytes);
    // Codecs that do not fit the data type are detected here, not by the first read.
    auto resolved = array->pipeline_->Resolve({model.chunk_grid.max_chunk_shape(), model.data_type, model.fill_value});
    if (model.chunk_grid.uniform_chunk_shape()) array->uniform_ = std::move(resolved);
  } catch (const Error& error) {
    const bool is_size = error.kind() == ErrorKind::kLimitExceeded;
    const Error placed = (is_size ? AddMemberPath(model, {"chunk_grid", "chunks"}, error) : error)
                             .At(model.document.store(), model.document.key());
    if (!CanWait(error.kind())) throw placed;
    array->unsupported_ = placed;
  }
  return array;
}

Array::Array() : others_(std::make_unique<ResolvedPipelines>()) {}

Array::~Array() = default;

std::uint64_t Array::id() const {
  return identity_->id();
}

const std::atomic<std::uint64_t>& Array::generation() const {
  return identity_->place().generation();
}

bool HaveSameContent(const ArrayMetadata& a, const ArrayMetadata& b) {
  return DescribeContent(a) == DescribeContent(b);
}

void ForgetCachedArrays(const Store& store, std::string_view path) {
  ArrayIdentity::Forget(store.identity(), std::string(path));
}

std::optional<Shape> Array::inner_chunk_shape() const {
  if (unsupported_) return std::nullopt;
  const auto resolved = uniform_ ? uniform_ : ResolveFor(metadata_.chunk_grid.max_chunk_shape());
  return resolved->inner_chunk_shape() ? std::optional(*resolved->inner_chunk_shape()) : std::nullopt;
}

Shape GetSmallestChunkShape(const Array& array) {
  return array.inner_chunk_shape().value_or(array.metadata().chunk_grid.max_chunk_shape());
}

std::optional<std::uint64_t> FindEvenChunkEdge(const Array& array, std::size_t axis) {
  if (const auto inner = array.inner_chunk_shape()) return (*inner)[axis];
  const ChunkGrid& grid = array.metadata().chunk_grid;
  if (!grid.axis(axis).uniform()) return std::nullopt;
  return grid.max_chunk_shape()[axis];
}

std::optional<std::uint64_t> Array::GetChunkNumber(const Shape& grid_index) const {
  if (!numbers_chunks_) return std::nullopt;
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < grid_index.size(); ++i) number = number * grid_shape_[i] + grid_index[i];
  return number;
}

void Array::ForgetChunk(const Shape& grid_index, const ResolvedPipeline& pipeline) const {
  identity_->place().Advance();
  // Chunks of other snapshots may have other numbers.
  for (auto other = identity_->place().FindNext(0); other; other = identity_->place().FindNext(*other)) {
    if (*other == id()) continue;
    ChunkCache::GetShared().EraseArray(*other);
    ShardIndexCache::GetShared().EraseArray(*other);
  }
  const auto number = GetChunkNumber(grid_index);
  if (!number) return;
  std::uint64_t inner_chunks = 1;
  if (const Shape* inner_chunk_shape = pipeline.inner_chunk_shape()) {
    const Shape& shape = pipeline.decoded().shape;
    for (std::size_t i = 0; i < shape.size(); ++i) inner_chunks *= shape[i] / (*inner_chunk_shape)[i];
    ShardIndexCache::GetShared().Erase({id(), *number, 0});
  }
  ChunkCache::GetShared().EraseChunk(id(), *number, inner_chunks);
}

std::string Array::MakeChunkKey(const Shape& grid_index) const {
  std::string key = chunk_prefix_;
  metadata_.chunk_key_encoding.AppendTo(grid_index, &key);
  return key;
}

std::shared_ptr<const ResolvedPipeline> Array::ResolveFor(const Shape& chunk_shape) const {
  constexpr std::size_t kKept = 256;
  if (unsupported_) throw *unsupported_;
  if (uniform_ && uniform_->decoded().shape == chunk_shape) return uniform_;
  {
    const std::lock_guard lock(others_->mutex);
    const auto found = std::find_if(others_->pipelines.begin(), others_->pipelines.end(),
                                    [&](const auto& pipeline) { return pipeline->decoded().shape == chunk_shape; });
    if (found != others_->pipelines.end()) return *found;
  }
  auto resolved = pipeline_->Resolve({chunk_shape, metadata_.data_type, metadata_.fill_value});
  const std::lock_guard lock(others_->mutex);
  if (others_->pipelines.size() >= kKept) others_->pipelines.erase(others_->pipelines.begin());
  others_->pipelines.push_back(resolved);
  return resolved;
}

}  // namespace zarr
