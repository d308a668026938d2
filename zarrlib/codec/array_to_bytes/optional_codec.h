// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// Makes the codec `optional` of the data type of that name. A chunk is two encoded arrays: a mask of the elements that
/// are present, and a list of these elements. Missing elements become MakeMissingElement or kMissingText.
///
/// The codec only decodes. In memory, a present element may equal a missing one, so changing part of a chunk would lose
/// it.
Codec MakeOptionalCodec(const CodecSpec& spec, CodecFactory make);

}  // namespace zarr
