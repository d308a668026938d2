// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `categorize` of numcodecs: each element is the number of one of the `labels`, starting with 1, as an integer of the
/// type `astype` (by default "u1"). A string that is not a label is 0, which is read as an empty string. Supports
/// variable-length strings and NumPy's `U`.
///
/// In numcodecs it is a filter, which other filters may follow. Here its numbers are the bytes of the chunk, because
/// filters do not support variable-length strings.
Codec MakeCategorizeCodec(const CodecSpec& spec);

}  // namespace zarr
