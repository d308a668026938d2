// SPDX-License-Identifier: MIT
#include "zarrlib/store/memory_store.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>
#include <vector>

#include "zarrlib/store/sorted_listing.h"
#include "zarrlib/store/store_folders.h"
#include "zarrlib/store/wanted_ranges.h"

namespace zarr {

/// Folders exist while they contain a key.
class MemoryStore::Folders final : public StoreFolders {
 public:
  explicit Folders(MemoryStore& store) : store_(store) {}

  std::unique_ptr<OpenedValue> Open(std::string_view) const override { return nullptr; }
  std::vector<StoreEntry> ListEntries(std::string_view prefix) const override;
  std::optional<std::vector<std::string>> ListNames(std::string_view prefix, std::size_t most) const override;
  std::optional<EntryKind> GetKind(std::string_view path) const override;
  std::optional<FolderPlace> FindFolder(std::string_view path) const override;
  Leftovers EraseChosen(std::string_view prefix, const Chooser& choose) override;
  void EraseAbandoned() override {}
  void Rename(std::string_view from, std::string_view to) override;
  bool Exchange(std::string_view first, std::string_view second) override;

 private:
  /// Returns the keys under one prefix, in their order, renamed to another prefix. The mutex must be held.
  std::vector<std::string> MakeMovedNames(std::string_view from, std::string_view to) const;

  MemoryStore& store_;
};

MemoryStore::MemoryStore(std::string name) : Store(std::move(name)), folders_(std::make_unique<Folders>(*this)) {}

MemoryStore::~MemoryStore() = default;

StoreFolders* MemoryStore::folders() const {
  return folders_.get();
}

bool MemoryStore::Read(const ReadRequest& request) const {
  CheckKey(request.key);
  const std::shared_lock lock(mutex_);
  const auto found = entries_.find(request.key);
  if (found == entries_.end()) return false;
  const auto& [bytes, stamp] = found->second;
  try {
    const WantedRanges wanted(request, bytes.size());
    for (std::size_t i = 0; i < wanted.ranges().size(); ++i) {
      std::copy_n(bytes.data() + wanted.ranges()[i].offset, wanted.ranges()[i].length, wanted.buffers()[i].data());
    }
  } catch (const Error& error) {
    throw error.At(name(), request.key);
  }
  if (request.stamp) *request.stamp = stamp;
  return true;
}

std::optional<Listing> MemoryStore::List(std::string_view prefix, const ListOptions& options) const {
  CheckPrefix(prefix);
  if (!options.is_plain()) return std::nullopt;
  const std::shared_lock lock(mutex_);
  return ListSorted(entries_, prefix);
}

bool MemoryStore::Write(std::string_view key, ByteSpan value, WriteIf condition) {
  CheckKey(key);
  Entry entry{Bytes(value.begin(), value.end()), {}};
  const std::unique_lock lock(mutex_);
  if (condition == WriteIf::kAbsent && entries_.contains(key)) return false;
  entry.stamp.size = value.size();
  entry.stamp.time = ++clock_;
  entries_.insert_or_assign(std::string(key), std::move(entry));
  return true;
}

void MemoryStore::EraseAll(std::span<const std::string> keys) {
  const std::unique_lock lock(mutex_);
  for (const std::string& key : keys) {
    if (IsFolderKey(key)) continue;
    entries_.erase(key);
  }
}

// --- folders -----------------------------------------------------------------------------------------------------

std::vector<StoreEntry> MemoryStore::Folders::ListEntries(std::string_view prefix) const {
  return MakeEntries(*store_.List(prefix));
}

std::optional<std::vector<std::string>> MemoryStore::Folders::ListNames(std::string_view prefix,
                                                                        std::size_t most) const {
  Listing listing = *store_.List(prefix);
  std::ranges::move(listing.prefixes, std::back_inserter(listing.keys));
  return listing.keys.size() <= most ? std::optional(std::move(listing.keys)) : std::nullopt;
}

std::optional<EntryKind> MemoryStore::Folders::GetKind(std::string_view path) const {
  if (path.empty() || !store_.List(std::string(path) + "/")->empty()) return EntryKind::kFolder;
  return store_.Exists(path) ? std::optional(EntryKind::kValue) : std::nullopt;
}

std::optional<FolderPlace> MemoryStore::Folders::FindFolder(std::string_view path) const {
  if (GetKind(path) != EntryKind::kFolder) return std::nullopt;
  return FolderPlace{std::string(path)};
}

Leftovers MemoryStore::Folders::EraseChosen(std::string_view prefix, const Chooser& choose) {
  return EraseListed(store_, prefix, choose);
}

void MemoryStore::Folders::Rename(std::string_view from, std::string_view to) {
  CheckMove(from, to);
  const std::unique_lock lock(store_.mutex_);
  const auto has_keys = [&](std::string_view prefix) {
    const auto entry = store_.entries_.lower_bound(prefix);
    return entry != store_.entries_.end() && entry->first.starts_with(prefix);
  };
  if (!has_keys(from)) {
    throw Error(ErrorKind::kNotFound, store_.name(), std::string(from), "",
                FormatExpectedGot("keys to be moved", "none"));
  }
  if (has_keys(to)) {
    throw Error(ErrorKind::kIo, store_.name(), std::string(to), "", FormatExpectedGot("a prefix without keys", "keys"));
  }
  // All names are made first, so that running out of memory does not lose a value.
  for (std::string& moved : MakeMovedNames(from, to)) {
    auto node = store_.entries_.extract(store_.entries_.lower_bound(from));
    node.key() = std::move(moved);
    store_.entries_.insert(std::move(node));
  }
}

std::vector<std::string> MemoryStore::Folders::MakeMovedNames(std::string_view from, std::string_view to) const {
  std::vector<std::string> names;
  for (auto entry = store_.entries_.lower_bound(from); entry != store_.entries_.end() && entry->first.starts_with(from);
       ++entry) {
    names.push_back(std::string(to) + entry->first.substr(from.size()));
  }
  return names;
}

bool MemoryStore::Folders::Exchange(std::string_view first, std::string_view second) {
  CheckMove(first, second);
  const std::unique_lock lock(store_.mutex_);
  std::vector<std::string> names = MakeMovedNames(first, second);
  const std::size_t firsts = names.size();
  std::ranges::move(MakeMovedNames(second, first), std::back_inserter(names));
  std::vector<decltype(store_.entries_)::node_type> nodes;
  nodes.reserve(names.size());
  while (nodes.size() < names.size()) {
    nodes.push_back(store_.entries_.extract(store_.entries_.lower_bound(nodes.size() < firsts ? first : second)));
    nodes.back().key() = std::move(names[nodes.size() - 1]);
  }
  for (auto& node : nodes) store_.entries_.insert(std::move(node));
  return true;
}

}  // namespace zarr
