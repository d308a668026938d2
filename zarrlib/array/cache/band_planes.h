// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>

#include "zarrlib/codec/codec.h"

namespace zarr {

/// In many chunks the bands of a pixel, of which there are few, are neighbours. Reading one band after the other is
/// fastest from planes that hold one band each: then a read need not go past the other bands.
///
/// Returns the axis of the bands. Returns nothing if elements have no fixed size, if a region of `count` elements takes
/// all bands or less than half of the pixels, or if the processor has no instructions for taking bands apart.
std::optional<std::size_t> FindPlaneAxis(const InnerChunkDecoder& decoder, const Shape& count);

/// The strides of a chunk in planes: bytes between neighbours along each axis of the array.
Strides GetPlanarLayout(const InnerChunkDecoder& decoder, std::size_t plane_axis);

/// Copies the elements of a decoded chunk into planes, which take the same number of bytes.
void SplitIntoPlanes(const InnerChunkDecoder& decoder, std::size_t plane_axis, ByteSpan elements,
                     MutableByteSpan planes);

}  // namespace zarr
