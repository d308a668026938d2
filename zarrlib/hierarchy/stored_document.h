// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "zarrlib/json/json_node.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// A metadata document, as a store has it.
struct StoredDocument {
  JsonNode content;
  std::size_t size = 0;  ///< Of its text, in bytes.
};

/// Reads and parses a document; nothing if it is absent. One that is no JSON text is got again as the store wants it.
std::optional<StoredDocument> ReadDocument(const Store& store, std::string_view key, std::uint64_t max_size);

}  // namespace zarr
