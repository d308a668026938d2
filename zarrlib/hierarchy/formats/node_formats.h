// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// Call this before a node of `format` changes. After a migration a node may have documents of several formats: its
/// own, or those in consolidated metadata of groups above it. All describe the same chunks, so a change in one format
/// would make the others wrong for their readers.
///
/// Throws Error(unsupported) at the document of the other format, with a message that says how to continue, and the
/// errors of the store.
void CheckOneFormat(const Store& store, std::string_view path, ZarrFormat format);

/// Returns true if a store uses the draft of v3. Throws the errors of the store.
bool HoldsV3Draft(const Store& store);

/// Compares two documents of one array in different formats. Returns a difference that concerns its chunks, such as
/// "shape [2], [3]"; nullopt if there is none. Ignores attributes and the spelling of codecs.
std::optional<std::string> FindDifference(const ArrayMetadata& first, const ArrayMetadata& second);

/// Reads the `meta` of v1 at a path; returns nullopt if there is none, or if it is an unrelated file of that name.
std::optional<JsonNode> FetchV1(const Store& store, std::string_view path);

}  // namespace zarr
