// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/editing/waiting_attributes.h"

#include <utility>

#include "zarrlib/json/json_edit.h"

namespace zarr {

const WaitingAttributes::Entry* WaitingAttributes::Find(std::string_view path) const {
  const auto entry = entries_.find(path);
  return entry == entries_.end() ? nullptr : &entry->second;
}

bool WaitingAttributes::Has(std::string_view path) const {
  if (count_ == 0) return false;
  const std::lock_guard lock(mutex_);
  return Find(path) != nullptr;
}

std::vector<std::string> WaitingAttributes::GetPaths() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> paths;
  for (const auto& [path, entry] : entries_) paths.push_back(path);
  return paths;
}

void WaitingAttributes::Add(std::string_view path, const std::function<JsonNode()>& known,
                            const std::function<void(JsonChanges& changes)>& add) {
  // Determined without the lock, because it may read the store.
  std::optional<JsonNode> attributes = Has(path) ? std::nullopt : std::optional(known());
  const std::lock_guard lock(mutex_);
  auto entry = entries_.find(path);
  if (entry == entries_.end()) {
    entry = entries_.emplace(std::string(path), Entry{attributes.value_or(JsonNode()), {}}).first;
    count_ = entries_.size();
  }
  add(entry->second.changes);
}

JsonNode WaitingAttributes::ApplyTo(std::string_view path, const JsonNode& attributes) const {
  if (count_ == 0) return attributes;
  const std::lock_guard lock(mutex_);
  const Entry* entry = Find(path);
  return entry ? entry->changes.ApplyTo(attributes) : attributes;
}

WaitingAttributes::Answer WaitingAttributes::FindAttribute(std::string_view path, std::string_view name) const {
  if (count_ == 0) return {};
  const std::lock_guard lock(mutex_);
  const Entry* entry = Find(path);
  if (!entry) return {};
  return {true, entry->changes.ApplyToMember(name, FindMember(entry->known, name))};
}

bool WaitingAttributes::Changes(std::string_view path, std::string_view name) const {
  if (count_ == 0) return false;
  const std::lock_guard lock(mutex_);
  const Entry* entry = Find(path);
  return entry && entry->changes.Changes(name);
}

WaitingAttributes::Answer WaitingAttributes::FindItem(std::string_view path, std::string_view list,
                                                      std::size_t index) const {
  if (count_ == 0) return {};
  const std::lock_guard lock(mutex_);
  const Entry* entry = Find(path);
  if (!entry) return {};
  return {true, entry->changes.ApplyToItem(list, index, zarr::FindItem(FindMember(entry->known, list), index))};
}

std::optional<JsonNode> WaitingAttributes::GetAttributes(std::string_view path) const {
  if (count_ == 0) return std::nullopt;
  const std::lock_guard lock(mutex_);
  const Entry* entry = Find(path);
  return entry ? std::optional(entry->changes.ApplyTo(entry->known)) : std::nullopt;
}

void WaitingAttributes::Drop(std::string_view path) {
  const std::lock_guard lock(mutex_);
  const auto entry = entries_.find(path);
  if (entry != entries_.end()) entries_.erase(entry);
  count_ = entries_.size();
}

void WaitingAttributes::DropBelow(std::string_view path) {
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [path](const auto& entry) {
    const std::string_view node = entry.first;
    return path.empty() || node == path || (node.starts_with(path) && node[path.size()] == '/');
  });
  count_ = entries_.size();
}

}  // namespace zarr
