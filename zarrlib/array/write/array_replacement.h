// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// Explains why chunks encoded for the array `known` do not fit the array `stored`, such as "expected chunks of [2,4],
/// got [4,2]". Returns nullopt if they do: the shape may differ if the chunks inside both shapes have the same edges,
/// and attributes and dimension names may differ. Compares the fill value only `with_fill_value`.
std::optional<std::string> FindReplacement(const ArrayMetadata& known, const ArrayMetadata& stored,
                                           bool with_fill_value = true);

/// Parses the document of an array that was opened with the metadata `known`, without attributes stored in other
/// documents. Throws Error(io) if FindReplacement finds that the array has been replaced.
ArrayMetadata ParseUnreplaced(const JsonNode& document, const ArrayMetadata& known, bool with_fill_value = true);

}  // namespace zarr
