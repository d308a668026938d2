#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `json2` of numcodecs: a JSON array of the chunk's rows, each an array of its rows in turn, then the data type and
/// the shape. Strings decode to themselves, any other value to its JSON text; what is encoded becomes strings.
Codec MakeJson2Codec(const CodecSpec& spec);

}  // namespace zarr
