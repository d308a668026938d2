#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// gzip (RFC 1952) and zlib (RFC 1950): the `gzip` codec of the Zarr v3 specification and those of numcodecs.
/// Which of the two it is, the name says: "gzip" and "numcodecs.gzip", or "zlib" and "numcodecs.zlib".
///
/// Configuration: `level`, 0 to 9, and -1 (meaning 6) except under the name "gzip"; 1 if it is absent.
///
/// Decodes a gzip stream of several members. Zeros behind the end of the stream are ignored.
Codec MakeDeflateCodec(const CodecSpec& spec);

}  // namespace zarr
