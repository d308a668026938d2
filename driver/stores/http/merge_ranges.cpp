// SPDX-License-Identifier: MIT
#include "driver/stores/http/merge_ranges.h"

#include <algorithm>

namespace gdal_zarr {

std::vector<MergedRange> MergeRanges(std::span<const zarr::ByteRange> ranges) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].length > 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ranges[a].offset < ranges[b].offset; });
  std::vector<MergedRange> merged;
  for (const std::size_t i : order) {
    const zarr::ByteRange& next = ranges[i];
    const std::uint64_t end = next.offset + next.length;
    if (!merged.empty()) {
      zarr::ByteRange& last = merged.back().range;
      const std::uint64_t last_end = last.offset + last.length;
      const bool inside = end <= last_end;
      const bool close = next.offset <= last_end || next.offset - last_end <= kLargestGap;
      if (inside || (close && end - last.offset <= kLargestMergedRange)) {
        last.length = std::max(last_end, end) - last.offset;
        merged.back().members.push_back(i);
        continue;
      }
    }
    merged.push_back({next, {i}});
  }
  return merged;
}

}  // namespace gdal_zarr
