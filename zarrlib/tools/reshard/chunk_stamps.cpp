// SPDX-License-Identifier: MIT
#include "zarrlib/tools/reshard/chunk_stamps.h"

#include <algorithm>
#include <functional>
#include <string>

#include "zarrlib/array/read/stored_chunks.h"
#include "zarrlib/tools/interrupt.h"

namespace zarr::tools {

ChunkStamps::ChunkStamps(const Array& array) {
  const Shape grid = array.metadata().chunk_grid.grid_shape();
  const Store& store = array.store();
  ForEachStoredChunk(array, {Shape(grid.size(), 0), grid}, [&](const Shape& index) {
    InterruptWatch::Check();
    const auto number = array.GetChunkNumber(index);
    if (!number) {
      throw Error(ErrorKind::kLimitExceeded, store.name(), array.path(), "",
                  FormatExpectedGot("an array of at most 2^64 chunks", "a grid of " + ToString(grid)));
    }
    VersionStamp stamp;
    if (!store.GetStamp(array.MakeChunkKey(index), &stamp, Freshness::kNow)) return;
    const std::string text = std::to_string(stamp.size) + ' ' + std::to_string(stamp.time) + ' ' + stamp.tag;
    const std::uint64_t state = std::max<std::uint64_t>(kUnsettled + 1, std::hash<std::string>()(text));
    stored_.push_back({*number, stamp.settled ? state : kUnsettled});
  });
  std::sort(stored_.begin(), stored_.end(), [](const Stored& a, const Stored& b) { return a.chunk < b.chunk; });
}

std::vector<std::uint64_t> ChunkStamps::FindChanged(const ChunkStamps& before) const {
  std::vector<std::uint64_t> changed;
  auto old = before.stored_.begin();
  for (const Stored& now : stored_) {
    for (; old != before.stored_.end() && old->chunk < now.chunk; ++old) changed.push_back(old->chunk);
    const bool was_there = old != before.stored_.end() && old->chunk == now.chunk;
    // A chunk that was recently written at the first lookup may have got the same stamp again.
    if (!was_there || old->state == kUnsettled || old->state != now.state) changed.push_back(now.chunk);
    if (was_there) ++old;
  }
  for (; old != before.stored_.end(); ++old) changed.push_back(old->chunk);
  return changed;
}

}  // namespace zarr::tools
