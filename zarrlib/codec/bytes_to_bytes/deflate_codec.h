// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// gzip (RFC 1952) and zlib (RFC 1950). The codec's name determines the format:
/// - `gzip` of the Zarr v3 specification, and `gzip` and `zlib` of numcodecs;
/// - `imagecodecs_zlib` of imagecodecs;
/// - `imagecodecs_deflate` of imagecodecs: bare deflate (RFC 1951) if `raw` is true, otherwise zlib.
///
/// Configuration: `level`, 0 to 9 (12 for `imagecodecs_deflate`), and -1 (meaning 6) except under the name "gzip"; 1 if
/// it is absent.
///
/// Decodes gzip streams of several members, and ignores zeros after the end of a stream.
Codec MakeDeflateCodec(const CodecSpec& spec);

}  // namespace zarr
