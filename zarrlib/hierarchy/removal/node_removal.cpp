// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/removal/node_removal.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "zarrlib/hierarchy/removal/removable.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/store/store_folders.h"
#include "zarrlib/store/store_locks.h"
#include "zarrlib/store/temporary_names.h"

namespace zarr {
namespace {

constexpr const char* kDocuments = "documents";

std::string GetPrefix(std::string_view path) {
  return path.empty() ? std::string() : std::string(path) + "/";
}

/// Returns true if links are possible. Remote stores, where each lookup is a request, do not have links.
bool MayHaveLinks(const Store& store) {
  return store.folders() != nullptr;
}

/// Returns true if the store needs a value that records the removal: only if other processes see its values
/// immediately. Whether a remote store lists is known only after it has.
bool KeepsRecords(const Store& store) {
  const StoreInfo info = store.info();
  return (info.lists || info.is_on_network()) && !info.needs_finish;
}

/// Returns the key of the record of the removal of a node. In a remote store, where listing the records would cost each
/// change a request, it is the only one of that node.
std::string MakeRecordKey(const Store& store, std::string_view path) {
  const std::string prefix(kRemovalPrefix);
  if (store.info().is_on_network()) return JoinKey(path, prefix + std::string(kDigitsOfMadeName, '0'));
  return prefix + MakeTemporaryName().substr(kTemporaryPrefix.size());
}

/// Exists until the removal is complete, so that another process can complete it.
class RemovalRecord {
 public:
  RemovalRecord(Store& store, std::string_view path, const NodeTree& tree)
      : store_(store), key_(MakeRecordKey(store, path)) {
    const JsonNode content = JsonNode::MakeObject({{kDocuments, JsonNode::MakeObject(tree.GetDocuments())}});
    store_.Set(key_, AsBytes(content.Dump()));
    held_ = TryHold(store_, key_);
  }
  void Erase() { store_.Erase(key_); }

 private:
  Store& store_;
  std::string key_;
  std::shared_ptr<void> held_;
};

/// Makes a record. Returns nullopt if none is needed or none can be stored: on a full disk, the removal frees space.
std::optional<RemovalRecord> MakeRecord(Store& store, std::string_view path, const NodeTree& tree) {
  std::optional<RemovalRecord> record;
  if (!KeepsRecords(store) || tree.empty()) return record;
  try {
    record.emplace(store, path, tree);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kIo) throw;
  }
  return record;
}

Leftovers EraseTree(Store& store, std::string_view path, const NodeTree& tree, const IsSideFile& is_side_file) {
  return EraseChosen(store, GetPrefix(path), [&](std::string_view entry, EntryKind kind) {
    return tree.Choose(store, entry, kind, is_side_file);
  });
}

/// Returns the documents in a record of nodes that were being removed: nodes whose main documents no longer exist.
/// Omits names that are not keys.
std::vector<std::pair<std::string, JsonNode>> FindGoneDocuments(const Store& store, const JsonNode& record) {
  std::vector<std::pair<std::string, JsonNode>> documents;
  std::set<std::string, std::less<>> kept;
  for (const auto& [key, content] : record.At(kDocuments).GetMembers()) {
    if (!IsKey(key)) continue;
    const bool is_there = GetEntryKind(store, key).has_value();
    // The attributes are removed last, so they may be left over from a removed node.
    if (is_there && !IsAttributesDocument(NodeName(key))) kept.emplace(ParentPath(key));
    documents.emplace_back(key, content);
  }
  std::erase_if(documents, [&](const auto& document) { return kept.contains(ParentPath(document.first)); });
  return documents;
}

/// A writer that is storing a chunk finishes it, and cannot store the next one, because the document is gone.
void EraseDocuments(Store& store, const std::vector<std::string>& keys) {
  if (store.info().is_on_network()) {
    const std::vector<LockResult> locks = LockAll(store, keys);
    return store.EraseAll(keys);
  }
  for (const std::string& key : keys) {
    const LockResult lock = Lock(store, key, "");
    store.Erase(key);
  }
}

/// Returns true if a path is that of a node of a tree or below one.
bool Includes(const NodeTree& tree, std::string_view path) {
  return std::ranges::any_of(
      tree.GetPaths(), [&](const std::string& node) { return path == node || path.starts_with(GetPrefix(node)); });
}

/// Completes the removal of a record if it includes `path`; any does with nullopt. Returns false otherwise.
bool FinishRemoval(Store& store, const std::string& key, std::optional<std::string_view> path,
                   const IsSideFile& is_side_file) {
  const auto held = TryHold(store, key);
  const auto text = held ? store.GetText(key, GetLimit(Limit::kText)) : std::nullopt;
  if (!text) return false;
  try {
    const JsonNode record = JsonNode::Parse(*text, store.name(), key);
    const NodeTree tree = NodeTree::FromDocuments(FindGoneDocuments(store, record));
    if (path && !Includes(tree, *path)) return false;
    for (const std::string& node : tree.GetPaths()) {
      CheckNotBehindLink(store, node + "/");
      EraseTree(store, node, tree, is_side_file);
    }
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kIo) throw;
    return false;  // it is not a removal record
  }
  store.Erase(key);
  return true;
}

/// Returns the keys of the records in a remote store of removals of a node, or of a group above it.
std::vector<std::string> FindRecords(const Store& store, std::string_view path) {
  std::vector<std::string> keys;
  if (!store.info().is_on_network()) return keys;
  for (std::string_view node = path;; node = ParentPath(node)) {
    std::string key = MakeRecordKey(store, node);
    if (store.Exists(key, Freshness::kNow)) keys.push_back(std::move(key));
    if (node.empty()) return keys;
  }
}

/// Returns the tree to remove; nullopt if there is no node, but a removal of it that has been completed now.
std::optional<NodeTree> ReadOrFinish(Store& store, std::string_view path, const IsSideFile& is_side_file) {
  try {
    return ReadRemovable(store, path, "removed");
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kNotFound || !FinishRemovalOf(store, path, is_side_file)) throw;
    return std::nullopt;
  }
}

}  // namespace

void CheckNotBehindLink(const Store& store, std::string_view path) {
  if (!MayHaveLinks(store)) return;
  for (std::size_t end = path.find('/'); end != std::string_view::npos; end = path.find('/', end + 1)) {
    if (GetEntryKind(store, path.substr(0, end)) != EntryKind::kLink) continue;
    throw Error(
        ErrorKind::kUnsupported, store.name(), std::string(path), "",
        "\"" + std::string(path.substr(0, end)) +
            "\" is a symbolic link; the nodes behind it can only be removed or renamed through their own store");
  }
}

bool IsLink(const Store& store, std::string_view path) {
  return !path.empty() && MayHaveLinks(store) && GetEntryKind(store, path) == EntryKind::kLink;
}

Leftovers RemoveNode(Store& store, std::string_view path, const IsSideFile& is_side_file) {
  CheckNotBehindLink(store, path);
  if (IsLink(store, path)) {
    store.Erase(path);
    return {};
  }
  const auto tree = ReadOrFinish(store, path, is_side_file);
  return tree ? RemoveTree(store, path, *tree, is_side_file) : Leftovers();
}

Leftovers RemoveTree(Store& store, std::string_view path, const NodeTree& tree, const IsSideFile& is_side_file) {
  std::optional<RemovalRecord> record = MakeRecord(store, path, tree);
  EraseDocuments(store, tree.GetDocumentKeys());
  Leftovers leftovers = EraseTree(store, path, tree, is_side_file);
  if (record) record->Erase();
  return leftovers;
}

void FinishRemovals(Store& store) {
  if (!KeepsRecords(store) || !store.info().lists_cheaply() || !store.info().writes) return;
  const auto entries = ListEntries(store, "");
  if (!entries) return;
  // The root may contain all chunks of an array: it is listed again only if there is anything to remove.
  const auto is_temporary = [](const StoreEntry& entry) { return IsOwnTemporaryName(entry.name); };
  StoreFolders* const folders = store.folders();
  if (folders && std::ranges::any_of(*entries, is_temporary)) folders->EraseAbandoned();
  for (const StoreEntry& entry : *entries) {
    if (entry.kind == EntryKind::kValue && IsOwnRemovalName(entry.name)) {
      FinishRemoval(store, entry.name, std::nullopt, {});
    }
  }
}

bool FinishRemovalOf(Store& store, std::string_view path, const IsSideFile& is_side_file) {
  bool is_done = false;
  for (const std::string& key : FindRecords(store, path))
    is_done = FinishRemoval(store, key, path, is_side_file) || is_done;
  return is_done;
}

bool HoldsOnlyTemporaries(const Store& store, std::string_view path) {
  const auto entries = ListEntries(store, GetPrefix(path));
  return entries && std::ranges::all_of(*entries, [](const StoreEntry& entry) {
           return entry.kind == EntryKind::kValue && IsOwnTemporaryName(entry.name);
         });
}

void CheckNothingAt(const Store& store, std::string_view path) {
  const auto fail = [&](const std::string& what) {
    const bool is_left = !FindRecords(store, path).empty();
    throw Error(ErrorKind::kInvalidArgument, store.name(), std::string(path), "",
                (path.empty() ? FormatExpectedGot("an empty folder, or none, for a new store", what)
                              : FormatExpectedGot("nothing where a new node is to be", what)) +
                    (is_left ? "; a removal was not completed: remove it again" : ""));
  };
  if (!path.empty()) {
    const auto kind = GetEntryKind(store, path);
    if (!kind) return;
    if (*kind == EntryKind::kLink) fail("a symbolic link");
    if (*kind != EntryKind::kFolder) fail("a file");
  }
  const auto entries = ListEntries(store, GetPrefix(path));
  if (!entries) return;
  for (const StoreEntry& entry : *entries) {
    // A process that was stopped while it created a node leaves a folder without values.
    const bool is_unused =
        entry.kind == EntryKind::kFolder && HoldsOnlyTemporaries(store, GetPrefix(path) + entry.name);
    if (!is_unused && !IsOwnTemporaryName(entry.name)) fail("\"" + entry.name + "\" in it");
  }
}

}  // namespace zarr
