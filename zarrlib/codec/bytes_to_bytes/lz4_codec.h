// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// LZ4 as stored by numcodecs: the decoded size as a little-endian 32-bit number, and then one block of the LZ4 block
/// format.
///
/// Configuration: `acceleration`, an integer, 1 if absent.
Codec MakeLz4Codec(const CodecSpec& spec);

}  // namespace zarr
