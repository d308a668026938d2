// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// The `conditional` codec of zarr-extensions: a list of bytes-to-bytes codecs. A header before the bytes of each chunk
/// records which of the codecs were applied: bit 0 of its first byte represents the first codec, and so on.
///
/// Configuration: `codecs`; and `header_bits`, a multiple of 8 with a bit for each codec, by default the smallest one.
/// Bits without a codec must be 0.
///
/// When encoding, either all codecs are applied, or none if that does not make the chunk smaller.
Codec MakeConditionalCodec(const CodecSpec& spec, CodecFactory make);

}  // namespace zarr
