// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "zarrlib/metadata/array_metadata.h"

/// What must hold for metadata, however they came to be. Throw Error for what is no metadata.
namespace zarr::fuzz {

/// Both are the same array in the same format, one of them written and read back.
void RequireSame(const ArrayMetadata& a, const ArrayMetadata& b);
/// The codecs can be made, and fitted to the array's chunks, or are refused.
void CheckCodecs(const ArrayMetadata& array);

/// The documents that one pass over the text finds are those that parsing all of it gives, and summaries made without
/// parsing are those of the parsed arrays.
void CheckConsolidatedOfV2(const std::string& text);
void CheckRootOfV3(const std::string& text);

}  // namespace zarr::fuzz
