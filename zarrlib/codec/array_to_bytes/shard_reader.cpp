// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "zarrlib/base/fork_safety.h"
#include "zarrlib/codec/array_to_bytes/resolved_sharding.h"

namespace zarr {
namespace {

/// A range of another value, presented as a value of its own.
class RangeReader final : public ValueReader {
 public:
  RangeReader(const ValueReader& outer, ByteRange range) : outer_(outer), range_(range) {}

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

std::uint64_t GetLinearIndex(const Shape& grid, const Shape& index) {
  std::uint64_t linear = 0;
  for (std::size_t i = 0; i < grid.size(); ++i) linear = linear * grid[i] + index[i];
  return linear;
}

/// Limit on the size of the nested indices kept by one ShardReader, in bytes.
constexpr std::size_t kMaxOpenedSize = std::size_t{8} << 20;

class IndexedShardReader final : public ShardReader {
 public:
  IndexedShardReader(std::shared_ptr<const ResolvedSharding> shard, ShardIndex index,
                     std::optional<std::uint64_t> value_size)
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
  /// Plans the inner chunks of an inner chunk that is itself a shard.
  void PlanNested(const ChunkOverlap& overlap, const Shape& step, std::uint64_t number, ByteRange bytes,
                  const ValueReader& source, std::vector<InnerChunkRead>* tasks) const {
    const RangeReader inner_reader(source, bytes);
    const auto inner = OpenInner(number, inner_reader);
    const std::size_t first = tasks->size();
    inner->Plan({overlap.first, overlap.count, step}, inner_reader, tasks);
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

  /// Keeps the reader of a nested shard, or updates its size. If all readers together use too much memory, the others
  /// are dropped.
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
  mutable ForkSafeMutex mutex_;  // a forked child may get a reader from a cache while other threads use it
  struct Opened {
    std::shared_ptr<const ShardReader> decoder;
    std::size_t size;  // as counted
  };
  mutable std::map<std::uint64_t, Opened> opened_;  // the nested shards whose indices are kept
  mutable std::size_t opened_size_ = 0;
};

}  // namespace

std::uint64_t ResolvedSharding::max_open_size() const {
  const std::uint64_t count = ComputeProduct(inner_grid_);
  const std::uint64_t index = sizeof(IndexedShardReader) + 2 * sizeof(std::uint64_t) * count;
  if (!is_nested()) return index;
  const std::uint64_t nested = inner_->max_open_size();
  return index + std::min<std::uint64_t>(MultiplyChecked(nested, count).value_or(UINT64_MAX), kMaxOpenedSize + nested);
}

std::shared_ptr<const ShardReader> ResolvedSharding::Open(const ValueReader& source) const {
  std::optional<std::uint64_t> value_size;
  auto index = ReadIndex(source, &value_size);
  if (!index) return nullptr;
  return std::make_shared<IndexedShardReader>(shared_from_this(), *std::move(index), value_size);
}

}  // namespace zarr
