// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "zarrlib/hierarchy/editing/waiting_documents.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/json/parsed_texts.h"
#include "zarrlib/metadata/consolidated.h"
#include "zarrlib/store/store.h"

namespace zarr {

class NodeFormat;

/// The metadata documents of a store's nodes, wherever they come from: consolidated metadata, memory, or the store.
/// Paths are those of nodes, names those of document_names.h. Thread-safe, but for `SetConsolidated`. Functions throw
/// the store's errors, and Error(corrupt) for text that is no JSON.
class NodeDocuments {
 public:
  /// With `keep`, documents that were read are kept: the store is taken as it was then.
  NodeDocuments(std::shared_ptr<Store> store, bool keep) : store_(std::move(store)), keep_(keep), waiting_(store_) {}

  /// Whether each look into the store costs a request.
  bool is_remote() const { return store_->info().is_on_network(); }
  /// Null if there are none, or if they are not to be used.
  const std::shared_ptr<ConsolidatedMetadata>& consolidated() const { return consolidated_; }
  void SetConsolidated(std::shared_ptr<ConsolidatedMetadata> consolidated) { consolidated_ = std::move(consolidated); }
  /// Keeps the root's document of that name: later reads need no store.
  void SetRoot(std::string_view name, JsonNode document);

  /// The document of a node; nothing if it is absent.
  std::optional<JsonNode> Read(std::string_view path, std::string_view name) const;
  bool Has(std::string_view path, std::string_view name) const;
  /// Whether a document was read and is kept, so that it will not be asked for again.
  bool Keeps(std::string_view path, std::string_view name) const;
  /// As Store::List: what the store has under a prefix of keys.
  std::optional<Listing> List(std::string_view prefix) const { return store_->List(prefix); }
  /// The names under a group's path that may be those of nodes of a version (NodeFormat::ListNames). With `keep`, and
  /// where each list takes a request, they are kept.
  std::optional<std::vector<std::string>> ListNames(const NodeFormat& format, std::string_view path) const;

  /// The texts that were parsed, those of the store's present documents among them.
  ParsedTexts& parsed() const { return parsed_; }

  // --- changes ---
  /// Takes the state of a node's documents from the store: another process may have changed them. Does
  /// nothing if changes of it wait to be put. `names` are those of the node's documents. Returns false if
  /// the store has none of them.
  bool Refresh(std::string_view path, std::span<const std::string_view> names);
  /// Takes over a document that the store has, or, without a document, that it has none of that name.
  void Adopt(std::string_view path, std::string_view name, const std::optional<JsonNode>& document);
  /// Puts `text` into the store; `document` is its content.
  void Put(const std::string& key, const JsonNode& document, const std::string& text);
  /// Drops the documents that are kept: others may have changed them.
  void DropKept();
  /// Puts it later, if changes are deferred.
  void PutOrDefer(const std::string& key, const JsonNode& document, const std::string& text);
  /// Erases a document, later if it may wait and changes are deferred.
  void Erase(const std::string& key, bool may_wait);
  /// The changes that wait, by `PutOrDefer` and `Erase`. Reads see them. While changes are deferred, documents that are
  /// read are kept.
  WaitingDocuments& waiting() { return waiting_; }
  const WaitingDocuments& waiting() const { return waiting_; }
  /// Drops the changes that wait, and the documents that are kept, of the node at a path and of those below it: they
  /// have been removed or moved.
  void Forget(std::string_view path);
  /// Puts the changes that wait, and ends the deferring.
  void EndDeferring();

 private:
  std::optional<JsonNode> Fetch(std::string_view path, std::string_view name) const;
  void Keep(const std::string& key, const JsonNode& document, std::size_t size) const;

  const std::shared_ptr<Store> store_;
  const bool keep_;
  std::shared_ptr<ConsolidatedMetadata> consolidated_;
  mutable ParsedTexts parsed_;
  WaitingDocuments waiting_;

  mutable std::mutex mutex_;  // not held while the store is called
  std::string root_name_;
  std::optional<JsonNode> root_;
  mutable std::unordered_map<std::string, JsonNode> kept_;
  mutable std::unordered_map<std::string, std::vector<std::string>> kept_names_;  // by the path of the group
  mutable std::size_t kept_size_ = 0;  // of their texts, and of those that were dropped
};

}  // namespace zarr
