// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `msgpack2` of numcodecs: a MessagePack array of nested rows, followed by the data type and the shape, as `json2` has
/// them in JSON. As elements of variable length, strings and bytes are themselves, and all other values their JSON
/// text; elements are encoded as strings. Arrays of numbers and booleans can be read, but not written.
Codec MakeMsgpack2Codec(const CodecSpec& spec);

}  // namespace zarr
