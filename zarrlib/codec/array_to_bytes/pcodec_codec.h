// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `pcodec` of numcodecs: each chunk is a pco file. Read-only: encoding throws Error(unsupported). All members of the
/// configuration concern writing.
///
/// A chunk's bytes are those of the file's numbers: dates are stored as integers, a complex number as two floats.
Codec MakePcodecCodec(const CodecSpec& spec);

}  // namespace zarr
