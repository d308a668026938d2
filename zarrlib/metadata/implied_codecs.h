// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "zarrlib/metadata/array_metadata.h"

/// Codecs of v3 that known writers leave out of their lists.
namespace zarr {

/// Whether "bytes" is meant though the list of codecs of a document has no array-to-bytes codec. zarrita.js writes an
/// empty list. GDAL 3.8 to 3.10 write none, or one that has only the codecs transpose, gzip and blosc, and so does
/// zarr-js; both name the dimensions.
bool IsBytesImplied(const JsonNode& document, const std::vector<CodecSpec>& codecs);

/// Puts "bytes" into the lists of inner codecs of shards, also in shards within shards, where it is implied by the same
/// rule and the dimensions are named. The writers that leave it out leave out `index_codecs` too, which are then
/// "bytes" and "crc32c".
void AddImpliedInnerCodecs(const JsonNode& document, std::vector<CodecSpec>* codecs,
                           std::vector<std::string>* warnings);

}  // namespace zarr
