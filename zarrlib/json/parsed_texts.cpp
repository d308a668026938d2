// SPDX-License-Identifier: MIT
#include "zarrlib/json/parsed_texts.h"

#include <utility>

namespace zarr {
namespace {

/// Maximum total size of the cached text, in bytes; the parsed documents use several times as much.
constexpr std::size_t kMaxKept = std::size_t{32} << 20;

}  // namespace

JsonNode ParsedTexts::Parse(std::string_view text, std::string_view store, const std::string& key) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = parsed_.find(key); known != parsed_.end() && known->second.text == text) {
      return known->second.document;
    }
  }
  JsonNode document = JsonNode::Parse(text, store, key);
  Keep(key, text, document);
  return document;
}

void ParsedTexts::Keep(const std::string& key, std::string_view text, const JsonNode& document) {
  Forget(key);
  const std::lock_guard lock(mutex_);
  if (size_ + text.size() > kMaxKept) return;
  if (parsed_.emplace(key, Parsed{std::string(text), document}).second) size_ += text.size();
}

void ParsedTexts::Forget(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto known = parsed_.find(key);
  if (known == parsed_.end()) return;
  size_ -= known->second.text.size();
  parsed_.erase(known);
}

}  // namespace zarr
