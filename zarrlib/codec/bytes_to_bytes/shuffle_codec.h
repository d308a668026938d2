#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `shuffle` of numcodecs: the first bytes of all items of `elementsize` bytes (4 if absent), then all second ones, and
/// so on. Bytes behind the last whole item stay where they are, as in HDF5.
Codec MakeShuffleCodec(const CodecSpec& spec);

}  // namespace zarr
