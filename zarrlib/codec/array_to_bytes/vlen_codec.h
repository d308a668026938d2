#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `vlen-utf8` and `vlen-bytes`, of zarr-extensions and numcodecs alike: the number of elements, then of each element
/// its length and its bytes; numbers are 32 bits, little-endian. Whether strings are UTF-8 is not checked.
Codec MakeVlenCodec(const CodecSpec& spec);

}  // namespace zarr
