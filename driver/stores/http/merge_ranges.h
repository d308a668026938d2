// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "zarrlib/base/bytes.h"

namespace gdal_zarr {

/// Gap between two ranges, in bytes, that costs less than a separate request: a round trip takes 20 ms or more outside
/// a data centre, in which a 50 Mbit/s line carries 125 kB.
inline constexpr std::uint64_t kLargestGap = std::uint64_t{128} << 10;
/// Larger requests are split, so that several connections share the work.
inline constexpr std::uint64_t kLargestMergedRange = std::uint64_t{4} << 20;

/// Ranges of a value that are requested together.
struct MergedRange {
  zarr::ByteRange range;             ///< From the first to the last byte of the parts.
  std::vector<std::size_t> members;  ///< The indices of the parts.
};

/// Merges ranges that are close together or overlap. Empty ranges are left out. The result is sorted by offset.
std::vector<MergedRange> MergeRanges(std::span<const zarr::ByteRange> ranges);

}  // namespace gdal_zarr
