// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `transpose` (Zarr v3, "Transpose codec"): axis i of the encoded chunk is axis `order[i]` of the decoded one. The
/// orders "C" and "F" of earlier drafts are also accepted.
Codec MakeTransposeCodec(const CodecSpec& spec);

}  // namespace zarr
