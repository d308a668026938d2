// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// Makes the codec `optional` of the data type of that name. A chunk is two encoded arrays: a mask of the elements that
/// are there, and a list of these elements. Elements that are not there become MakeMissingElement or kMissingText.
///
/// The codec only decodes. In memory, an element that is there may equal one that is missing, so that a chunk that is
/// changed in part would lose it.
Codec MakeOptionalCodec(const CodecSpec& spec, CodecFactory make);

}  // namespace zarr
