// SPDX-License-Identifier: MIT
#include "zarrlib/store/memory_store.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "zarrlib/store/sorted_listing.h"

namespace zarr {

StoreCapabilities MemoryStore::capabilities() const {
  StoreCapabilities capabilities;
  capabilities.list = true;
  capabilities.ranges = true;
  capabilities.suffix_range = true;
  capabilities.write = true;
  capabilities.replace_atomic = true;
  capabilities.rename = true;
  return capabilities;
}

const MemoryStore::Entry* MemoryStore::FindEntry(std::string_view key, VersionStamp* stamp) const {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return nullptr;
  if (stamp != nullptr) *stamp = found->second.stamp;
  return &found->second;
}

bool MemoryStore::Get(std::string_view key, Bytes* value, VersionStamp* stamp, std::uint64_t max_size) const {
  CheckKey(key);
  const std::shared_lock lock(mutex_);
  const Entry* entry = FindEntry(key, stamp);
  if (entry == nullptr) return false;
  try {
    CheckValueSize(entry->bytes.size(), max_size);
  } catch (const Error& error) {
    throw error.At(name_, key);
  }
  value->assign(entry->bytes.begin(), entry->bytes.end());
  return true;
}

bool MemoryStore::GetRanges(std::string_view key, std::span<const ByteRange> ranges,
                            std::span<const MutableByteSpan> buffers, VersionStamp* stamp) const {
  CheckKey(key);
  const std::shared_lock lock(mutex_);
  const Entry* entry = FindEntry(key, stamp);
  if (entry == nullptr) return false;
  try {
    CheckRanges(ranges, buffers, entry->bytes.size());
  } catch (const Error& error) {
    throw error.At(name_, key);
  }
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    std::copy_n(entry->bytes.data() + ranges[i].offset, ranges[i].length, buffers[i].data());
  }
  return true;
}

bool MemoryStore::GetSuffix(std::string_view key, std::uint64_t length, Bytes* value, VersionStamp* stamp) const {
  CheckKey(key);
  const std::shared_lock lock(mutex_);
  const Entry* entry = FindEntry(key, stamp);
  if (entry == nullptr) return false;
  const auto taken = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(length, entry->bytes.size()));
  value->assign(entry->bytes.end() - taken, entry->bytes.end());
  return true;
}

bool MemoryStore::Exists(std::string_view key) const {
  CheckKey(key);
  const std::shared_lock lock(mutex_);
  return FindEntry(key, nullptr) != nullptr;
}

bool MemoryStore::GetStamp(std::string_view key, VersionStamp* stamp) const {
  CheckKey(key);
  const std::shared_lock lock(mutex_);
  return FindEntry(key, stamp) != nullptr;
}

std::optional<Store::Listing> MemoryStore::List(std::string_view prefix) const {
  CheckPrefix(prefix);
  const std::shared_lock lock(mutex_);
  return ListSorted(entries_, prefix);
}

void MemoryStore::Set(std::string_view key, ByteSpan value) {
  CheckKey(key);
  Entry entry{Bytes(value.begin(), value.end()), {}};
  const std::unique_lock lock(mutex_);
  entry.stamp.size = value.size();
  entry.stamp.time = ++clock_;
  entries_.insert_or_assign(std::string(key), std::move(entry));
}

void MemoryStore::Erase(std::string_view key) {
  CheckKey(key);
  const std::unique_lock lock(mutex_);
  if (const auto found = entries_.find(key); found != entries_.end()) entries_.erase(found);
}

void MemoryStore::RenamePrefix(std::string_view from, std::string_view to) {
  CheckMove(from, to);
  const std::unique_lock lock(mutex_);
  const auto has_keys = [this](std::string_view prefix) {
    const auto entry = entries_.lower_bound(prefix);
    return entry != entries_.end() && entry->first.starts_with(prefix);
  };
  if (!has_keys(from)) {
    throw Error(ErrorKind::kNotFound, name(), std::string(from), "", FormatExpectedGot("keys to be moved", "none"));
  }
  if (has_keys(to)) {
    throw Error(ErrorKind::kIo, name(), std::string(to), "", FormatExpectedGot("a prefix without keys", "keys"));
  }
  // All names are made first, so that no value is lost for lack of memory.
  for (std::string& moved : MakeMovedNames(from, to)) {
    auto node = entries_.extract(entries_.lower_bound(from));
    node.key() = std::move(moved);
    entries_.insert(std::move(node));
  }
}

std::vector<std::string> MemoryStore::MakeMovedNames(std::string_view from, std::string_view to) const {
  std::vector<std::string> names;
  for (auto entry = entries_.lower_bound(from); entry != entries_.end() && entry->first.starts_with(from); ++entry) {
    names.push_back(std::string(to) + entry->first.substr(from.size()));
  }
  return names;
}

bool MemoryStore::ExchangePrefixes(std::string_view first, std::string_view second) {
  CheckMove(first, second);
  const std::unique_lock lock(mutex_);
  std::vector<std::string> names = MakeMovedNames(first, second);
  const std::size_t firsts = names.size();
  std::ranges::move(MakeMovedNames(second, first), std::back_inserter(names));
  std::vector<decltype(entries_)::node_type> nodes;
  nodes.reserve(names.size());
  while (nodes.size() < names.size()) {
    nodes.push_back(entries_.extract(entries_.lower_bound(nodes.size() < firsts ? first : second)));
    nodes.back().key() = std::move(names[nodes.size() - 1]);
  }
  for (auto& node : nodes) entries_.insert(std::move(node));
  return true;
}

}  // namespace zarr
