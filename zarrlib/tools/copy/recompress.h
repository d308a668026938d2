// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "zarrlib/metadata/array_metadata.h"

namespace zarr::tools {

/// Throws Error(invalid_argument) unless a string is the name of a compressor, with or without a level: "zstd",
/// "zstd:5", "gzip:9", "blosc:5", or "none".
void CheckCompressor(const std::string& text);

/// Replaces the compressors of an array: in its chunks or, in shards, in the inner chunks. Throws Error(unsupported)
/// for shards with codecs around them, or within shards.
void ReplaceCompressor(const std::string& text, ArrayMetadata* array);

}  // namespace zarr::tools
