// SPDX-License-Identifier: MIT
#include <functional>
#include <set>
#include <utility>

#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/hierarchy/node_documents.h"
#include "zarrlib/hierarchy/node_removal.h"
#include "zarrlib/hierarchy/node_tree.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"

namespace zarr {
namespace {

void CheckCanList(const Store& store, std::string_view path) {
  if (store.capabilities().list || store.List(std::string(path) + "/")) return;
  throw Error(ErrorKind::kUnsupported, store.name(), std::string(path), "",
              "the store cannot list what is to be removed or moved");
}

/// The keys under a prefix that a tree's metadata name.
void CollectKeys(const Store& store, const std::string& prefix, const NodeTree& tree, const IsSideFile& is_side_file,
                 std::vector<std::string>* keys) {
  const auto entries = store.current().ListEntries(prefix);
  if (!entries) return;
  for (const Store::Entry& entry : *entries) {
    const std::string key = prefix + entry.name;
    const Choice choice = tree.Choose(store, key, entry.kind, is_side_file);
    if (choice == Choice::kErase) keys->push_back(key);
    if (choice == Choice::kEnter) CollectKeys(store, key + "/", tree, is_side_file, keys);
  }
}

/// Copies the values of a node that its metadata name, the documents last: what is copied in part is no node yet.
void CopyNode(Store* store, std::string_view from, std::string_view to, const NodeTree& tree,
              const IsSideFile& is_side_file) {
  std::vector<std::string> keys;
  const std::vector<std::string> documents = tree.GetDocumentKeys();
  const std::set<std::string, std::less<>> last(documents.begin(), documents.end());
  CollectKeys(*store, std::string(from) + "/", tree, is_side_file, &keys);
  const auto copy = [&](const std::string& key) {
    Bytes value;
    if (store->current().Get(key, &value)) store->Set(std::string(to) + key.substr(from.size()), value);
  };
  for (const std::string& key : keys) {
    if (!last.contains(key)) copy(key);
  }
  for (const std::string& key : documents) copy(key);
}

/// The keys of the documents to be locked before a node moves with all below it; none where locks keep nobody out.
std::vector<std::string> FindLockKeysBelow(const Store& store, std::string_view path) {
  if (store.capabilities().concurrency > 0) return {};
  std::vector<std::string> keys = NodeTree::Read(store, path).GetDocumentKeys();
  std::erase_if(keys, [](const std::string& key) { return key.ends_with(kV2Attributes); });
  return keys;
}

}  // namespace

Store::Leftovers Hierarchy::Delete(std::string_view path) {
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
  documents_->Forget(path);
  DropOwnConsolidated(path);
  // Before the node is gone: nobody is to find it there without its chunks.
  TakeFromConsolidated(path);
  Store::Leftovers leftovers;
  try {
    leftovers = RemoveNode(*store_, path, options_.is_side_file);
  } catch (...) {
    ForgetArrays(path);
    throw;
  }
  ForgetArrays(path);
  return leftovers;
}

void Hierarchy::ForgetArrays(std::string_view path) {
  const std::string prefix = std::string(path) + "/";
  Array::ForgetCached(*store_, path);
  documents_->Forget(path);
  const std::lock_guard lock(mutex_);
  std::erase_if(arrays_, [&](const auto& entry) { return entry.first == path || entry.first.starts_with(prefix); });
  kept_arrays_.clear();
}

Store::Leftovers Hierarchy::Rename(std::string_view from, std::string_view to) {
  const std::lock_guard lock(change_mutex_);
  CheckWritable();
  const auto fail = [&](ErrorKind kind, std::string message) {
    throw Error(kind, store_->name(), std::string(from), "", std::move(message));
  };
  if (from.empty()) fail(ErrorKind::kInvalidArgument, "the root of a store has no name");
  if (!Probe(from)) fail(ErrorKind::kNotFound, "expected a node, got none");
  if (to == from) return {};
  CheckHasDocuments(from);
  CheckFormat(from);
  CheckLists(ParentPath(from));
  if (to.starts_with(std::string(from) + "/")) fail(ErrorKind::kInvalidArgument, "a node is not moved into itself");
  CheckNew(to);
  CheckCanList(*store_, from);
  documents_->Commit();
  DropOwnConsolidated(from);
  DropOwnConsolidated(to);

  // Until all is moved, the stored consolidated metadata name neither: nobody finds an array there without its chunks.
  const std::vector<MetadataDocument> taken = TakeFromConsolidated(from);
  Store::Leftovers leftovers;
  try {
    leftovers = MoveNode(from, to);
  } catch (...) {
    NameAgain(taken, from);
    throw;
  }
  ForgetArrays(from);
  ForgetArrays(to);
  PutIntoConsolidated(taken, from, to);
  return leftovers;
}

/// The error of the move is the one to be told.
void Hierarchy::NameAgain(const std::vector<MetadataDocument>& taken, std::string_view path) {
  try {
    PutIntoConsolidated(taken, path, path);
  } catch (const Error&) {
    // `WriteConsolidated` tries again.
  }
}

Store::Leftovers Hierarchy::MoveNode(std::string_view from, std::string_view to) {
  {
    // Nobody is to store a chunk at the old path after the move.
    const auto locked = LockDocuments(FindLockKeysBelow(*store_, from));
    if (store_->RenamePrefix(std::string(from) + "/", std::string(to) + "/")) return {};
  }
  const NodeTree tree = NodeTree::Read(*store_, from);
  CopyNode(store_.get(), from, to, tree, options_.is_side_file);
  return RemoveNode(*store_, from, options_.is_side_file);
}

}  // namespace zarr
