// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace zarr {

/// How neighbouring parts of a value are merged into one request.
struct Merging {
  std::uint64_t largest_gap;
  std::uint64_t largest_request;
};

/// In a remote store, reading a gap is worthwhile if it costs less than a separate request: a round trip takes 20 ms or
/// more outside a data centre, in which a 50 Mbit/s line transfers 125 kB. Requests are not merged above a size at
/// which several parallel requests are faster.
inline constexpr Merging kMergingOnNetwork{128 << 10, 4 << 20};

}  // namespace zarr
