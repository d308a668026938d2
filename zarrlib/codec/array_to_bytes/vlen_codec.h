// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `vlen-utf8` and `vlen-bytes` of zarr-extensions and numcodecs, and `vlen_v2` of the library zarrs: the number of
/// elements, then the length and the bytes of each element. Numbers have 32 bits and are little-endian. Strings are not
/// checked for UTF-8.
Codec MakeVlenCodec(const CodecSpec& spec);

}  // namespace zarr
