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

/// A metadata document as stored.
struct StoredDocument {
  JsonNode content;
  std::size_t size = 0;  ///< The size of its text in bytes.
};

/// Reads and parses a document; returns nullopt if it is absent. Text that is not JSON is read again if the store asks
/// for it. Text that is in `parsed`, which may be null, is not parsed again.
std::optional<StoredDocument> ReadDocument(const Store& store, const std::string& key, std::uint64_t max_size,
                                           ParsedTexts* parsed = nullptr, Freshness freshness = Freshness::kKnown);

}  // namespace zarr
