// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "zarrlib/base/bytes.h"

namespace zarr::tools {

/// A grey pixel; `alpha` 0 is transparent.
struct GreyPixel {
  std::uint8_t grey = 0;
  std::uint8_t alpha = 0;
};

/// Encodes a picture as PNG (ISO/IEC 15948). `pixels` are in row order, `width` per row; neither may be empty.
Bytes EncodePng(std::span<const GreyPixel> pixels, std::size_t width);

}  // namespace zarr::tools
