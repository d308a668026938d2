#include <algorithm>
#include <utility>

#include "zarrlib/array/hierarchy.h"
#include "zarrlib/array/node_documents.h"

namespace zarr {
namespace {

bool IsNodeDocument(std::string_view name) {
  return std::find(std::begin(kNodeDocuments), std::end(kNodeDocuments), name) != std::end(kNodeDocuments);
}

void CopyValue(Store* store, const std::string& from, const std::string& to) {
  Bytes value;
  if (store->Get(from, &value)) store->Set(to, value);
}

/// Copies all keys under a prefix, those that make nodes last: what is copied in part is no node yet.
void CopyKeys(Store* store, const std::string& from, const std::string& to) {
  const auto listing = store->List(from);
  if (!listing) {
    throw Error(ErrorKind::kUnsupported, store->name(), from, "", "the store cannot list what is to be moved");
  }
  for (const std::string& name : listing->prefixes) CopyKeys(store, from + name + "/", to + name + "/");
  for (const bool documents : {false, true}) {
    for (const std::string& name : listing->keys) {
      if (IsNodeDocument(name) == documents) CopyValue(store, from + name, to + name);
    }
  }
}

}  // namespace

void Hierarchy::Delete(std::string_view path) {
  const std::lock_guard lock(change_mutex_);
  CheckWritable();
  if (path.empty()) {
    throw Error(ErrorKind::kInvalidArgument, store_->name(), "", "", "the root of a store is not removed");
  }
  if (!Probe(path))
    throw Error(ErrorKind::kNotFound, store_->name(), std::string(path), "", "expected a node, got none");
  if (!store_->capabilities().list) {
    throw Error(ErrorKind::kUnsupported, store_->name(), std::string(path), "",
                "the store cannot list what is to be removed");
  }
  DropOwnConsolidated(path);
  if (documents_) documents_->EraseNode(path);
  changed_ = true;
  if (consolidated_) StoreConsolidated();
  EraseNodeDocuments(path);
  store_->ErasePrefix(std::string(path) + "/");
  ForgetArrays(path);
}

void Hierarchy::EraseNodeDocuments(std::string_view path) {
  for (const std::string_view name : kNodeDocuments) store_->Erase(JoinKey(path, name));
}

void Hierarchy::ForgetArrays(std::string_view path) {
  const std::string prefix = std::string(path) + "/";
  Array::ForgetCached(*store_, path);
  const std::lock_guard lock(mutex_);
  std::erase_if(arrays_, [&](const auto& entry) { return entry.first == path || entry.first.starts_with(prefix); });
}

void Hierarchy::Rename(std::string_view from, std::string_view to) {
  const std::lock_guard lock(change_mutex_);
  CheckWritable();
  const auto fail = [&](ErrorKind kind, std::string message) {
    throw Error(kind, store_->name(), std::string(from), "", std::move(message));
  };
  if (from.empty()) fail(ErrorKind::kInvalidArgument, "the root of a store has no name");
  if (!Probe(from)) fail(ErrorKind::kNotFound, "expected a node, got none");
  if (to == from) return;
  if (to.starts_with(std::string(from) + "/")) fail(ErrorKind::kInvalidArgument, "a node is not moved into itself");
  CheckNew(to);
  if (!store_->capabilities().list) fail(ErrorKind::kUnsupported, "the store cannot list what is to be moved");
  ClearRemains(to);
  DropOwnConsolidated(from);
  DropOwnConsolidated(to);

  // Until all is moved, the stored consolidated metadata name neither: nobody finds an array there without its chunks.
  const auto moved = documents_;
  if (consolidated_) {
    const auto keys = moved->Keys();
    std::vector<std::pair<std::string, JsonNode>> kept;
    for (const std::string& key : keys) {
      if (key.starts_with(std::string(from) + "/")) kept.emplace_back(key, *moved->Find(key));
    }
    moved->EraseNode(from);
    StoreConsolidated();
    for (const auto& [key, document] : kept) moved->Set(key, document);
  }
  const std::string prefix = std::string(from) + "/";
  if (!store_->RenamePrefix(prefix, std::string(to) + "/")) CopyNode(from, to);
  if (moved) moved->MoveNode(from, to);
  changed_ = true;
  ForgetArrays(from);
  ForgetArrays(to);
}

void Hierarchy::CopyNode(std::string_view from, std::string_view to) {
  CopyKeys(store_.get(), std::string(from) + "/", std::string(to) + "/");
  EraseNodeDocuments(from);
  store_->ErasePrefix(std::string(from) + "/");
}

}  // namespace zarr
