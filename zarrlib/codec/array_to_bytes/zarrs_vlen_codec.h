// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// The codec `vlen` of the library zarrs, for variable-length elements. A chunk consists of two encoded arrays: the
/// offsets of the elements, with one more for the end of the last element, and the bytes of all elements. A number of 8
/// bytes, little-endian, at the start or the end of the chunk is the size of the encoded offsets, which are next to it.
///
/// Configuration: `index_codecs` and `data_codecs`; `index_data_type`, "uint32" or "uint64"; `index_location`, "start"
/// (the default) or "end".
Codec MakeZarrsVlenCodec(const CodecSpec& spec, CodecFactory make);

}  // namespace zarr
