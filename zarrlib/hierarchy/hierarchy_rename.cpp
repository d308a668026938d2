// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <utility>

#include "zarrlib/hierarchy/consolidated_changes.h"
#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/hierarchy/node_documents.h"
#include "zarrlib/hierarchy/removal/node_removal.h"
#include "zarrlib/hierarchy/removal/node_tree.h"
#include "zarrlib/hierarchy/waiting_attributes.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/store/store_folders.h"

namespace zarr {
namespace {

void CheckCanList(const Store& store, std::string_view path) {
  if (store.info().lists || store.List(std::string(path) + "/")) return;
  throw Error(ErrorKind::kUnsupported, store.name(), std::string(path), "",
              "the store cannot list what is to be removed or moved");
}

/// The keys under a prefix that a tree's metadata name.
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

/// The keys of a node that its metadata name, the documents last, and of these the ones that make it a node: what is
/// copied in part is no node yet.
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

/// Takes a step back after an error, which is the one to be told.
template <typename Function>
void Try(const Function& step) {
  try {
    step();
  } catch (const std::exception&) {
  }
}

/// Removes values, as far as the store lets it, the last ones first.
void EraseIfPossible(Store* store, const std::vector<std::string>& keys) {
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) Try([&] { store->Erase(*key); });
}

/// What is copied is not decoded, which would notice that a part is missing.
void CheckWhole(const Store& store, const std::string& key, const Bytes& value, const VersionStamp& stamp) {
  if (value.size() == stamp.size || stamp.size == 0) return;
  throw Error(ErrorKind::kIo, store.name(), key, "",
              FormatExpectedGot(std::to_string(stamp.size) + " bytes", std::to_string(value.size())));
}

/// Copies a node, and returns the keys of the copy. After an error nothing is left of it, as far as the store lets it
/// be removed: the name must be free for another attempt.
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

/// The keys of the documents to be locked before a node moves with all below it; none where locks keep nobody out.
std::vector<std::string> FindLockKeysBelow(const Store& store, std::string_view path) {
  if (store.info().is_on_network()) return {};
  std::vector<std::string> keys = NodeTree::Read(store, path).GetDocumentKeys();
  std::erase_if(keys, [](const std::string& key) { return key.ends_with(kV2Attributes); });
  return keys;
}

}  // namespace

Leftovers Hierarchy::Delete(std::string_view path) {
  const std::lock_guard lock(change_mutex_);
  CheckWritable();
  if (path.empty()) {
    throw Error(ErrorKind::kInvalidArgument, store_->name(), "", "", "the root of a store is not removed");
  }
  if (!Probe(path))
    throw Error(ErrorKind::kNotFound, store_->name(), std::string(path), "", "expected a node, got none");
  CheckHasDocuments(path);
  CheckFormat(path);
  CheckLists(ParentPath(path));
  CheckCanList(*store_, path);
  // What is removed has to be known from the store.
  if (IsOnNetwork()) documents_->Commit();
  DropOwnConsolidated(path);
  const std::vector<MetadataDocument> taken = FindInConsolidated(path);
  documents_->Forget(path);
  Leftovers leftovers;
  try {
    // Before the node is gone: nobody is to find it there without its chunks.
    TakeFromConsolidated(path);
    leftovers = RemoveNode(*store_, path, options_.is_side_file);
  } catch (...) {
    NameWhatIsThere(taken, path, {path});
    throw;
  }
  ForgetArrays(path);
  waiting_attributes_->DropBelow(path);
  return leftovers;
}

void Hierarchy::ForgetArrays(std::string_view path) {
  const std::string prefix = std::string(path) + "/";
  ForgetCachedArrays(*store_, path);
  documents_->Forget(path);
  const std::lock_guard lock(mutex_);
  std::erase_if(arrays_, [&](const auto& entry) { return entry.first == path || entry.first.starts_with(prefix); });
  kept_arrays_.clear();
}

void Hierarchy::CheckMovable(std::string_view path) const {
  const auto fail = [&](ErrorKind kind, std::string message) {
    throw Error(kind, store_->name(), std::string(path), "", std::move(message));
  };
  if (path.empty()) fail(ErrorKind::kInvalidArgument, "the root of a store has no name");
  if (!Probe(path)) fail(ErrorKind::kNotFound, "expected a node, got none");
  CheckHasDocuments(path);
  CheckFormat(path);
  CheckLists(ParentPath(path));
}

Leftovers Hierarchy::Rename(std::string_view from, std::string_view to) {
  PutAttributes();
  const std::lock_guard lock(change_mutex_);
  CheckWritable();
  CheckMovable(from);
  if (to == from) return {};
  if (to.starts_with(std::string(from) + "/")) {
    throw Error(ErrorKind::kInvalidArgument, store_->name(), std::string(from), "", "a node is not moved into itself");
  }
  CheckNew(to);
  CheckCanList(*store_, from);
  documents_->Commit();
  DropOwnConsolidated(from);
  DropOwnConsolidated(to);

  if (!store_->folders()) return MoveByCopies(from, to);
  MoveInOneStep(from, to);
  return {};
}

bool Hierarchy::Exchange(std::string_view first, std::string_view second) {
  PutAttributes();
  const std::lock_guard lock(change_mutex_);
  CheckWritable();
  const std::string_view paths[] = {first, second};
  for (const std::string_view path : paths) CheckMovable(path);
  CheckMove(std::string(first) + "/", std::string(second) + "/");
  documents_->Commit();
  for (const std::string_view path : paths) DropOwnConsolidated(path);
  const bool was_consolidated = HasStoredConsolidated();
  const auto name_again = [&] {
    for (const std::string_view path : paths) NoteStored(path);
    if (was_consolidated) SaveChangedConsolidated();
  };
  try {
    // Meanwhile there are no consolidated metadata: wherever this ends, readers look at the nodes themselves.
    if (was_consolidated) DropConsolidated();
    const bool exchanged = ExchangeFolders(first, second);
    name_again();
    return exchanged;
  } catch (...) {
    Try(name_again);
    throw;
  }
}

bool Hierarchy::ExchangeFolders(std::string_view first, std::string_view second) {
  std::vector<std::string> keys = FindLockKeysBelow(*store_, first);
  std::ranges::move(FindLockKeysBelow(*store_, second), std::back_inserter(keys));
  const auto locked = LockDocuments(std::move(keys));
  return store_->folders() && store_->folders()->Exchange(std::string(first) + "/", std::string(second) + "/");
}

void Hierarchy::NoteStored(std::string_view path) {
  ForgetArrays(path);
  if (!all_documents_) return;
  all_documents_->EraseNode(path);
  unsaved_->EraseNode(path);
  const NodeTree tree = NodeTree::Read(*store_, path);
  if (const auto& fault = tree.unreadable()) throw *fault;
  for (const auto& [key, document] : tree.GetDocuments()) Note(key, document);
}

void Hierarchy::MoveInOneStep(std::string_view from, std::string_view to) {
  const std::vector<MetadataDocument> taken = FindInConsolidated(from);
  try {
    // The documents and the folder change in several steps. Meanwhile the stored consolidated metadata name neither
    // place: nobody finds an array there without its chunks, whose elements would pass for the fill value.
    TakeFromConsolidated(from);
    // Nobody is to store a chunk at the old path after the move.
    const auto locked = LockDocuments(FindLockKeysBelow(*store_, from));
    store_->folders()->Rename(std::string(from) + "/", std::string(to) + "/");
  } catch (...) {
    NameWhatIsThere(taken, from, {from, to});
    throw;
  }
  try {
    ForgetArrays(from);
    ForgetArrays(to);
    PutIntoConsolidated(taken, from, to);
  } catch (...) {
    NameWhatIsThere(taken, from, {to});
    throw;
  }
}

Leftovers Hierarchy::MoveByCopies(std::string_view from, std::string_view to) {
  const NodeTree tree = NodeTree::Read(*store_, from);
  // What such a document names would not be copied.
  if (const auto& fault = tree.unreadable()) throw *fault;
  const std::vector<MetadataDocument> taken = FindInConsolidated(from);
  const std::vector<std::string> copies = CopyNode(store_.get(), from, to, tree, options_.is_side_file);
  try {
    // Each place is named while it is complete: wherever this ends, the consolidated metadata name one of them.
    ForgetArrays(to);
    PutIntoConsolidated(taken, from, to);
    TakeFromConsolidated(from);
  } catch (...) {
    TakeBackCopy(copies, to);
    NameWhatIsThere(taken, from, {from});
    throw;
  }
  Leftovers leftovers;
  try {
    leftovers = RemoveTree(*store_, from, tree, options_.is_side_file);
  } catch (...) {
    NameWhatIsThere(taken, from, {from, to});
    throw;
  }
  ForgetArrays(from);
  return leftovers;
}

void Hierarchy::TakeBackCopy(const std::vector<std::string>& copies, std::string_view to) {
  Try([&] { TakeFromConsolidated(to); });
  EraseIfPossible(store_.get(), copies);
  Try([&] { ForgetArrays(to); });
}

/// The error of the change is the one to be told.
void Hierarchy::NameWhatIsThere(const std::vector<MetadataDocument>& taken, std::string_view from,
                                const std::vector<std::string_view>& paths) {
  try {
    for (const std::string_view path : paths) ForgetArrays(path);
    for (const std::string_view path : paths) {
      for (const MetadataDocument& document : taken) {
        const std::string key = std::string(path) + document.name.substr(from.size());
        if (store_->Exists(key, Freshness::kNow)) Note(key, document.content);
      }
      SaveInStep(path, true);
    }
  } catch (const std::exception&) {
    DropConsolidatedIfPossible();
  }
}

}  // namespace zarr
