// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "zarrlib/json/json_node.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// Changes of documents that wait in memory, so that a document that changes often is put once. Thread-safe; the store
/// is not called while the mutex is held.
class WaitingDocuments {
 public:
  explicit WaitingDocuments(std::shared_ptr<Store> store) : store_(std::move(store)) {}

  /// From now on `Add` and `Erase` let changes wait.
  void Defer();
  /// Ends that. Changes that wait still do.
  void EndDeferring();
  bool deferring() const;

  /// A change that waits: a document, or that it is erased; nullopt if none waits.
  std::optional<std::optional<JsonNode>> Find(const std::string& key) const;
  bool HasAny() const;
  /// Whether changes of documents at or below a path wait.
  bool HasAt(std::string_view path) const;

  /// Lets a document wait, whose text is given. Returns false, and does nothing, unless changes are deferred.
  bool Add(const std::string& key, const JsonNode& document, std::string text);
  /// Lets a removal wait. Returns false, and does nothing, unless changes are deferred.
  bool Erase(const std::string& key);
  /// Puts the changes that wait into the store, each once. If one fails, it and those that are not put yet wait on.
  /// Where each takes a request, several are sent at once, and those of the root first, and attributes last. A change
  /// of the key `but` waits on.
  void Commit(std::string_view but = {});
  /// Drops a change: the caller has put the document.
  void Settle(const std::string& key);
  /// Drops the changes of documents whose keys begin with a prefix.
  void Forget(std::string_view prefix);

 private:
  struct Change {
    std::optional<JsonNode> document;  ///< Nothing if it is to be erased.
    std::string text;
  };
  void Put(const std::string& key);

  const std::shared_ptr<Store> store_;
  mutable std::mutex mutex_;
  bool deferring_ = false;
  std::map<std::string, Change> changes_;  // by key
};

}  // namespace zarr
