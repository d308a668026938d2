// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

/// Small codecs of the Python package imagecodecs that references to TIFF files use. Read-only: encoding throws
/// Error(unsupported).
namespace zarr {

/// `imagecodecs_lzw`: LZW as in TIFF 6.0. The bit order of earlier versions is Error(unsupported).
Codec MakeLzwCodec(const CodecSpec& spec);

/// `imagecodecs_lzf`: LZF (http://oldhome.schmorp.de/marc/liblzf.html). Unless `header` is false, 4 bytes with the
/// decoded size precede it.
Codec MakeLzfCodec(const CodecSpec& spec);

/// `imagecodecs_packbits`: the run-length encoding of TIFF 6.0.
Codec MakeRunLengthCodec(const CodecSpec& spec);

}  // namespace zarr
