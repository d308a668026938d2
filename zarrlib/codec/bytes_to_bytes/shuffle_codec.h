// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `shuffle` of numcodecs: the first bytes of all items, then all second bytes, and so on. Items have `elementsize`
/// bytes (4 by default). Bytes after the last whole item stay where they are, as in HDF5.
Codec MakeShuffleCodec(const CodecSpec& spec);

}  // namespace zarr
