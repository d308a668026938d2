// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `json2` of numcodecs: a JSON array of nested rows, followed by the data type and the shape. Strings decode to their
/// text, null to kMissingText, all other values to their JSON text. Elements are encoded as strings, unless they were
/// decoded for an update.
Codec MakeJson2Codec(const CodecSpec& spec);

}  // namespace zarr
