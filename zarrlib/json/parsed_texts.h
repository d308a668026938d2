// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "zarrlib/json/json_node.h"

namespace zarr {

/// The texts of documents that were parsed, with what they say. A document that is read again and has not changed, as
/// its bytes tell, is not parsed again: parsing takes several times as long as reading. Thread-safe. Keeps a few
/// megabytes of texts.
class ParsedTexts {
 public:
  /// As JsonNode::Parse.
  JsonNode Parse(std::string_view text, std::string_view store, const std::string& key);
  /// Keeps what is known already.
  void Keep(const std::string& key, std::string_view text, const JsonNode& document);
  void Forget(const std::string& key);

 private:
  struct Parsed {
    std::string text;
    JsonNode document;
  };

  std::mutex mutex_;
  std::unordered_map<std::string, Parsed> parsed_;
  std::size_t size_ = 0;  // of the texts
};

}  // namespace zarr
