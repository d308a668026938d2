// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// LZMA, the `lzma` codec of numcodecs, whose configuration is that of the Python module `lzma`:
///  - `format`: 1 is xz (default), 2 the older "alone" format, 3 raw;
///  - `check`: 0 none, 1 CRC32, 4 CRC64, 10 SHA256; -1, or absent, is CRC64. For xz only;
///  - `preset`: 0 to 9, with bit 31 for "extreme"; 6 if null or absent;
///  - `filters`: null, or a list of objects {id, ...}; required for raw. Ids: 3 is delta (`dist`), 33 is LZMA2 and
///    2^62+1 is LZMA1 (`preset`, `dict_size`, `lc`, `lp`, `pb`, `mode`, `nice_len`, `mf`, `depth`), 4 to 9 are the
///    filters for machine code (`start_offset`).
///
/// Decodes several consecutive xz streams, with at most Limit::kLzmaMemory bytes of memory.
Codec MakeLzmaCodec(const CodecSpec& spec);

}  // namespace zarr
