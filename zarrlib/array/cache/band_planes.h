// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>

#include "zarrlib/codec/codec.h"

namespace zarr {

/// In many chunks the few bands of a pixel are neighbours. Reading one band after the other is fastest from planes that
/// contain one band each: a read then need not skip the other bands.
///
/// Returns the axis of the bands. Returns nullopt if elements are of variable size, if a region of `count` elements
/// takes all bands or less than half of the pixels, or if the processor does not have instructions for separating
/// bands.
std::optional<std::size_t> FindPlaneAxis(const InnerChunkDecoder& decoder, const Shape& count);

/// Returns the strides of a chunk in planes, in bytes between neighbours along each axis of the array.
Strides GetPlanarLayout(const InnerChunkDecoder& decoder, std::size_t plane_axis);

/// Copies the elements of a decoded chunk into planes of the same total size.
void SplitIntoPlanes(const InnerChunkDecoder& decoder, std::size_t plane_axis, ByteSpan elements,
                     MutableByteSpan planes);

}  // namespace zarr
