// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "autotest/cpp/support/test_util.h"
#include "zarrlib/array/array.h"
#include "zarrlib/array/cache/chunk_cache.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/store/memory_store.h"
#include "zarrlib/store/store_folders.h"
#include "zarrlib/store/store_requests.h"

/// Helpers for the tests of arrays: a store that counts, arrays with known content, and a model of reading them.
namespace zarr::test {

/// A store in memory that counts reads, and fails where it is told to. Each has a name of its own, so that no two tests
/// share chunks in the cache.
class CountingStore final : public Store, private StoreRequests {
 public:
  explicit CountingStore(std::size_t concurrency = 0)
      : Store(UniqueName()), memory_(name()), concurrency_(concurrency) {}

  StoreInfo info() const override {
    StoreInfo info = memory_.info();
    info.concurrency = concurrency_;
    info.lists = can_list_;
    return info;
  }
  bool Read(const ReadRequest& request) const override {
    if (request.part == ReadRequest::Part::kStamp) return ReadStamp(request);
    Count(request.key);
    const bool found = memory_.Read(request);
    if (request.stamp != nullptr) request.stamp->settled = settled_;
    if (request.part != ReadRequest::Part::kPresence && after_read_) after_read_(std::string(request.key));
    return found;
  }
  std::optional<Listing> List(std::string_view prefix, const ListOptions& options = {}) const override {
    if (!options.only.empty() || (!options.below && !can_list_)) return std::nullopt;
    if (!options.below) return memory_.List(prefix);
    if (!tells_names_) return std::nullopt;
    ++lists_;
    Listing listing;
    Collect(std::string(prefix), prefix.size(), &listing.keys);
    return listing.keys.size() <= options.most ? std::optional(listing) : std::nullopt;
  }
  /// The number of lists of all keys below a prefix.
  int lists() const { return lists_; }
  bool Write(std::string_view key, ByteSpan value, WriteIf condition) override {
    if (condition == WriteIf::kAbsent && memory_.Exists(key)) return false;
    if (on_write_) on_write_(std::string(key));
    return memory_.Write(key, value, condition);
  }
  void SetText(std::string_view key, std::string_view text) { memory_.Set(key, AsBytes(text)); }
  void EraseAll(std::span<const std::string> keys) override {
    for (const std::string& key : keys) {
      if (on_write_ && !key.ends_with('/')) on_write_(key);
      memory_.EraseAll({&key, 1});
    }
  }
  StoreFolders* folders() const override { return tells_names_ ? memory_.folders() : nullptr; }
  const StoreRequests* requests() const override { return this; }

  /// Makes reads of a key fail with Error(io).
  void FailAt(std::string key) { failing_.insert(std::move(key)); }
  void DisableListing() { can_list_ = false; }
  /// Lets it keep folders, and list all keys below a prefix.
  void TellNames() { tells_names_ = true; }
  /// Called before each read, with the key.
  void OnRead(std::function<void(const std::string&)> hook) { hook_ = std::move(hook); }
  /// Called after each read of a value, before the reader has it.
  void AfterRead(std::function<void(const std::string&)> hook) { after_read_ = std::move(hook); }
  /// Called when a value cannot be decoded, with the key and how often. Returns whether it is worth getting again.
  void OnBroken(std::function<bool(const std::string&, int)> hook) { on_broken_ = std::move(hook); }
  /// Called before a value is set or erased. An exception of the hook is the result of that operation.
  void OnWrite(std::function<void(const std::string&)> hook) { on_write_ = std::move(hook); }

  /// Returns the number of reads since the last call.
  int TakeReads() {
    const std::lock_guard lock(mutex_);
    const int reads = reads_;
    reads_ = 0;
    keys_.clear();
    return reads;
  }
  /// Returns the number of stamps that were asked for since the last call.
  int TakeStamps() {
    const std::lock_guard lock(mutex_);
    return std::exchange(stamps_, 0);
  }
  /// Sets whether stamps from now on are settled.
  void SetSettled(bool settled) { settled_ = settled; }
  int ReadsOf(std::string_view key) const {
    const std::lock_guard lock(mutex_);
    const auto found = keys_.find(key);
    return found == keys_.end() ? 0 : found->second;
  }

 private:
  bool ReadStamp(const ReadRequest& request) const {
    {
      const std::lock_guard lock(mutex_);
      ++stamps_;
      if (failing_.contains(request.key)) FailToRead(request.key);
    }
    const bool found = memory_.Read(request);
    request.stamp->settled = settled_;
    return found;
  }
  bool NoteBroken(std::string_view key, int, int times, Error* error) const override {
    if (on_broken_ && on_broken_(std::string(key), times)) return true;
    if (on_broken_) *error = error->With("from the store");
    return false;
  }
  [[noreturn]] void FailToRead(std::string_view key) const {
    throw Error(ErrorKind::kIo, name(), std::string(key), "", "HTTP 500");
  }
  void Collect(const std::string& prefix, std::size_t start, std::vector<std::string>* keys) const {
    const Listing listing = *memory_.List(prefix);
    for (const std::string& key : listing.keys) keys->push_back((prefix + key).substr(start));
    for (const std::string& folder : listing.prefixes) Collect(prefix + folder + "/", start, keys);
  }

  mutable std::atomic<int> lists_ = 0;
  static std::string UniqueName() {
    static std::atomic<int> count{0};
    return "store" + std::to_string(count++);
  }
  void Count(std::string_view key) const {
    if (hook_) hook_(std::string(key));
    const std::lock_guard lock(mutex_);
    ++reads_;
    ++keys_[std::string(key)];
    if (failing_.contains(key)) FailToRead(key);
  }

  MemoryStore memory_;
  std::size_t concurrency_;
  bool can_list_ = true;
  bool tells_names_ = false;
  std::set<std::string, std::less<>> failing_;
  std::function<void(const std::string&)> hook_;
  std::function<void(const std::string&)> after_read_;
  std::function<void(const std::string&)> on_write_;
  std::function<bool(const std::string&, int)> on_broken_;
  mutable std::mutex mutex_;
  mutable int reads_ = 0;
  mutable int stamps_ = 0;
  std::atomic<bool> settled_{true};
  mutable std::map<std::string, int, std::less<>> keys_;
};

/// How many values a store on a network reads at once.
inline constexpr std::size_t kOnNetwork = 4;

/// Sets the limit of the process's chunk cache while the object lives.
class CacheLimit {
 public:
  explicit CacheLimit(std::size_t limit) : old_(ChunkCache::GetShared().limit()) {
    ChunkCache::GetShared().SetLimit(limit);
  }
  ~CacheLimit() { ChunkCache::GetShared().SetLimit(old_); }
  CacheLimit(const CacheLimit&) = delete;
  CacheLimit& operator=(const CacheLimit&) = delete;

 private:
  std::size_t old_;
};

/// The metadata of an int32 array of v3. `chunk_shapes` is the member of a rectilinear grid; a list of integers makes a
/// regular grid.
inline std::string Metadata(const Shape& shape, std::string_view chunk_shapes, std::string_view codecs,
                            std::string_view fill_value = "-1") {
  const JsonNode chunks = Json(chunk_shapes);
  bool regular = true;
  for (const JsonNode& axis : chunks.GetItems()) regular = regular && axis.IsInteger();
  const std::string grid =
      regular ? R"({"name": "regular", "configuration": {"chunk_shape": )" + std::string(chunk_shapes) + "}}"
              : R"({"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": )" +
                    std::string(chunk_shapes) + "}}";
  return R"({"zarr_format": 3, "node_type": "array", "shape": )" + ToString(shape) +
         R"(, "data_type": "int32", "chunk_grid": )" + grid + R"(, "chunk_key_encoding": "default", "fill_value": )" +
         std::string(fill_value) + R"(, "codecs": )" + std::string(codecs) + "}";
}

inline constexpr std::string_view kPlain = R"([{"name": "bytes", "configuration": {"endian": "little"}}])";
/// Elements that are stored as they are in memory.
inline constexpr std::string_view kNative =
    kNativeEndian == Endian::kLittle ? kPlain : R"([{"name": "bytes", "configuration": {"endian": "big"}}])";
inline constexpr std::string_view kCompressed =
    R"([{"name": "bytes", "configuration": {"endian": "big"}}, {"name": "zstd", "configuration": {"level": 1}}])";

/// Makes an array. Its document is stored, where the store takes it: writers look for it.
inline std::shared_ptr<const Array> MakeArray(const std::shared_ptr<Store>& store, std::string_view metadata,
                                              const std::string& path = "a") {
  const std::string document = JoinKey(path, "zarr.json");
  if (store->info().writes) store->Set(document, AsBytes(metadata));
  return Array::Make(store, path, ParseArrayV3(JsonNode::Parse(metadata, store->name(), document)));
}

/// The configuration of a sharding codec; `more` are further members.
inline std::string Sharding(std::string_view chunk_shape, std::string_view codecs, std::string_view more = "") {
  return R"({"name": "sharding_indexed", "configuration": {"chunk_shape": )" + std::string(chunk_shape) +
         R"(, "codecs": )" + std::string(codecs) +
         R"(, "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, "crc32c"])" +
         std::string(more) + "}}";
}

/// Shards with inner chunks of 2 x 2.
inline const std::string kCompressedShards = "[" + Sharding("[2, 2]", kCompressed) + "]";

/// The element at an index of the content that `Write` writes: its number in C order.
inline std::int32_t ElementAt(const Shape& shape, const Shape& index) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) number = number * shape[i] + index[i];
  return static_cast<std::int32_t>(number);
}

/// The elements of a chunk according to ElementAt, with nonsense beyond the end of the array.
inline Bytes ChunkOf(const Array& array, const ChunkOverlap& overlap) {
  std::vector<std::int32_t> chunk;
  Shape index(array.rank(), 0);
  do {
    Shape element = index;
    bool live = true;
    for (std::size_t i = 0; i < index.size(); ++i) {
      element[i] += overlap.live.origin[i];
      live = live && element[i] < array.shape()[i];
    }
    chunk.push_back(live ? ElementAt(array.shape(), element) : 0x55555555);
  } while (AdvanceIndex(overlap.encoded_shape, &index));
  return BytesOf(chunk);
}

inline Selection WholeOf(const Array& array) {
  return Selection::FromBox({Shape(array.rank(), 0), array.shape()});
}

/// Stores all chunks except those whose number is in `left_out`.
inline void Write(Store* store, const Array& array, const std::set<std::uint64_t>& left_out = {}) {
  const ChunkRange range(array.metadata().chunk_grid, WholeOf(array));
  for (std::uint64_t number = 0; number < range.count(); ++number) {
    if (left_out.contains(number)) continue;
    const ChunkOverlap overlap = range.At(number);
    Bytes encoded;
    array.ResolveFor(overlap.encoded_shape)->Encode(ChunkOf(array, overlap), &encoded);
    store->Set(array.MakeChunkKey(overlap.grid_index), encoded);
  }
}

inline std::size_t CountOf(const Selection& selection) {
  return static_cast<std::size_t>(ComputeProduct(selection.count));
}

/// Reads to a packed buffer that was filled with nonsense before.
inline std::vector<std::int32_t> Read(const Array& array, const Selection& selection, const ReadOptions& options = {}) {
  std::vector<std::int32_t> values(CountOf(selection), 0x77777777);
  const Destination destination{reinterpret_cast<std::byte*>(values.data()),
                                GetContiguousStrides(selection.count, sizeof(std::int32_t)), nullptr};
  EXPECT_TRUE(array.Read(selection, destination, options));
  return values;
}

/// The result of `Read` if all chunks are stored.
inline std::vector<std::int32_t> Expected(const Shape& shape, const Selection& selection) {
  std::vector<std::int32_t> values;
  if (CountOf(selection) == 0) return values;
  Shape position(shape.size(), 0);
  do {
    Shape element = position;
    for (std::size_t i = 0; i < element.size(); ++i) element[i] = selection.start[i] + position[i] * selection.step[i];
    values.push_back(ElementAt(shape, element));
  } while (AdvanceIndex(selection.count, &position));
  return values;
}

/// Copies elements to std::string objects.
class TextConverter final : public RowConverter {
 public:
  void ConvertRow(const std::byte* source, std::ptrdiff_t source_stride, std::byte* destination,
                  std::ptrdiff_t destination_stride, std::size_t count) const override {
    for (std::size_t i = 0; i < count; ++i, source += source_stride, destination += destination_stride) {
      std::string_view text;
      std::memcpy(&text, source, sizeof(text));
      *reinterpret_cast<std::string*>(destination) = text;
    }
  }
  bool replicable() const override { return false; }
};

/// The metadata of an array of one axis, with the data type int32, chunks of two elements, and no compression.
inline ArrayMetadata MakeLineMetadata(ZarrFormat format, std::uint64_t length) {
  ArrayMetadata array;
  array.zarr_format = format;
  array.shape = {length};
  array.data_type = DataType::FromV2(Json(R"("<i4")"));
  array.chunk_grid = ChunkGrid::MakeRegular(array.shape, {2});
  array.chunk_key_encoding = {ChunkKeyEncoding::Kind::kV2, '.'};
  array.fill_value = {BytesOf<std::int32_t>({7}), true};
  array.implicit_bytes = true;
  return array;
}

}  // namespace zarr::test
