// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/editing/node_mover.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <set>
#include <utility>

#include "zarrlib/hierarchy/editing/consolidated_file.h"
#include "zarrlib/hierarchy/editing/node_editor.h"
#include "zarrlib/hierarchy/editing/node_locks.h"
#include "zarrlib/hierarchy/editing/waiting_attributes.h"
#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/hierarchy/node_documents.h"
#include "zarrlib/hierarchy/removal/node_removal.h"
#include "zarrlib/hierarchy/removal/node_tree.h"
#include "zarrlib/hierarchy/store_root.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"

namespace zarr {
namespace {

/// Throws Error(invalid_argument) if another process has created the node or one below it.
void CheckIsOwn(const WaitingDocuments& waiting, const Store& store, std::string_view path) {
  if (!waiting.IsRefused(path)) return;
  throw Error(ErrorKind::kInvalidArgument, store.name(), std::string(path), "",
              "there is a node already, which another process has created");
}

void CheckCanList(const Store& store, std::string_view path) {
  if (store.info().lists || store.List(std::string(path) + "/")) return;
  throw Error(ErrorKind::kUnsupported, store.name(), std::string(path), "",
              "the store cannot list what is to be removed or moved");
}

/// Checks that a symbolic link, which may be relative, does not get into another group.
void CheckStaysInGroup(const Store& store, std::string_view from, std::string_view to) {
  if (ParentPath(from) == ParentPath(to) || !IsLink(store, from)) return;
  throw Error(ErrorKind::kUnsupported, store.name(), std::string(from), "",
              "this is a symbolic link, which is not moved into another group: it might lead to another place");
}

/// Appends the keys under a prefix that belong to a tree's metadata.
void CollectKeys(const Store& store, const std::string& prefix, const NodeTree& tree, const IsSideFile& is_side_file,
                 std::vector<std::string>* keys) {
  const auto entries = ListEntries(store, prefix, Freshness::kNow);
  if (!entries) return;
  for (const StoreEntry& entry : *entries) {
    const std::string key = prefix + entry.name;
    const Choice choice = tree.Choose(store, key, entry.kind, is_side_file);
    if (choice == Choice::kErase) keys->push_back(key);
    if (choice == Choice::kEnter) CollectKeys(store, key + "/", tree, is_side_file, keys);
  }
}

bool MakesNode(const std::string& document) {
  const std::string_view name = NodeName(document);
  return name == kV3Document || name == kV2Array || name == kV2Group;
}

/// Returns the keys that belong to a node's metadata. The documents come last, and among them those that make it a
/// node, so that a partial copy is not a node yet.
std::vector<std::string> CollectKeysToCopy(const Store& store, std::string_view from, const NodeTree& tree,
                                           const IsSideFile& is_side_file) {
  std::vector<std::string> keys;
  std::vector<std::string> documents = tree.GetDocumentKeys();
  std::stable_partition(documents.begin(), documents.end(), [](const std::string& key) { return !MakesNode(key); });
  const std::set<std::string, std::less<>> last(documents.begin(), documents.end());
  CollectKeys(store, std::string(from) + "/", tree, is_side_file, &keys);
  std::erase_if(keys, [&](const std::string& key) { return last.contains(key); });
  keys.insert(keys.end(), documents.begin(), documents.end());
  return keys;
}

/// Performs an undo step after an error, and ignores its own errors: the original error is reported.
template <typename Function>
void Try(const Function& step) {
  try {
    step();
  } catch (const std::exception&) {
  }
}

/// Removes values, the last ones first, ignoring failures.
void EraseIfPossible(Store* store, const std::vector<std::string>& keys) {
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) Try([&] { store->Erase(*key); });
}

/// Copied values are not decoded, which would detect missing bytes.
void CheckWhole(const Store& store, const std::string& key, const Bytes& value, const VersionStamp& stamp) {
  if (value.size() == stamp.size || stamp.size == 0) return;
  throw Error(ErrorKind::kIo, store.name(), key, "",
              FormatExpectedGot(std::to_string(stamp.size) + " bytes", std::to_string(value.size())));
}

/// Copies a node, and returns the keys of the copy. After an error, removes the copy if the store allows it: the name
/// must be free for another attempt.
std::vector<std::string> CopyNode(Store* store, std::string_view from, std::string_view to, const NodeTree& tree,
                                  const IsSideFile& is_side_file) {
  std::vector<std::string> copies;
  try {
    for (const std::string& key : CollectKeysToCopy(*store, from, tree, is_side_file)) {
      Bytes value;
      VersionStamp stamp;
      if (!store->Get(key, &value, &stamp, UINT64_MAX, Freshness::kNow)) {
        if (!MakesNode(key)) continue;
        throw Error(ErrorKind::kNotFound, store->name(), key, "", "the node has been removed or renamed meanwhile");
      }
      CheckWhole(*store, key, value, stamp);
      copies.push_back(std::string(to) + key.substr(from.size()));
      store->Set(copies.back(), value);
    }
  } catch (...) {
    EraseIfPossible(store, copies);
    throw;
  }
  return copies;
}

/// Returns the keys of the documents to lock before a node and its descendants move; empty if locks do not exclude
/// other processes.
std::vector<std::string> FindLockKeysBelow(const Store& store, std::string_view path) {
  if (store.info().is_on_network()) return {};
  std::vector<std::string> keys = NodeTree::Read(store, path).GetDocumentKeys();
  std::erase_if(keys, [](const std::string& key) { return key.ends_with(kV2Attributes); });
  return keys;
}

}  // namespace

Leftovers NodeMover::Delete(std::string_view path) {
  CheckWritable(parts_.store, *parts_.root.format);
  if (path.empty()) {
    throw Error(ErrorKind::kInvalidArgument, parts_.store.name(), "", "", "the root of a store is not removed");
  }
  const bool may_be_rest = parts_.store.info().is_on_network() && !parts_.nodes.Probe(path);
  if (may_be_rest && FinishRemovalOf(parts_.store, path, parts_.options.is_side_file)) return {};
  editor_.CheckMovable(path);
  CheckCanList(parts_.store, path);
  // The removal reads the nodes from the store.
  WaitingDocuments& waiting = parts_.documents.waiting();
  const bool has_new = waiting.GetNewNames(ParentPath(path)).contains(std::string(NodeName(path)));
  if (parts_.store.info().is_on_network() || has_new) waiting.Commit(&parts_.locks);
  CheckIsOwn(waiting, parts_.store, path);
  parts_.consolidated.nested().DropAbove(path);
  const std::vector<MetadataDocument> taken = parts_.consolidated.Find(path);
  parts_.documents.Forget(path);
  Leftovers leftovers;
  try {
    // Before the node is removed, so that no reader finds it without its chunks.
    parts_.consolidated.Take(path);
    leftovers = RemoveNode(parts_.store, path, parts_.options.is_side_file);
  } catch (...) {
    Restate(taken, path, std::array{path});
    throw;
  }
  editor_.ForgetNodes(path);
  parts_.waiting.DropBelow(path);
  return leftovers;
}

void NodeMover::CheckMovable(std::string_view path) const {
  if (path.empty()) {
    throw Error(ErrorKind::kInvalidArgument, parts_.store.name(), "", "", "the root of a store has no name");
  }
  editor_.CheckMovable(path);
  CheckNotBehindLink(parts_.store, path);
}

Leftovers NodeMover::Rename(std::string_view from, std::string_view to) {
  CheckWritable(parts_.store, *parts_.root.format);
  CheckMovable(from);
  if (to == from) return {};
  if (to.starts_with(std::string(from) + "/")) {
    throw Error(ErrorKind::kInvalidArgument, parts_.store.name(), std::string(from), "",
                "a node is not moved into itself");
  }
  editor_.CheckNew(to);
  CheckNotBehindLink(parts_.store, to);
  CheckStaysInGroup(parts_.store, from, to);
  CheckCanList(parts_.store, from);
  parts_.documents.waiting().Commit(&parts_.locks);
  CheckIsOwn(parts_.documents.waiting(), parts_.store, from);
  parts_.consolidated.nested().DropAbove(from);
  parts_.consolidated.nested().DropAbove(to);

  if (!parts_.store.folders()) return MoveByCopies(from, to);
  MoveInOneStep(from, to);
  return {};
}

bool NodeMover::Exchange(std::string_view first, std::string_view second) {
  CheckWritable(parts_.store, *parts_.root.format);
  const std::string_view paths[] = {first, second};
  for (const std::string_view path : paths) CheckMovable(path);
  CheckMove(std::string(first) + "/", std::string(second) + "/");
  CheckStaysInGroup(parts_.store, first, second);
  CheckStaysInGroup(parts_.store, second, first);
  parts_.documents.waiting().Commit(&parts_.locks);
  for (const std::string_view path : paths) {
    CheckIsOwn(parts_.documents.waiting(), parts_.store, path);
    parts_.consolidated.nested().DropAbove(path);
  }
  const bool was_consolidated = parts_.consolidated.IsStored();
  const auto name_again = [&] {
    for (const std::string_view path : paths) NoteStored(path);
    if (was_consolidated) parts_.consolidated.Save();
  };
  try {
    // In the meantime there are no consolidated metadata: wherever this stops, readers use the nodes' own documents.
    if (was_consolidated) parts_.consolidated.Drop();
    const bool exchanged = ExchangeFolders(first, second);
    name_again();
    return exchanged;
  } catch (...) {
    Try(name_again);
    throw;
  }
}

bool NodeMover::ExchangeFolders(std::string_view first, std::string_view second) {
  std::vector<std::string> keys = FindLockKeysBelow(parts_.store, first);
  std::ranges::move(FindLockKeysBelow(parts_.store, second), std::back_inserter(keys));
  const auto locked = parts_.locks.LockDocuments(std::move(keys));
  return parts_.store.folders() &&
         parts_.store.folders()->Exchange(std::string(first) + "/", std::string(second) + "/");
}

void NodeMover::NoteStored(std::string_view path) {
  editor_.ForgetNodes(path);
  if (!parts_.consolidated.has_documents()) return;
  parts_.consolidated.ForgetNode(path);
  const NodeTree tree = NodeTree::Read(parts_.store, path);
  if (const auto& fault = tree.unreadable()) throw *fault;
  for (const auto& [key, document] : tree.GetDocuments()) parts_.consolidated.Note(key, document);
}

void NodeMover::MoveInOneStep(std::string_view from, std::string_view to) {
  const std::vector<MetadataDocument> taken = parts_.consolidated.Find(from);
  try {
    // The documents and the folder change in several steps. Until then the stored consolidated metadata list neither
    // path, so that no reader finds an array without its chunks, whose elements would look like the fill value.
    parts_.consolidated.Take(from);
    // No writer may store a chunk at the old path after the move.
    const auto locked = parts_.locks.LockDocuments(FindLockKeysBelow(parts_.store, from));
    parts_.store.folders()->Rename(std::string(from) + "/", std::string(to) + "/");
  } catch (...) {
    Restate(taken, from, std::array{from, to});
    throw;
  }
  try {
    editor_.ForgetNodes(from);
    editor_.ForgetNodes(to);
    parts_.consolidated.Put(taken, from, to);
  } catch (...) {
    Restate(taken, from, std::array{to});
    throw;
  }
}

Leftovers NodeMover::MoveByCopies(std::string_view from, std::string_view to) {
  const NodeTree tree = NodeTree::Read(parts_.store, from);
  // Keys that belong to an unreadable document would not be copied.
  if (const auto& fault = tree.unreadable()) throw *fault;
  const std::vector<MetadataDocument> taken = parts_.consolidated.Find(from);
  const std::vector<std::string> copies = CopyNode(&parts_.store, from, to, tree, parts_.options.is_side_file);
  try {
    // Each path is listed only while it is complete: wherever this stops, the consolidated metadata list one of them.
    editor_.ForgetNodes(to);
    parts_.consolidated.Put(taken, from, to);
    parts_.consolidated.Take(from);
  } catch (...) {
    TakeBackCopy(copies, to);
    Restate(taken, from, std::array{from});
    throw;
  }
  Leftovers leftovers;
  try {
    leftovers = RemoveTree(parts_.store, from, tree, parts_.options.is_side_file);
  } catch (...) {
    Restate(taken, from, std::array{from, to});
    throw;
  }
  editor_.ForgetNodes(from);
  return leftovers;
}

void NodeMover::TakeBackCopy(const std::vector<std::string>& copies, std::string_view to) {
  Try([&] { parts_.consolidated.Take(to); });
  EraseIfPossible(&parts_.store, copies);
  Try([&] { editor_.ForgetNodes(to); });
}

void NodeMover::Restate(const std::vector<MetadataDocument>& taken, std::string_view from,
                        std::span<const std::string_view> paths) {
  try {
    for (const std::string_view path : paths) editor_.ForgetNodes(path);
  } catch (const std::exception&) {
    return parts_.consolidated.DropIfPossible();
  }
  parts_.consolidated.Restate(taken, from, paths);
}

}  // namespace zarr
