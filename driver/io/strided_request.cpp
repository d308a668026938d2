// SPDX-License-Identifier: MIT
#include "driver/io/strided_request.h"

namespace gdal_zarr {

StridedRequest MakeStridedRequest(std::size_t rank, const GUInt64* start, const size_t* count, const GInt64* step,
                                  const GPtrDiff_t* stride, std::size_t item_size, void* buffer) {
  StridedRequest request;
  request.destination.data = static_cast<std::byte*>(buffer);
  for (std::size_t i = 0; i < rank; ++i) {
    const auto last = static_cast<std::ptrdiff_t>(count[i]) - 1;
    std::ptrdiff_t stride_bytes = static_cast<std::ptrdiff_t>(stride[i]) * static_cast<std::ptrdiff_t>(item_size);
    std::uint64_t first = start[i];
    const bool backwards = count[i] > 1 && step[i] < 0;
    if (backwards) {
      first -= (std::uint64_t{0} - static_cast<std::uint64_t>(step[i])) * static_cast<std::uint64_t>(last);
      request.destination.data += stride_bytes * last;
      stride_bytes = -stride_bytes;
    }
    const bool repeated = count[i] > 1 && step[i] == 0;
    const std::uint64_t distance =
        backwards ? std::uint64_t{0} - static_cast<std::uint64_t>(step[i]) : static_cast<std::uint64_t>(step[i]);
    request.selection.start.push_back(first);
    request.selection.count.push_back(repeated ? 1 : count[i]);
    request.selection.step.push_back(count[i] > 1 && !repeated ? distance : 1);
    request.destination.strides.push_back(stride_bytes);
    request.repeats.push_back(repeated ? count[i] : 1);
  }
  return request;
}

}  // namespace gdal_zarr
