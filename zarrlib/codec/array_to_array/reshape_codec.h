// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// The `reshape` codec of zarr-extensions: another shape for the same elements, whose C order does not change.
///
/// Configuration: `shape`, with one item for each dimension of the encoded chunk: its length; or a list of dimensions
/// of the decoded chunk, whose lengths are multiplied; or, at most once, -1 for the rest. A shape that does not fit the
/// chunk is Error(corrupt). Variable-length elements are unsupported.
Codec MakeReshapeCodec(const CodecSpec& spec);
/// The `squeeze` codec of the library zarrs: removes the dimensions of length 1 from the shape, except the last one
/// left.
Codec MakeSqueezeCodec(const CodecSpec& spec);

}  // namespace zarr
