// SPDX-License-Identifier: MIT
#include "zarrlib/array/read/neighbouring_chunks.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "zarrlib/array/read/merging.h"
#include "zarrlib/base/error.h"

namespace zarr {
namespace {

std::uint64_t GetEnd(const ValueLocation& location) {
  return location.offset + *location.length;
}

}  // namespace

void NeighbouringChunks::Locate(std::size_t chunk, std::string key, std::uint64_t max_size) {
  try {
    auto location = requests_.Locate(key);
    if (!location || location->bytes || !location->length) return;
    if (*location->length == 0 || *location->length > max_size) return;
    if (location->offset > UINT64_MAX - *location->length) return;
    chunks_[chunk].location = std::move(location);
    chunks_[chunk].key = std::move(key);
  } catch (const Error&) {
    // Reading the chunk throws the error, with the names of the store and the key.
  }
}

/// Returns true if a chunk belongs to the group of the chunk `first`, which ends at `end` so far.
bool NeighbouringChunks::AreTogether(std::size_t first, std::size_t next, std::uint64_t end) const {
  const ValueLocation& begin = *chunks_[first].location;
  const ValueLocation& location = *chunks_[next].location;
  if (location.path != begin.path) return false;
  if (location.offset > end && location.offset - end > kMergingOnNetwork.largest_gap) return false;
  return std::max(end, GetEnd(location)) - begin.offset <= kMergingOnNetwork.largest_request;
}

void NeighbouringChunks::Group() {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    if (chunks_[i].location) order.push_back(i);
  }
  std::ranges::sort(order, {}, [&](std::size_t i) {
    const ValueLocation& location = *chunks_[i].location;
    return std::tuple(std::string_view(location.path), location.offset, i);
  });
  for (std::size_t first = 0; first < order.size();) {
    std::uint64_t end = GetEnd(*chunks_[order[first]].location);
    std::size_t last = first + 1;
    for (; last < order.size() && AreTogether(order[first], order[last], end); ++last) {
      end = std::max(end, GetEnd(*chunks_[order[last]].location));
    }
    if (last - first > 1) {
      ChunkGroup& group = groups_.emplace_back();
      group.members.assign(order.data() + first, order.data() + last);
      for (const std::size_t i : group.members) chunks_[i].group = &group;
    }
    first = last;
  }
}

void NeighbouringChunks::Read(ChunkGroup* group) {
  group->once.Run([&] {
    std::vector<ReadRequest> requests;
    for (const std::size_t i : group->members) {
      Chunk& chunk = chunks_[i];
      requests.push_back({.key = chunk.key,
                          .value = &chunk.value.bytes,
                          .max_size = *chunk.location->length,
                          .stamp = &chunk.value.stamp});
    }
    group->is_read = requests_.ReadTogether(requests);
  });
}

std::optional<NeighbouringChunks::Value> NeighbouringChunks::Take(std::size_t chunk) {
  ChunkGroup* const group = chunks_[chunk].group;
  if (!group) return std::nullopt;
  Read(group);
  return group->is_read ? std::optional(std::move(chunks_[chunk].value)) : std::nullopt;
}

}  // namespace zarr
