// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "zarrlib/metadata/array_metadata.h"

/// v3 codecs that known writers omit from their lists.
namespace zarr {

/// Returns true if "bytes" is meant although a document's list of codecs does not have an array-to-bytes codec.
/// - zarrita.js writes an empty list; GDAL 3.8 to 3.10 and zarr-js omit the list if it would be empty.
/// - GDAL 3.8 to 3.10 and zarr-js write one with only the codecs transpose, gzip and blosc. Both name the dimensions.
bool IsBytesImplied(const JsonNode& document, const std::vector<CodecSpec>& codecs);

/// Inserts "bytes" into the inner codec lists of shards, including nested shards, where it is implied by the same rule
/// and the dimensions are named. Writers that omit it also omit `index_codecs`, which are then "bytes" and "crc32c".
void AddImpliedInnerCodecs(const JsonNode& document, std::vector<CodecSpec>* codecs,
                           std::vector<std::string>* warnings);

}  // namespace zarr
