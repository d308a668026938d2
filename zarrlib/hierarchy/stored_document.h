// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "zarrlib/json/json_node.h"
#include "zarrlib/json/parsed_texts.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// A metadata document, as a store has it.
struct StoredDocument {
  JsonNode content;
  std::size_t size = 0;  ///< Of its text, in bytes.
};

/// Reads and parses a document; nothing if it is absent. One that is no JSON text is got again as the store wants it.
/// A text that is in `parsed`, which may be null, is not parsed.
std::optional<StoredDocument> ReadDocument(const Store& store, const std::string& key, std::uint64_t max_size,
                                           ParsedTexts* parsed = nullptr, Freshness freshness = Freshness::kKnown);

}  // namespace zarr
