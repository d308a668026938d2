// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// Makes `fill_hdf_strings` (kerchunk): each element is the number of a string in an HDF5 file, and the configuration
/// contains the strings. If it contains one string, all elements have this value; if it contains none, they are
/// missing. The codec only decodes.
Codec MakeFillHdfStringsCodec(const CodecSpec& spec);

}  // namespace zarr
