// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// `vlen-array` of numcodecs: each element is a list of any number of values of the type `dtype`, stored like an
/// element of `vlen-bytes`. Elements are decoded to JSON text such as "[1,2,3]". Read-only: encoding throws
/// Error(unsupported).
Codec MakeVlenArrayCodec(const CodecSpec& spec);

}  // namespace zarr
