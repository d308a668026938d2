// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "zarrlib/json/json_node.h"

namespace zarr {

/// Cache of parsed documents with their text. A document that is read again with the same bytes is not parsed again:
/// parsing takes several times as long as reading. Thread-safe. Keeps at most 32 MB of text.
class ParsedTexts {
 public:
  /// Parses like JsonNode::Parse, or returns the cached document.
  JsonNode Parse(std::string_view text, std::string_view store, const std::string& key);
  /// Adds a document that has already been parsed.
  void Keep(const std::string& key, std::string_view text, const JsonNode& document);
  void Forget(const std::string& key);

 private:
  struct Parsed {
    std::string text;
    JsonNode document;
  };

  std::mutex mutex_;
  std::unordered_map<std::string, Parsed> parsed_;
  std::size_t size_ = 0;  // of the cached text, in bytes
};

}  // namespace zarr
