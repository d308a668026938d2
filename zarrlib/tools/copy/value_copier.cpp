// SPDX-License-Identifier: MIT
#include "zarrlib/tools/copy/value_copier.h"

#include <algorithm>

#include "zarrlib/array/read/stored_chunks.h"
#include "zarrlib/base/executor.h"
#include "zarrlib/tools/interrupt.h"
#include "zarrlib/tools/reshard/reshard_copy.h"

namespace zarr::tools {
namespace {

constexpr std::uint64_t kMemory = std::uint64_t{512} << 20;
constexpr std::size_t kKeysAtOnce = 1024;

bool IsStored(const Store& store, const std::string& key, const Bytes& value) {
  VersionStamp stamp;
  if (!store.GetStamp(key, &stamp) || stamp.size != value.size()) return false;
  Bytes stored;
  return store.Get(key, &stored) && stored == value;
}

/// Returns the number of threads that copy chunks.
std::size_t ChooseWidth(const Store& from, const Array& array) {
  const std::size_t most = std::max(GetCpuCount(), from.info().concurrency);
  const ArrayMetadata& metadata = array.metadata();
  const auto bytes = CountCopiedBytes(metadata.data_type, metadata.chunk_grid.max_chunk_shape());
  const std::uint64_t fit = kMemory / std::max<std::uint64_t>(1, bytes.value_or(UINT64_MAX));
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(fit, 1, most));
}

}  // namespace

void ValueCopier::Copy(const std::string& key) const {
  Bytes value;
  if (!from_->Get(key, &value)) return;
  if (!resumed_ || !IsStored(*to_, key, value)) to_->Set(key, value);
}

void ValueCopier::CopyChunks(const Array& array, Progress* progress) const {
  const Shape grid = array.metadata().chunk_grid.grid_shape();
  const std::size_t width = ChooseWidth(*from_, array);
  std::vector<std::string> keys;
  const auto take = [&](const Shape& index) {
    keys.push_back(array.MakeChunkKey(index));
    if (keys.size() < kKeysAtOnce) return;
    CopyAll(keys, width, progress);
    keys.clear();
  };
  ForEachStoredChunk(array, {Shape(grid.size(), 0), grid}, take);
  CopyAll(keys, width, progress);
  if (resumed_) EraseStale(array);
}

void ValueCopier::EraseStale(const Array& array) const {
  const Shape grid = array.metadata().chunk_grid.grid_shape();
  const auto copied = Array::Make(to_, array.path(), array.metadata());
  ForEachStoredChunk(*copied, {Shape(grid.size(), 0), grid}, [&](const Shape& index) {
    const std::string key = array.MakeChunkKey(index);
    if (!from_->Exists(key)) to_->Erase(key);
  });
}

void ValueCopier::CopyAll(const std::vector<std::string>& keys, std::size_t width, Progress* progress) const {
  ExecutorOptions options;
  options.width = width;
  ParallelFor(keys.size(), options, [&](std::uint64_t i) {
    InterruptWatch::Check();
    Copy(keys[i]);
    progress->Advance();
  });
}

}  // namespace zarr::tools
