// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "zarrlib/hierarchy/editing/waiting_documents.h"
#include "zarrlib/hierarchy/refused_absence.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/json/parsed_texts.h"
#include "zarrlib/metadata/consolidated.h"
#include "zarrlib/store/store.h"

namespace zarr {

class NodeFormat;
class NodeLocks;

/// The metadata documents of a store's nodes from all sources: consolidated metadata, memory, or the store. Paths are
/// those of nodes, names are from document_names.h. Thread-safe, except for the functions that set. Functions throw the
/// store's errors, and Error(corrupt) for text that is not JSON.
class NodeDocuments {
 public:
  /// With `keep`, documents are cached after the first read, and later changes of the store are not seen. Documents
  /// whose refusal `refused_absence` explains are taken for absent.
  NodeDocuments(std::shared_ptr<Store> store, bool keep, std::unique_ptr<RefusedAbsence> refused_absence = nullptr)
      : store_(std::move(store)), keep_(keep), refused_absence_(std::move(refused_absence)), waiting_(store_) {}

  const Store& store() const { return *store_; }
  /// Returns null if there are none, or if they are not used.
  const std::shared_ptr<ConsolidatedMetadata>& consolidated() const { return consolidated_; }
  void SetConsolidated(std::shared_ptr<ConsolidatedMetadata> consolidated);
  /// Caches the root's document of that name: later reads do not access the store.
  void SetRoot(std::string_view name, JsonNode document);

  /// Returns the document of a node; nullopt if it is absent.
  std::optional<JsonNode> Read(std::string_view path, std::string_view name) const;
  bool Has(std::string_view path, std::string_view name) const;
  /// Returns true if a document is cached, so that it will not be requested again.
  bool Keeps(std::string_view path, std::string_view name) const;
  /// Returns the names under a group's path that may be nodes of a version (NodeFormat::ListNames). They are cached
  /// with `keep`, and if each list takes a request.
  std::optional<std::vector<std::string>> ListNames(const NodeFormat& format, std::string_view path) const;

  /// While the returned object lives, documents that the store does not have are not looked for again, unless this
  /// object changes them: for checks that go through all nodes several times. It must not outlive this object.
  std::shared_ptr<void> RememberAbsent() const;

  /// Returns the JSON that was parsed, including the store's present documents.
  ParsedTexts& parsed() const { return parsed_; }

  // --- changes ---
  /// Reads a node's documents from the store again: another process may have changed them. Does nothing if changes of
  /// the node are pending; or, with kIfChanged, if all are as they were at the last such call. `names` are the names of
  /// the node's documents. Returns the documents that were read, by their keys, or nullopt if the store has none of
  /// them.
  enum class When : std::uint8_t { kAlways, kIfChanged };
  std::optional<WaitingDocuments::Documents> Refresh(std::string_view path, std::span<const std::string_view> names,
                                                     When when = When::kAlways);
  /// Records a document as stored, or, without a document, that the store does not have one of that name.
  void Adopt(std::string_view path, std::string_view name, const std::optional<JsonNode>& document);
  /// Writes `text` to the store; `document` is its content.
  void Put(const std::string& key, const JsonNode& document, const std::string& text);
  /// Drops the cached documents: other processes may have changed them.
  void DropKept();
  /// Like Put, but makes the change pending if changes are deferred. `is_new` is as for WaitingDocuments::Add.
  void PutOrDefer(const std::string& key, const JsonNode& document, const std::string& text, bool is_new);
  /// Erases a document; if `may_wait` and changes are deferred, later.
  void Erase(const std::string& key, bool may_wait);
  /// Returns the changes made pending by `PutOrDefer` and `Erase`. Reads see them. While changes are deferred,
  /// documents that are read are cached.
  WaitingDocuments& waiting() { return waiting_; }
  const WaitingDocuments& waiting() const { return waiting_; }
  /// Drops the pending changes and the cached documents of the node at a path and its descendants, which have been
  /// removed or moved.
  void Forget(std::string_view path);
  /// Writes the pending changes, and ends deferring. A change must have begun.
  void EndDeferring(NodeLocks& locks);

 private:
  std::optional<WaitingDocuments::Documents> RefreshIfChanged(std::string_view path,
                                                              std::span<const std::string_view> names);
  /// Reads a document from the cache or the store; `changes` is the value of `changes_` before pending changes were
  /// searched for it.
  std::optional<JsonNode> Fetch(std::string_view path, std::string_view name, std::uint64_t changes) const;
  /// Returns the result of `look` at a document, or an empty one if the store refuses it because it is absent.
  template <typename Look>
  auto LookFor(const std::string& key, const Look& look) const -> decltype(look());
  /// Caches a document that was read while `changes_` had that value. Does nothing if a document has been changed
  /// since: it may be an old one.
  void Keep(const std::string& key, const JsonNode& document, std::size_t size, std::uint64_t changes) const;
  /// Remembers that the store does not have a document, as Keep does for one that it has.
  void NoteAbsent(const std::string& key, std::uint64_t changes) const;
  /// Removes a document from the cache. Call this before a change, or after one; returns the present `changes_`.
  std::uint64_t DropKept(const std::string& key);

  const std::shared_ptr<Store> store_;
  const bool keep_;
  const std::unique_ptr<RefusedAbsence> refused_absence_;
  std::shared_ptr<ConsolidatedMetadata> consolidated_;
  mutable ParsedTexts parsed_;
  WaitingDocuments waiting_;

  mutable std::mutex mutex_;  // not held while the store is called
  std::string root_name_;
  std::optional<JsonNode> root_;
  std::uint64_t changes_ = 0;  // of documents, by this object
  struct Kept {
    JsonNode document;
    std::size_t size = 0;  // of the text
  };
  mutable std::unordered_map<std::string, Kept> kept_;
  std::unordered_map<std::string, std::optional<VersionStamp>> refreshed_;        // stamps at kIfChanged
  mutable std::unordered_map<std::string, std::vector<std::string>> kept_names_;  // by the path of the group
  mutable int remembering_ = 0;                      // the number of living objects of RememberAbsent
  mutable std::unordered_set<std::string> absent_;   // keys of documents that the store does not have
  mutable std::unordered_set<std::string> refused_;  // keys of documents that were taken for absent
  mutable std::size_t kept_size_ = 0;
};

}  // namespace zarr
