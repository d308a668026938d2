// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// The `n5_default` codec of zarr-extensions: blocks of N5 in the "default" mode. A block begins with a big-endian
/// header: mode, rank, and the block's own shape, which may be smaller or larger than the chunk's. The rest is encoded
/// with the inner codecs for that shape.
///
/// Configuration: `codecs`, which are the reversal of all axes, big-endian `bytes`, and at most one bytes-to-bytes
/// codec.
///
/// A smaller block leaves the fill value in the rest of the chunk. Encoded blocks have the chunk's shape.
Codec MakeN5DefaultCodec(const CodecSpec& spec, CodecFactory make);

}  // namespace zarr
