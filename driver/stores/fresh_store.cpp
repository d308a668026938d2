// SPDX-License-Identifier: MIT
#include "driver/stores/fresh_store.h"

#include <algorithm>
#include <mutex>

#include "zarrlib/metadata/document_names.h"
#include "zarrlib/store/wanted_ranges.h"

namespace gdal_zarr {
namespace {

/// Returns the prefix of the folder that contains a key: "a/b/" for "a/b/c".
std::string_view GetFolderOfKey(std::string_view key) {
  return key.substr(0, key.rfind('/') + 1);
}

/// Adds the direct child of a prefix that contains a path.
void AddEntry(std::string_view prefix, std::string_view path, zarr::Listing* listing) {
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
  // Other processes may have removed what this dataset had written there.
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
  if (!zarr::IsDocumentKey(key)) return std::nullopt;
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

bool FreshStore::Read(const zarr::ReadRequest& request) const {
  using Part = zarr::ReadRequest::Part;
  const bool may_know = request.freshness != zarr::Freshness::kNow && !request.stamp &&
                        (request.part == Part::kWhole || request.part == Part::kPresence);
  const auto known = may_know ? FindDocument(request.key, request.part == Part::kWhole) : std::nullopt;
  if (!known) return ReadFromStore(request);
  if (!*known || request.part == Part::kPresence) return known->has_value();
  zarr::CheckValueSize((*known)->size(), request.max_size);
  *request.value = **known;
  return true;
}

bool FreshStore::ReadFromStore(const zarr::ReadRequest& request) const {
  const std::uint64_t changes = CountChanges();
  const bool found = inner().Read(request);
  if (!found && request.freshness != zarr::Freshness::kNow && zarr::IsDocumentKey(request.key))
    NoteAbsent(request.key, changes);
  return found;
}

bool FreshStore::Prefetch(std::span<const std::string> documents, std::span<const std::string>) const {
  if (!reads_early()) return false;
  std::uint64_t changes = 0;
  {
    const std::lock_guard lock(mutex_);
    early_.clear();  // not used
    changes = changes_;
  }
  std::vector<zarr::EarlyRequest> wanted;
  for (const std::string& key : documents) {
    if (zarr::IsDocumentKey(key) && !FindDocument(key, false))
      wanted.push_back({key, zarr::GetLimit(zarr::Limit::kText)});
  }
  if (wanted.size() < 2) return false;
  auto answers = ReadEarly(wanted);
  const std::lock_guard lock(mutex_);
  if (!answers || changes != changes_) return false;
  using State = zarr::EarlyAnswer::State;
  for (std::size_t i = 0; i < answers->size(); ++i) {
    zarr::EarlyAnswer& answer = (*answers)[i];
    if (answer.state == State::kAbsent) absent_[wanted[i].key] = std::chrono::steady_clock::now();
    if (answer.state == State::kFound) early_[wanted[i].key] = std::move(answer.value);
  }
  return true;
}

std::optional<zarr::Listing> FreshStore::ListOwn(std::string_view prefix) const {
  const std::lock_guard lock(mutex_);
  if (!IsFresh(prefix) || folders_.contains(prefix)) return std::nullopt;
  zarr::Listing listing;
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

std::optional<zarr::Listing> FreshStore::List(std::string_view prefix, const zarr::ListOptions& options) const {
  if (options.below || options.freshness == zarr::Freshness::kNow) return ListPresent(prefix, options);
  return options.only.empty() ? ListFolder(prefix) : ListOne(prefix, options.only);
}

std::optional<zarr::Listing> FreshStore::ListFolder(std::string_view prefix) const {
  if (auto own = ListOwn(prefix)) return own;
  const std::uint64_t changes = CountChanges();
  auto listing = inner().List(prefix);
  if (listing && listing->empty()) NoteEmpty(std::string(prefix), changes);
  return listing;
}

std::optional<zarr::Listing> FreshStore::ListOne(std::string_view prefix, std::string_view name) const {
  const std::string path = std::string(prefix) + std::string(name);
  zarr::Listing one;
  if (zarr::IsDocumentKey(path)) {
    if (Exists(path)) one.keys.emplace_back(name);
    return one;
  }
  if (const auto own = ListOwn(prefix)) {
    if (std::ranges::binary_search(own->prefixes, name)) one.prefixes.emplace_back(name);
    if (std::ranges::binary_search(own->keys, name)) one.keys.emplace_back(name);
    return one;
  }
  const std::uint64_t changes = CountChanges();
  auto listing = inner().List(prefix, {.only = name});
  if (listing && listing->empty()) NoteEmpty(path + "/", changes);
  return listing;
}

/// Lists the store. If it returns values that this object has not written, their prefixes no longer count as empty.
std::optional<zarr::Listing> FreshStore::ListPresent(std::string_view prefix, const zarr::ListOptions& options) const {
  auto listing = inner().List(prefix, options);
  const std::lock_guard lock(mutex_);
  for (const std::string& name : listing ? listing->keys : std::vector<std::string>()) {
    const std::string key = std::string(prefix) + name;
    if (documents_.contains(key) || folders_.contains(GetFolderOfKey(key))) continue;
    std::erase_if(empty_, [&](const auto& empty) { return key.starts_with(empty.first); });
  }
  return listing;
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

bool FreshStore::Write(std::string_view key, zarr::ByteSpan value, zarr::WriteIf condition) {
  if (condition == zarr::WriteIf::kAbsent) {
    // A cached document does not cost a request.
    if (const auto known = FindDocument(key, false)) {
      if (*known) return false;
      condition = zarr::WriteIf::kAlways;
    }
  }
  return Change([&] { return inner().Write(key, value, condition); },
                [&](bool is_written) { is_written ? NoteWritten(key, value) : NoteChanged(key); });
}

bool FreshStore::WriteIfSame(std::string_view key, zarr::ByteSpan value, const zarr::VersionStamp* known) {
  return Change([&] { return inner().WriteIfSame(key, value, known); },
                [&](bool is_written) { is_written ? NoteWritten(key, value) : NoteChanged(key); });
}

void FreshStore::NoteWritten(std::string_view key, zarr::ByteSpan value) {
  if (const auto absent = absent_.find(key); absent != absent_.end()) absent_.erase(absent);
  if (!IsFresh(key)) return;
  if (zarr::IsDocumentKey(key)) {
    documents_[std::string(key)].assign(value.begin(), value.end());
  } else {
    folders_.emplace(GetFolderOfKey(key));
  }
}

void FreshStore::NoteChanged(std::string_view key) {
  if (const auto absent = absent_.find(key); absent != absent_.end()) absent_.erase(absent);
  if (const auto own = documents_.find(key); own != documents_.end()) documents_.erase(own);
  std::erase_if(empty_, [&](const auto& empty) { return key.starts_with(empty.first); });
}

void FreshStore::NoteErased(std::string_view key) {
  if (key.ends_with('/')) {
    std::erase_if(folders_, [&](const std::string& folder) { return folder.starts_with(key); });
    return;
  }
  if (const auto own = documents_.find(key); own != documents_.end()) documents_.erase(own);
  if (zarr::IsDocumentKey(key)) absent_[std::string(key)] = std::chrono::steady_clock::now();
}

void FreshStore::EraseAll(std::span<const std::string> keys) {
  if (keys.size() == 1) {
    const auto known = FindDocument(keys[0], false);
    if (known && !*known) return;
  }
  Change([&] { return inner().EraseAll(keys), true; },
         [&](bool) {
           for (const std::string& key : keys) NoteErased(key);
         });
}

}  // namespace gdal_zarr
