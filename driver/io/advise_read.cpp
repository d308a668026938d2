// SPDX-License-Identifier: MIT
#include "driver/io/advise_read.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "driver/io/io_options.h"
#include "zarrlib/array/cache/chunk_cache.h"

namespace gdal_zarr {
namespace {

std::uint64_t CountBytes(const zarr::Array& array, const zarr::Selection& selection) {
  std::uint64_t bytes = array.data_type().size;
  for (const std::uint64_t count : selection.count) bytes = zarr::MultiplyChecked(bytes, count).value_or(UINT64_MAX);
  return bytes;
}

/// Reads a selection in pieces, because the cache does not accept inner chunks from reads larger than an eighth of it.
class Prefetcher {
 public:
  Prefetcher(const zarr::Array& array, const zarr::ReadOptions& options, std::uint64_t budget)
      : array_(array),
        options_(options),
        inner_chunk_(zarr::GetSmallestChunkShape(array)),
        largest_piece_(zarr::ChunkCache::GetShared().limit() / 8),
        budget_(budget) {}

  void Run(const zarr::Selection& selection) {
    const std::uint64_t bytes = CountBytes(array_, selection);
    if (bytes > largest_piece_) return Split(selection);
    if (bytes > budget_) budget_ = 0;
    if (bytes == 0 || budget_ == 0) return;
    budget_ -= bytes;
    array_.Read(selection, {nullptr, zarr::Strides(selection.count.size(), 0), nullptr}, options_);
  }

 private:
  /// Splits a selection between inner chunks, along the axis with the most of them.
  void Split(const zarr::Selection& selection) {
    std::size_t axis = 0;
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < selection.count.size(); ++i) {
      const std::uint64_t inner_chunks = selection.count[i] / std::max<std::uint64_t>(1, inner_chunk_[i]);
      if (inner_chunks > most) {
        most = inner_chunks;
        axis = i;
      }
    }
    if (most < 2) return;  // the cache does not accept an inner chunk of that size
    const std::uint64_t half =
        (selection.start[axis] + selection.count[axis] / 2) / inner_chunk_[axis] * inner_chunk_[axis];
    const std::uint64_t first = half > selection.start[axis] ? half - selection.start[axis] : inner_chunk_[axis];
    zarr::Selection part = selection;
    part.count[axis] = first;
    Run(part);
    part.start[axis] += first;
    part.count[axis] = selection.count[axis] - first;
    if (budget_ > 0) Run(part);
  }

  const zarr::Array& array_;
  const zarr::ReadOptions& options_;
  zarr::Shape inner_chunk_;
  std::uint64_t largest_piece_;
  std::uint64_t budget_;
};

/// Returns true if reading ahead is worthwhile. A window above a fraction of the cache is read in parallel anyway:
/// reading ahead then only helps if most of the time is spent waiting for a remote store.
bool IsWorthwhile(const zarr::Array& array, const zarr::Selection& selection) {
  if (array.store().info().is_on_network()) return true;
  return CountBytes(array, selection) <= zarr::ChunkCache::GetShared().limit() / 8;
}

std::uint64_t GetBudget(CSLConstList options) {
  const std::uint64_t half = zarr::ChunkCache::GetShared().limit() / 2;
  const char* text = CSLFetchNameValue(options, "CACHE_SIZE");
  return text ? std::min<std::uint64_t>(half, std::strtoull(text, nullptr, 10)) : half;
}

}  // namespace

void ReadAhead(const zarr::Array& array, const zarr::Selection& selection, CSLConstList options) noexcept {
  try {
    if (array.data_type().variable() || array.unsupported() || !IsWorthwhile(array, selection)) return;
    const ConfigurationHook hook;
    zarr::ReadOptions read_options = MakeReadOptions(hook);
    read_options.read_ahead = true;
    if (const char* threads = CSLFetchNameValue(options, "NUM_THREADS")) {
      read_options.threads = ParseThreadCount(threads);
    }
    Prefetcher(array, read_options, GetBudget(options)).Run(selection);
  } catch (const std::exception& error) {
    CPLDebug("ZARR", "AdviseRead: %s", error.what());
  }
}

void ReadAheadTogether(std::span<const std::shared_ptr<const zarr::Array>> arrays) noexcept {
  try {
    const ConfigurationHook hook;
    zarr::ParallelFor(arrays.size(), {arrays.size(), &hook, {}}, [&](std::uint64_t i) {
      const zarr::Shape& shape = arrays[i]->shape();
      ReadAhead(*arrays[i], {zarr::Shape(shape.size(), 0), shape, zarr::Shape(shape.size(), 1)}, nullptr);
    });
  } catch (const std::exception& error) {
    CPLDebug("ZARR", "AdviseRead: %s", error.what());
  }
}

}  // namespace gdal_zarr
