// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `vlen-array` of numcodecs: each element is a list of any number of numbers of the type `dtype`, which is stored as
/// `vlen-bytes` stores bytes. Elements are decoded to text: to JSON such as "[1,2,3]". For reading only: encoding
/// throws Error(unsupported).
Codec MakeVlenArrayCodec(const CodecSpec& spec);

}  // namespace zarr
