// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/stored_document.h"

#include "zarrlib/store/broken_value.h"

namespace zarr {

std::optional<StoredDocument> ReadDocument(const Store& store, std::string_view key, std::uint64_t max_size) {
  return ReadUnbroken(store, key, [&]() -> std::optional<StoredDocument> {
    const auto text = store.GetText(key, max_size);
    if (!text) return std::nullopt;
    return StoredDocument{JsonNode::Parse(*text, store.name(), key), text->size()};
  });
}

}  // namespace zarr
