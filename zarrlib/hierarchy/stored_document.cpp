// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/stored_document.h"

#include <utility>

#include "zarrlib/store/broken_value.h"

namespace zarr {

std::optional<StoredDocument> ReadDocument(const Store& store, const std::string& key, std::uint64_t max_size,
                                           ParsedTexts* parsed, Freshness freshness) {
  return ReadUnbroken(store, key, [&]() -> std::optional<StoredDocument> {
    const auto text = store.GetText(key, max_size, freshness);
    if (!text) return std::nullopt;
    JsonNode content = parsed ? parsed->Parse(*text, store.name(), key) : JsonNode::Parse(*text, store.name(), key);
    return StoredDocument{std::move(content), text->size()};
  });
}

}  // namespace zarr
