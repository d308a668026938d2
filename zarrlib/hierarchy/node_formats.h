#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// To be called before a node changes that is read as one of `format`. A node may have documents of several formats, as
/// a migration leaves them, its own or those in consolidated metadata of groups above it. All name the same chunks, so
/// a change in one format leaves the others wrong for who reads them.
///
/// Throws Error(unsupported) at the other document, whose message says how to go on; what the store throws.
void CheckOneFormat(const Store& store, std::string_view path, ZarrFormat format);

/// What two documents of one array, of different formats, say differently of its chunks, such as "shape [2], [3]";
/// nothing if they agree. Attributes and the spelling of codecs do not count.
std::optional<std::string> FindDifference(const ArrayMetadata& first, const ArrayMetadata& second);

/// `meta` of v1 at a path; nothing for what is called so by chance.
std::optional<JsonNode> FetchV1(const Store& store, std::string_view path);

}  // namespace zarr
