// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

/// Small codecs of the Python package imagecodecs, which references to TIFF files have. They are for reading only:
/// encoding throws Error(unsupported).
namespace zarr {

/// `imagecodecs_lzw`: LZW as TIFF 6.0 has it. The bit order of earlier versions is Error(unsupported).
Codec MakeLzwCodec(const CodecSpec& spec);

/// `imagecodecs_lzf`: LZF (http://oldhome.schmorp.de/marc/liblzf.html). Unless `header` is false, the decoded size
/// precedes it in 4 bytes.
Codec MakeLzfCodec(const CodecSpec& spec);

/// `imagecodecs_packbits`: the run lengths of TIFF 6.0.
Codec MakeRunLengthCodec(const CodecSpec& spec);

}  // namespace zarr
