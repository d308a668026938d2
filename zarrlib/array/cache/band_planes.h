#pragma once

#include <cstddef>
#include <optional>

#include "zarrlib/codec/codec.h"

namespace zarr {

/// In many chunks the few bands of a pixel are neighbours. Who reads band after band is served best from planes, each
/// of which holds one band: the bands that are not wanted yet need not be read along with each that is.
///
/// The axis of those bands, if elements have a fixed size, a part of `count` elements per axis takes only some of the
/// bands but at least half of the pixels, and the processor has instructions for taking bands apart; else nothing.
std::optional<std::size_t> PlaneAxis(const InnerChunkDecoder& decoder, const Shape& count);

/// Bytes between neighbours along each axis of the array, in planes.
Strides PlanarLayout(const InnerChunkDecoder& decoder, std::size_t plane_axis);

/// Copies a decoded inner chunk to planes of the same size.
void SplitIntoPlanes(const InnerChunkDecoder& decoder, std::size_t plane_axis, ByteSpan elements,
                     MutableByteSpan planes);

}  // namespace zarr
