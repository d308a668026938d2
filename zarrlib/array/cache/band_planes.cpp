// SPDX-License-Identifier: MIT
#include "zarrlib/array/cache/band_planes.h"

#include "zarrlib/base/gather.h"

namespace zarr {
namespace {

/// Returns the axis along which elements are neighbours; the rank if there is none.
std::size_t FindFastestAxis(const InnerChunkDecoder& decoder) {
  const Shape& shape = decoder.decoded().shape;
  const auto item = static_cast<std::ptrdiff_t>(decoder.decoded().data_type.size);
  std::size_t axis = 0;
  while (axis < shape.size() && (shape[axis] == 1 || decoder.layout()[axis] != item)) ++axis;
  return axis;
}

}  // namespace

std::optional<std::size_t> FindPlaneAxis(const InnerChunkDecoder& decoder, const Shape& count) {
  const ChunkSpec& spec = decoder.decoded();
  if (spec.data_type.variable()) return std::nullopt;
  const std::size_t axis = FindFastestAxis(decoder);
  if (axis == spec.shape.size() || count[axis] >= spec.shape[axis]) return std::nullopt;
  if (!CanGather(spec.data_type.size, spec.shape[axis])) return std::nullopt;
  std::uint64_t pixels = 1;
  std::uint64_t wanted = 1;
  for (std::size_t i = 0; i < count.size(); ++i) {
    if (i == axis) continue;
    pixels *= spec.shape[i];
    wanted *= count[i];
  }
  return wanted >= pixels / 2 ? std::optional(axis) : std::nullopt;
}

Strides GetPlanarLayout(const InnerChunkDecoder& decoder, std::size_t plane_axis) {
  const ChunkSpec& spec = decoder.decoded();
  const auto bands = static_cast<std::ptrdiff_t>(spec.shape[plane_axis]);
  Strides layout = decoder.layout();
  for (std::ptrdiff_t& stride : layout) stride /= bands;
  layout[plane_axis] = static_cast<std::ptrdiff_t>(spec.byte_size()) / bands;
  return layout;
}

void SplitIntoPlanes(const InnerChunkDecoder& decoder, std::size_t plane_axis, ByteSpan elements,
                     MutableByteSpan planes) {
  const std::size_t item = decoder.decoded().data_type.size;
  const auto bands = static_cast<std::size_t>(decoder.decoded().shape[plane_axis]);
  const std::size_t plane = planes.size() / bands;
  for (std::size_t band = 0; band < bands; ++band) {
    GatherRow(item, bands, plane / item, elements.data() + band * item, planes.data() + band * plane);
  }
}

}  // namespace zarr
