// SPDX-License-Identifier: MIT
#include "driver/stores/document_cache.h"

#include <string_view>
#include <utility>

#include "zarrlib/base/fork_safety.h"

namespace gdal_zarr {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr std::size_t kLargest = std::size_t{16} << 20;
/// Approximate size of an entry without its document.
constexpr std::size_t kEntryBytes = 512;
constexpr std::size_t kMostTrails = 1024;

}  // namespace

bool IsWholeJson(zarr::ByteSpan text) {
  const std::string_view characters = zarr::AsText(text);
  const std::size_t first = characters.find_first_not_of(" \t\r\n");
  if (first == characters.npos || (characters[first] != '{' && characters[first] != '[')) return false;
  std::size_t depth = 0;
  bool in_string = false;
  bool has_value = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = static_cast<char>(text[i]);
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      has_value = true;
      ++depth;
    } else if ((c == '}' || c == ']') && depth-- == 0) {
      return false;
    }
  }
  return has_value && depth == 0 && !in_string;
}

DocumentCache::DocumentCache() {
  zarr::HoldWhileForking(&mutex_);
}

DocumentCache& DocumentCache::GetShared() {
  static auto* const shared = new DocumentCache;
  return *shared;
}

std::optional<CachedDocument> DocumentCache::Find(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto place = places_.find(name);
  if (place == places_.end()) return std::nullopt;
  entries_.splice(entries_.begin(), entries_, place->second);
  return place->second->document;
}

void DocumentCache::Keep(const std::string& name, CachedDocument document) {
  const std::size_t bytes = *document.answer ? (*document.answer)->size() : 0;
  const bool is_kept = bytes <= kLargest && (!*document.answer || IsWholeJson(**document.answer));
  const std::lock_guard lock(mutex_);
  if (const auto place = places_.find(name); place != places_.end()) Drop(place->second);
  if (!is_kept) return;
  Entries made;
  made.push_front({name, std::move(document), bytes + name.size() + kEntryBytes});
  places_[name] = made.begin();
  entries_.splice(entries_.begin(), made);
  size_ += entries_.front().size;
  while (size_ > kMostBytes) Drop(std::prev(entries_.end()));
}

void DocumentCache::Forget(const std::string& name) {
  const std::lock_guard lock(mutex_);
  if (const auto place = places_.find(name); place != places_.end()) Drop(place->second);
}

void DocumentCache::Drop(Entries::iterator entry) {
  size_ -= entry->size;
  places_.erase(entry->name);
  entries_.erase(entry);
}

DocumentCache::Trail DocumentCache::FindTrail(const std::string& opening) {
  const std::lock_guard lock(mutex_);
  const auto found = trails_.find(opening);
  return found == trails_.end() ? Trail() : found->second;
}

void DocumentCache::SetTrail(const std::string& opening, const Trail& trail) {
  const std::lock_guard lock(mutex_);
  if (trails_.size() >= kMostTrails && !trails_.contains(opening)) trails_.clear();
  trails_[opening] = trail;
}

}  // namespace gdal_zarr
