#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// The `n5_default` codec of zarr-extensions: blocks of N5 in the "default" mode. Each begins with a header,
/// big-endian: mode, rank and the block's own shape, which may be smaller or larger than the chunk's; the rest is what
/// the codecs inside give for that shape.
///
/// Configuration: `codecs`, which are the reversal of all axes, big-endian `bytes`, and at most one bytes-to-bytes
/// codec.
///
/// Where a block is smaller, the rest of the chunk gets the fill value. When encoding, blocks have the chunk's shape.
Codec MakeN5DefaultCodec(const CodecSpec& spec);

}  // namespace zarr
