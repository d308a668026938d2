// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/base/bytes.h"
#include "zarrlib/codec/array_to_bytes/pco/pco_chunk.h"

namespace zarr {

/// Decodes a page of a chunk: as many numbers as `out` holds, which may be unaligned.
void DecodePcoPage(PcoBits* bits, const PcoChunk& chunk, MutableByteSpan out);

}  // namespace zarr
