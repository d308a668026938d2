// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `msgpack2` of numcodecs: a MessagePack array of nested rows, followed by the data type and the shape, as `json2`
/// stores them in JSON. As variable-length elements, strings and bytes decode to themselves, null to kMissingText, and
/// all other values to their JSON text; elements are encoded as strings, unless they were decoded for an update. Arrays
/// of numbers and booleans can be read, but not written.
Codec MakeMsgpack2Codec(const CodecSpec& spec);

}  // namespace zarr
