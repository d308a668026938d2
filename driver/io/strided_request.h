// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/base/shape.h"
#include "zarrlib/base/strided_copy.h"

namespace gdal_zarr {

/// A GDAL request in zarrlib's terms. Along an axis with step 0, GDAL requests one element many times: it is selected
/// once, and `repeats` is the number of times it is written.
struct StridedRequest {
  zarr::Selection selection;
  zarr::Destination destination;
  zarr::Shape repeats;
};

/// Each array has `rank` members. Steps are in elements of the array, strides in elements of the buffer.
StridedRequest MakeStridedRequest(std::size_t rank, const GUInt64* start, const size_t* count, const GInt64* step,
                                  const GPtrDiff_t* stride, std::size_t item_size, void* buffer);

/// Calls `visit` with the address of each element of a strided buffer.
template <typename Visit>
void ForEachElement(const zarr::Shape& shape, std::byte* data, const zarr::Strides& strides, Visit&& visit) {
  if (std::find(shape.begin(), shape.end(), 0u) != shape.end()) return;
  zarr::Shape index(shape.size(), 0);
  do {
    std::byte* element = data;
    for (std::size_t i = 0; i < shape.size(); ++i) element += strides[i] * static_cast<std::ptrdiff_t>(index[i]);
    visit(element);
  } while (zarr::AdvanceIndex(shape, &index));
}

}  // namespace gdal_zarr
