// SPDX-License-Identifier: MIT
#include "driver/multidim/coordinates/coordinate_set.h"

#include "driver/io/advise_read.h"
#include "zarrlib/base/shape.h"

namespace gdal_zarr {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostChunks = 8;

}  // namespace

void CoordinateSet::Add(const std::shared_ptr<const zarr::Array>& array) {
  if (array->rank() != 1 || array->data_type().variable() || array->data_type().size == 0) return;
  const std::uint64_t length = array->shape()[0];
  const std::uint64_t edge = zarr::GetSmallestChunkShape(*array)[0];
  const bool is_small = length > 0 && length <= kMostBytes / array->data_type().size;
  if (is_small && edge > 0 && (length - 1) / edge < kMostChunks) arrays_.push_back(array);
}

void CoordinateSet::ReadAhead() const noexcept {
  if (arrays_.size() < 2) return;
  read_.Run([this] { ReadAheadTogether(arrays_); });
}

}  // namespace gdal_zarr
