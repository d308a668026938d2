// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// Tells why chunks that were made for the array `known` are no chunks of the array `stored`, such as "expected chunks
/// of [2,4], got [4,2]". Nothing if they are: the shape may be another one, as long as the chunks inside both shapes
/// are cut alike, and so may attributes and names of dimensions. Looks at the fill value only `with_fill_value`.
std::optional<std::string> FindReplacement(const ArrayMetadata& known, const ArrayMetadata& stored,
                                           bool with_fill_value = true);

/// Parses the document of an array that was opened with the metadata `known`, without attributes that other documents
/// hold. Throws Error(io) if it is now that of an array of which FindReplacement tells something.
ArrayMetadata ParseUnreplaced(const JsonNode& document, const ArrayMetadata& known, bool with_fill_value = true);

}  // namespace zarr
