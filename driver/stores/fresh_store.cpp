// SPDX-License-Identifier: MIT
#include "driver/stores/fresh_store.h"

#include <algorithm>
#include <mutex>

#include "driver/stores/http/http_value.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"

namespace gdal_zarr {
namespace {

/// Whether a key is that of a metadata document, also of one that NCZarr adds.
bool IsDocument(std::string_view key) {
  const std::string_view name = zarr::SplitKey(key).second;
  return zarr::IsMetadataName(name) || name.starts_with(".ncz");
}

/// The prefix of the folder that holds a key: "a/b/" for "a/b/c".
std::string_view GetFolder(std::string_view key) {
  return key.substr(0, key.rfind('/') + 1);
}

/// Adds the entry of a prefix that leads to a path below the prefix.
void AddEntry(std::string_view prefix, std::string_view path, zarr::Store::Listing* listing) {
  if (!path.starts_with(prefix) || path.size() == prefix.size()) return;
  path.remove_prefix(prefix.size());
  const std::size_t slash = path.find('/');
  auto& names = slash == path.npos ? listing->keys : listing->prefixes;
  names.emplace_back(path.substr(0, slash));
}

void SortNames(std::vector<std::string>* names) {
  std::sort(names->begin(), names->end());
  names->erase(std::unique(names->begin(), names->end()), names->end());
}

}  // namespace

bool FreshStore::IsTrusted(std::chrono::steady_clock::time_point time) const {
  return std::chrono::steady_clock::now() - time < trusted_;
}

bool FreshStore::IsFresh(std::string_view path) const {
  if (empty_.empty()) return false;
  const auto is_empty = [&](std::string_view prefix) {
    const auto found = empty_.find(prefix);
    return found != empty_.end() && IsTrusted(found->second);
  };
  if (is_empty("")) return true;
  for (std::size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1)) {
    if (is_empty(path.substr(0, slash + 1))) return true;
  }
  return false;
}

std::uint64_t FreshStore::CountChanges() const {
  const std::lock_guard lock(mutex_);
  return changes_;
}

void FreshStore::NoteEmpty(const std::string& prefix, std::uint64_t changes) const {
  const std::lock_guard lock(mutex_);
  if (changes != changes_) return;
  // Others may have removed what this dataset had put there.
  std::erase_if(documents_, [&](const auto& own) { return own.first.starts_with(prefix); });
  std::erase_if(folders_, [&](const std::string& folder) { return folder.starts_with(prefix); });
  empty_[prefix] = std::chrono::steady_clock::now();
}

void FreshStore::NoteAbsent(std::string_view key, std::uint64_t changes) const {
  const std::lock_guard lock(mutex_);
  if (changes == changes_) absent_[std::string(key)] = std::chrono::steady_clock::now();
}

std::optional<std::optional<zarr::Bytes>> FreshStore::FindDocument(std::string_view key, bool takes_early) const {
  using Document = std::optional<zarr::Bytes>;
  if (!IsDocument(key)) return std::nullopt;
  const std::lock_guard lock(mutex_);
  if (IsFresh(key)) {
    const auto own = documents_.find(key);
    return own == documents_.end() ? Document() : Document(own->second);
  }
  if (const auto absent = absent_.find(key); absent != absent_.end() && IsTrusted(absent->second)) return Document();
  const auto early = early_.find(key);
  if (early == early_.end()) return std::nullopt;
  Document document = early->second;
  if (takes_early) early_.erase(early);
  return document;
}

bool FreshStore::Get(std::string_view key, zarr::Bytes* value, zarr::VersionStamp* stamp,
                     std::uint64_t max_size) const {
  const auto known = stamp ? std::nullopt : FindDocument(key, true);
  if (!known) {
    const std::uint64_t changes = CountChanges();
    const bool found = store_->Get(key, value, stamp, max_size);
    if (!found && IsDocument(key)) NoteAbsent(key, changes);
    return found;
  }
  if (!*known) return false;
  zarr::CheckValueSize((*known)->size(), max_size);
  *value = **known;
  return true;
}

bool FreshStore::Exists(std::string_view key) const {
  if (const auto known = FindDocument(key, false)) return known->has_value();
  const std::uint64_t changes = CountChanges();
  const bool found = store_->Exists(key);
  if (!found && IsDocument(key)) NoteAbsent(key, changes);
  return found;
}

bool FreshStore::Prefetch(std::span<const std::string> documents, std::span<const std::string>) const {
  if (!store_->fetches_together()) return false;
  std::uint64_t changes = 0;
  {
    const std::lock_guard lock(mutex_);
    early_.clear();  // nobody wanted them
    changes = changes_;
  }
  std::vector<WantedKey> wanted;
  for (const std::string& key : documents) {
    if (IsDocument(key) && !FindDocument(key, false)) wanted.push_back({key, zarr::GetLimit(zarr::Limit::kText)});
  }
  if (wanted.size() < 2) return false;
  std::vector<FetchedValue> fetched = store_->FetchTogether(wanted);
  const std::lock_guard lock(mutex_);
  if (changes != changes_) return false;
  for (std::size_t i = 0; i < fetched.size(); ++i) {
    if (!fetched[i].known) continue;
    if (fetched[i].absent) {
      absent_[wanted[i].key] = std::chrono::steady_clock::now();
    } else {
      early_[wanted[i].key] = std::move(fetched[i].bytes);
    }
  }
  return true;
}

std::optional<zarr::Store::Listing> FreshStore::ListOwn(std::string_view prefix) const {
  const std::lock_guard lock(mutex_);
  if (!IsFresh(prefix) || folders_.contains(prefix)) return std::nullopt;
  Listing listing;
  for (auto own = documents_.lower_bound(prefix); own != documents_.end() && own->first.starts_with(prefix); ++own) {
    AddEntry(prefix, own->first, &listing);
  }
  for (auto folder = folders_.lower_bound(prefix); folder != folders_.end() && folder->starts_with(prefix); ++folder) {
    AddEntry(prefix, *folder, &listing);
  }
  SortNames(&listing.keys);
  SortNames(&listing.prefixes);
  return listing;
}

std::optional<zarr::Store::Listing> FreshStore::List(std::string_view prefix) const {
  if (auto own = ListOwn(prefix)) return own;
  const std::uint64_t changes = CountChanges();
  auto listing = store_->List(prefix);
  if (listing && listing->keys.empty() && listing->prefixes.empty()) NoteEmpty(std::string(prefix), changes);
  return listing;
}

std::optional<std::vector<zarr::Store::Entry>> FreshStore::ListEntries(std::string_view prefix) const {
  auto listing = List(prefix);
  return listing ? std::optional(MakeEntries(*std::move(listing))) : std::nullopt;
}

std::optional<zarr::EntryKind> FreshStore::GetEntryKind(std::string_view path) const {
  if (IsDocument(path)) return Exists(path) ? std::optional(zarr::EntryKind::kValue) : std::nullopt;
  if (const auto own = ListOwn(GetFolder(path))) {
    const std::string_view name = zarr::SplitKey(path).second;
    if (std::ranges::binary_search(own->prefixes, name)) return zarr::EntryKind::kFolder;
    if (std::ranges::binary_search(own->keys, name)) return zarr::EntryKind::kValue;
    return std::nullopt;
  }
  const std::uint64_t changes = CountChanges();
  const auto kind = store_->GetEntryKind(path);
  // A store that cannot list does not know.
  if (!kind && store_->capabilities().list) NoteEmpty(std::string(path) + "/", changes);
  return kind;
}

template <typename Request, typename Note>
auto FreshStore::Change(const Request& request, const Note& note) {
  try {
    auto result = request();
    const std::lock_guard lock(mutex_);
    ++changes_;
    early_.clear();
    note(result);
    return result;
  } catch (...) {
    const std::lock_guard lock(mutex_);
    ++changes_;
    empty_.clear();
    documents_.clear();
    folders_.clear();
    absent_.clear();
    early_.clear();
    throw;
  }
}

void FreshStore::Set(std::string_view key, zarr::ByteSpan value) {
  const bool is_document = IsDocument(key);
  if (!is_document) before_values_();
  Change([&] { return store_->Set(key, value), true; },
         [&](bool) {
           if (const auto absent = absent_.find(key); absent != absent_.end()) absent_.erase(absent);
           if (!IsFresh(key)) return;
           if (is_document) {
             documents_[std::string(key)].assign(value.begin(), value.end());
           } else {
             folders_.emplace(GetFolder(key));
           }
         });
}

bool FreshStore::SetIfAbsent(std::string_view key, zarr::ByteSpan value) {
  if (Exists(key)) return false;
  Set(key, value);
  return true;
}

void FreshStore::NoteErased(std::string_view key) {
  if (const auto own = documents_.find(key); own != documents_.end()) documents_.erase(own);
  if (IsDocument(key)) absent_[std::string(key)] = std::chrono::steady_clock::now();
}

void FreshStore::Erase(std::string_view key) {
  if (const auto known = FindDocument(key, false); known && !*known) return;
  Change([&] { return store_->Erase(key), true; }, [&](bool) { NoteErased(key); });
}

void FreshStore::EraseAll(std::span<const std::string> keys) {
  Change([&] { return store_->EraseAll(keys), true; },
         [&](bool) {
           for (const std::string& key : keys) NoteErased(key);
         });
}

zarr::Store::Leftovers FreshStore::EraseChosen(std::string_view prefix, const zarr::Chooser& choose) {
  return Change([&] { return store_->EraseChosen(prefix, choose); },
                [&](const Leftovers& leftovers) {
                  const auto is_below = [&](const std::string& path) { return path.starts_with(prefix); };
                  std::erase_if(documents_, [&](const auto& own) { return is_below(own.first); });
                  std::erase_if(folders_, is_below);
                  if (leftovers.count == 0) return;
                  std::erase_if(empty_, [&](const auto& empty) {
                    return is_below(empty.first) || prefix.starts_with(empty.first);
                  });
                });
}

}  // namespace gdal_zarr
