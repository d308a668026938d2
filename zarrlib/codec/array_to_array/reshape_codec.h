#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// The `reshape` codec of zarr-extensions: another shape for the same elements, whose C order stays as it is.
///
/// Configuration: `shape`, one item per dimension of the encoded chunk: its length; a list of the decoded chunk's
/// dimensions, whose lengths are multiplied; or, once at most, -1 for what is left. What does not fit the chunk is
/// Error(corrupt). Elements of variable length are not taken.
Codec MakeReshapeCodec(const CodecSpec& spec);

}  // namespace zarr
