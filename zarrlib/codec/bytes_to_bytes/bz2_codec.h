// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// bzip2, the `bz2` codec of numcodecs.
///
/// Configuration: `level`, 1 to 9; 1 if absent.
///
/// Decodes several consecutive streams, and ignores zeros after the last one.
Codec MakeBz2Codec(const CodecSpec& spec);

}  // namespace zarr
