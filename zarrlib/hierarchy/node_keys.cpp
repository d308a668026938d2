// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/node_keys.h"

#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/store/store_folders.h"
#include "zarrlib/store/store_requests.h"

namespace zarr {
namespace {

/// A longer list takes more requests than most nodes have names.
constexpr std::size_t kMostKeys = 10'000;

std::string GetPrefix(std::string_view path) {
  return path.empty() ? std::string() : std::string(path) + "/";
}

}  // namespace

NodeKeys::NodeKeys(const Store& store, std::string_view path) : store_(store) {
  if (!store.info().is_on_network()) return;
  const std::string prefix = GetPrefix(path);
  const auto names = store.List(prefix, {.below = true, .most = kMostKeys});
  if (!names) return;
  keys_.emplace();
  std::vector<std::string> documents;
  for (const std::string& name : names->keys) {
    const auto key = keys_->insert(prefix + name).first;
    if (IsMetadataName(NodeName(*key))) documents.push_back(*key);
  }
  zarr::Prefetch(store, documents, {});
}

void NodeKeys::Prefetch(std::string_view path, std::span<const std::string_view> names) const {
  if (keys_) return;
  std::vector<std::string> keys;
  keys.reserve(names.size());
  for (const std::string_view name : names) keys.push_back(JoinKey(path, name));
  zarr::Prefetch(store_, keys, {});
}

bool NodeKeys::HasDocument(const std::string& key) const {
  if (keys_) return keys_->contains(key);
  const auto kind = GetEntryKind(store_, key);
  return kind == EntryKind::kValue || kind == EntryKind::kLink;
}

std::optional<std::vector<std::string>> NodeKeys::GetFolders(const std::string& path) const {
  const std::string prefix = GetPrefix(path);
  std::vector<std::string> folders;
  if (!keys_) {
    const auto entries = ListEntries(store_, prefix);
    if (!entries) return std::nullopt;
    for (const StoreEntry& entry : *entries) {
      if (entry.kind == EntryKind::kFolder && IsKey(entry.name)) folders.push_back(prefix + entry.name);
    }
    return folders;
  }
  auto key = keys_->lower_bound(prefix);
  while (key != keys_->end() && key->starts_with(prefix)) {
    const std::size_t slash = key->find('/', prefix.size());
    if (slash == std::string::npos) {
      ++key;
      continue;
    }
    folders.push_back(key->substr(0, slash));
    // Skips the remaining keys of the folder: "0" is the character after "/".
    key = keys_->lower_bound(folders.back() + "0");
  }
  return folders;
}

}  // namespace zarr
