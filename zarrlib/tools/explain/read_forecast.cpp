// SPDX-License-Identifier: MIT
#include "zarrlib/tools/explain/read_forecast.h"

#include <algorithm>
#include <atomic>

#include "zarrlib/array/read/stored_chunks.h"
#include "zarrlib/array/read/stored_value.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/grid/write_units.h"
#include "zarrlib/store/store_requests.h"

namespace zarr::tools {
namespace {

/// The fraction of used values below which a read is reported as wasteful.
constexpr double kSmallShare = 0.25;
/// The number of bytes that cost less than a request: a round trip takes 20 ms or more outside a data centre, in which
/// a 50 Mbit/s line transfers 125 kB.
constexpr std::uint64_t kCheapBytes = std::uint64_t{128} << 10;
/// The maximum number of requests in flight.
constexpr std::uint64_t kManyRequests = 64;
/// Larger chunks keep other connections and threads waiting.
constexpr std::uint64_t kLargeBytes = std::uint64_t{16} << 20;

constexpr const char* kNothingIsFree = "Nothing is stored here, but each chunk or shard takes a request all the same.";
constexpr const char* kNothingIsKnown = "Nothing is stored here, which the store knows without a request.";
constexpr const char* kWholeShards =
    "A codec encodes each shard as a whole, so that all of it is read and decoded. Without that codec, only the inner "
    "chunks of the region would be.";
constexpr const char* kLargeIndices =
    "The indices of the shards are larger than what is read with them. Larger inner chunks, or smaller shards, have "
    "smaller indices.";

bool Contains(const ByteRange& outer, const ByteRange& inner) {
  return inner.offset >= outer.offset && inner.offset + inner.length <= outer.offset + outer.length;
}

/// A stored value that counts the bytes, and the reads that would take a request if the store were remote: see
/// StoredValue.
class CountingValue final : public ValueReader {
 public:
  explicit CountingValue(const ValueReader& value) : value_(value) {}

  bool Read(std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers) const override {
    const bool is_first = reads_ == 0;
    if (!std::ranges::all_of(ranges, [this](const ByteRange& range) { return IsKept(range); })) ++reads_;
    for (const ByteRange& range : ranges) bytes_ += range.length;
    if (!value_.Read(ranges, buffers)) return false;
    if (is_first && ranges.size() == 1 && ranges[0].offset == 0) kept_ = {0, GetKept(ranges[0].length)};
    return true;
  }
  std::optional<Suffix> ReadSuffix(std::uint64_t length) const override {
    ++reads_;
    auto suffix = value_.ReadSuffix(length);
    if (!suffix) return suffix;
    bytes_ += suffix->bytes.size();
    const std::uint64_t kept = GetKept(length);
    kept_ = {suffix->value_size - kept, kept};
    return suffix;
  }
  std::optional<Bytes> ReadAll(std::uint64_t max_size) const override {
    ++reads_;
    auto bytes = value_.ReadAll(max_size);
    if (bytes) bytes_ += bytes->size();
    return bytes;
  }
  std::optional<std::uint64_t> value_size() const override { return value_.value_size(); }

  std::uint64_t reads() const { return reads_; }
  std::uint64_t bytes() const { return bytes_; }
  /// Returns true if a range would come with the index.
  bool IsKept(const ByteRange& range) const { return Contains(kept_, range); }

 private:
  /// Returns how many bytes of an end would come with the first access to it.
  std::uint64_t GetKept(std::uint64_t length) const {
    return std::min(std::max(length, kReadWithIndex), value_size().value_or(length));
  }

  const ValueReader& value_;
  mutable std::atomic<std::uint64_t> reads_{0};
  mutable std::atomic<std::uint64_t> bytes_{0};
  mutable ByteRange kept_{0, 0};
};

/// The elements of a chunk that are in the region, in coordinates of the chunk, and the encoded shape.
struct WantedOfChunk {
  Box selected;
  Shape encoded_shape;
};

WantedOfChunk FindWanted(const Array& array, const Shape& index, const Box& region) {
  const ChunkGrid& grid = array.metadata().chunk_grid;
  Box chunk{index, index};
  for (std::size_t i = 0; i < index.size(); ++i) {
    chunk.origin[i] = grid.axis(i).At(index[i]).start;
    chunk.shape[i] = grid.axis(i).At(index[i]).live;
  }
  const ChunkOverlap overlap = ChunkRange(grid, Selection::FromBox(Intersect(chunk, region))).At(0);
  return {{overlap.first, overlap.count}, overlap.encoded_shape};
}

void AddChunk(const Array& array, const std::string& key, const WantedOfChunk& wanted, ReadForecast* forecast) {
  VersionStamp stamp;
  if (!array.store().GetStamp(key, &stamp)) return;
  ++forecast->stored_chunks;
  forecast->stored_bytes += stamp.size;
  forecast->largest_read = std::max(forecast->largest_read, stamp.size);
  forecast->decoded_values += ComputeProduct(wanted.encoded_shape);
  forecast->used_values += ComputeProduct(wanted.selected.shape);
}

/// Adds a stored inner chunk.
void AddInnerChunk(const InnerChunkRead& read, const Box& selected, ReadForecast* forecast) {
  ++forecast->stored_inner_chunks;
  forecast->decoded_values += read.decoder->decoded().element_count();
  forecast->used_values += ComputeProduct(Intersect(read.box, selected).shape);
  if (forecast->reads_whole_shards) return;
  forecast->stored_bytes += read.range->length;
  forecast->largest_read = std::max(forecast->largest_read, read.range->length);
}

void AddShardOnce(const Array& array, const StoredValue& stored, const WantedOfChunk& wanted, ReadForecast* forecast) {
  const auto pipeline = array.ResolveFor(wanted.encoded_shape);
  const CountingValue value(stored);
  const auto shard = pipeline->Open(value);
  if (!shard) return;
  ++forecast->stored_chunks;
  std::vector<InnerChunkRead> reads;
  shard->Plan(Selection::FromBox(wanted.selected), value, &reads);
  forecast->reads_whole_shards = pipeline->opens_whole();
  forecast->inner_chunks += reads.size();
  std::uint64_t data = 0;
  for (const InnerChunkRead& read : reads) {
    if (!read.range) continue;
    AddInnerChunk(read, wanted.selected, forecast);
    if (!pipeline->opens_whole() && (read.source || !value.IsKept(*read.range))) data = 1;
  }
  (pipeline->opens_whole() ? forecast->stored_bytes : forecast->index_bytes) += value.bytes();
  if (pipeline->opens_whole()) forecast->largest_read = std::max(forecast->largest_read, value.bytes());
  forecast->requests += value.reads() - 1 + data;  // an absent shard also takes the first one
  // The indices of all nested shards can be requested at the same time.
  const std::uint64_t indices = std::min<std::uint64_t>(value.reads(), 2);
  forecast->round_trips = std::max(forecast->round_trips, indices + data);
}

void AddShard(const Array& array, const std::string& key, const WantedOfChunk& wanted, ReadForecast* forecast) {
  ReadUnchanged(array.store(), key, [&](const StoredValue& stored) {
    ReadForecast more = *forecast;  // discarded if the shard changes in the meantime
    AddShardOnce(array, stored, wanted, &more);
    *forecast = more;
  });
}

bool KnowsKeys(const Array& array) {
  const StoreRequests* const requests = array.store().requests();
  return requests && requests->knows_keys();
}

/// Returns true if the bytes of a value are among the store's references.
bool IsInline(const Array& array, const std::string& key) {
  const StoreRequests* const requests = array.store().requests();
  const auto location = requests ? requests->Locate(key) : std::nullopt;
  return location && location->bytes;
}

/// Adds a stored chunk or shard.
void AddStored(const Array& array, const std::string& key, const WantedOfChunk& wanted, ReadForecast* forecast) {
  const bool is_inline = IsInline(array, key);
  const ReadForecast before = *forecast;
  if (KnowsKeys(array)) ++forecast->requests;
  forecast->round_trips = std::max<std::uint64_t>(forecast->round_trips, 1);
  (array.inner_chunk_shape() ? AddShard : AddChunk)(array, key, wanted, forecast);
  if (!is_inline) return;
  forecast->requests = before.requests;
  forecast->round_trips = before.round_trips;
}

std::string FormatShape(const Shape& shape) {
  std::string text;
  for (const std::uint64_t edge : shape) text += (text.empty() ? "" : " x ") + std::to_string(edge);
  return text;
}

}  // namespace

ReadForecast ForecastRead(const Array& array, const Box& region, const std::function<void()>& on_chunk) {
  ReadForecast forecast;
  const Box chunks = WriteUnits::FindChunks(array.metadata().chunk_grid, region);
  if (region.empty() || chunks.empty()) return forecast;
  forecast.chunks = ComputeProduct(chunks.shape);
  if (!KnowsKeys(array)) {
    forecast.requests = forecast.chunks;  // an absent one takes a request, too
    forecast.round_trips = 1;
  }
  ForEachExistingChunk(array, chunks, [&](const Shape& index) {
    const std::string key = array.MakeChunkKey(index);
    const WantedOfChunk wanted = FindWanted(array, index, region);
    try {
      AddStored(array, key, wanted, &forecast);
    } catch (const Error& error) {
      throw error.At(array.store().name(), key);
    }
    if (on_chunk) on_chunk();
  });
  forecast.decoded_bytes = forecast.decoded_values * array.data_type().size;
  return forecast;
}

std::vector<std::string> GiveAdvice(const Array& array, const ReadForecast& forecast) {
  const bool is_sharded = array.inner_chunk_shape().has_value();
  const std::uint64_t stored = is_sharded ? forecast.stored_inner_chunks : forecast.stored_chunks;
  if (forecast.chunks == 0) return {"Nothing is read."};
  if (stored == 0) return {KnowsKeys(array) ? kNothingIsKnown : kNothingIsFree};
  std::vector<std::string> advice;
  if (forecast.reads_whole_shards) {
    advice.emplace_back(kWholeShards);
  } else if (forecast.used_share() < kSmallShare && forecast.stored_bytes > kCheapBytes) {
    advice.push_back("Most of the values that arrive are not used: " + std::string(is_sharded ? "inner " : "") +
                     "chunks of " + FormatShape(GetSmallestChunkShape(array)) +
                     " are large for such regions. Smaller " + (is_sharded ? "ones" : "ones, in shards,") +
                     " would transfer less.");
  }
  if (forecast.requests > kManyRequests && forecast.stored_bytes / forecast.requests < kCheapBytes) {
    advice.push_back("Most of the time goes into requests, not into bytes. " +
                     std::string(is_sharded ? "Larger shards" : "Larger chunks, or shards of many chunks,") +
                     " would take fewer requests.");
  }
  if (forecast.index_bytes > std::max(forecast.stored_bytes, kCheapBytes)) advice.emplace_back(kLargeIndices);
  if (forecast.largest_read > kLargeBytes) {
    advice.push_back("The largest " + std::string(is_sharded ? "inner chunk" : "chunk") +
                     " arrives over one connection, and one thread decodes it. Smaller ones would go side by side.");
  }
  if (advice.empty() && forecast.used_share() < kSmallShare) {
    advice.push_back("Few of the values that arrive are used, but so few bytes, up to " + std::to_string(kCheapBytes) +
                     ", take less time than one more request: the chunks suit this region.");
  }
  if (advice.empty()) advice.emplace_back("The chunks suit this region.");
  if (advice.size() > 2) advice.resize(2);
  return advice;
}

}  // namespace zarr::tools
