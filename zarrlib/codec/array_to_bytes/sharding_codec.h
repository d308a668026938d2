// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `sharding_indexed` (Zarr v3, "Sharding codec"): a chunk contains inner chunks of `chunk_shape`, which are encoded
/// with `codecs` and stored in any order, possibly with gaps. The index of their offsets and lengths is encoded with
/// `index_codecs`, whose size is fixed, and stored at the `index_location`, "end" (default) or "start". An absent inner
/// chunk holds the array's fill value.
Codec MakeShardingCodec(const CodecSpec& spec, CodecFactory make);

}  // namespace zarr
