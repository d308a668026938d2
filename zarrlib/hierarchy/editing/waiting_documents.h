// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "zarrlib/base/error.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/store/store.h"

namespace zarr {

class NodeLocks;

/// Pending changes of documents in memory, so that a document that changes often is written once. Thread-safe; the
/// store is not called while the mutex is held.
class WaitingDocuments {
 public:
  explicit WaitingDocuments(std::shared_ptr<Store> store) : store_(std::move(store)) {}

  /// From now on, `Add` and `Erase` make changes pending.
  void Defer();
  /// Ends deferring. Existing changes stay pending.
  void EndDeferring();
  bool deferring() const;

  /// Returns a pending change: a document, or an inner nullopt if it is erased. Returns an outer nullopt if there is
  /// none.
  std::optional<std::optional<JsonNode>> Find(const std::string& key) const;
  bool HasAny() const;
  /// Returns true if changes of the documents of a node itself are pending.
  bool HasOwn(std::string_view path) const;
  /// Returns true if the document is one of a node that is not stored yet.
  bool IsNew(const std::string& key) const;
  /// Returns true if changes of documents at or below a path are pending.
  bool HasAt(std::string_view path) const;

  /// Documents by their keys; nullopt for a document that is absent.
  using Documents = std::map<std::string, std::optional<JsonNode>>;
  /// While the returned object exists, `Find` also finds these documents of a node, which the caller has just written,
  /// or has read while it holds the node's lock: the node is not read again. A document that is changed is not among
  /// them any more.
  [[nodiscard]] std::shared_ptr<void> ShowStored(Documents documents);

  /// Returns the names of the nodes of a group that are not stored yet, or have descendants that are not.
  std::set<std::string> GetNewNames(std::string_view group) const;

  /// Records that a new node does not have a document: until deferring ends, `Find` finds it erased.
  void NoteAbsent(const std::string& key);
  /// Makes a document pending, with the given text. Returns false without changes unless changes are deferred. `is_new`
  /// is true for the documents of a node that is being created.
  bool Add(const std::string& key, const JsonNode& document, std::string text, bool is_new);
  /// Makes a removal pending. Returns false without changes unless changes are deferred.
  bool Erase(const std::string& key);
  /// Writes the pending changes to the store, each once. If one fails, it and the unwritten ones stay pending. In a
  /// remote store, several requests are sent at once; the root's documents come first, attributes last. A change of the
  /// key `but` stays pending. Except in a remote store without conditions, a new node that another process has created
  /// in the meantime is refused (see ReportRefused); attributes that others have set in a new node are kept.
  ///
  /// A change must have begun; `locks` are the hierarchy's. Without them, attributes that have to be merged stay
  /// pending while others hold the lock of their node: they may wait for the lock of a value that the caller holds.
  void Commit(NodeLocks* locks, std::string_view but = {});
  /// Like `Commit` without locks, only for the documents of the node that a value belongs to. Other threads may make
  /// changes pending at the same time.
  void CommitNodeOf(std::string_view key);
  /// Throws Error(invalid_argument) if `Commit` has refused a new node since the last call.
  void ReportRefused();
  /// Returns true if `Commit` has refused the node at a path or a node below it.
  bool IsRefused(std::string_view path) const;
  /// Throws Error(invalid_argument) for the path of a node that `Commit` has refused, and for keys in a refused array.
  void CheckNotRefused(std::string_view key) const;
  /// Drops a change whose document the caller has written or erased.
  void Settle(const std::string& key);
  /// Drops the changes of documents whose keys start with a prefix.
  void Forget(std::string_view prefix);

 private:
  struct Change {
    std::optional<JsonNode> document;  ///< nullopt if it will be erased.
    std::string text;
    bool is_new = false;
    std::uint64_t number = 0;  ///< Another one for each change.
    std::string tried;         ///< The text of an attempt that has failed, but may have taken effect.
  };
  /// Returns true if a document of the same node is pending, and the node is not stored yet. The mutex must be held.
  bool IsOfNewNode(const std::string& key) const;
  /// Writes the changes once. `held` is the document by which the caller has locked a node. Returns the documents that
  /// lock the nodes of changes that stay pending, because others hold those locks.
  std::vector<std::string> CommitOnce(std::string_view but, const std::string& held);
  enum class Outcome : std::uint8_t { kNone, kPut, kLocked };
  /// Writes a change, unless there is none, or others hold the lock that it needs.
  Outcome Put(const std::string& key);
  /// Drops a change that was written, unless it has been replaced by a later one.
  void SettleChange(const std::string& key, std::uint64_t number);
  /// Returns false if others hold the lock that it needs.
  bool PutNew(const std::string& key, const Change& change);
  /// Drops the changes of a new node that another process has created, and records that it is not this object's.
  void Refuse(const std::string& key, const JsonNode& document);
  struct Refusal {
    Error error;
    bool is_array = false;
  };
  /// Adds the attributes of a new v2 node to those that others have set. Returns false if others hold the node's lock.
  bool MergeAttributes(const std::string& key, const JsonNode& attributes);
  /// Returns the document that locks a new v2 node.
  std::string GetLockingDocument(const std::string& attributes_key) const;

  const std::shared_ptr<Store> store_;
  std::mutex commit_mutex_;  // held while changes are written; taken before `mutex_`
  std::string held_;         // of CommitOnce
  mutable std::mutex mutex_;
  bool deferring_ = false;
  std::uint64_t number_ = 0;                // of the last change
  std::map<std::string, Change> changes_;   // by key
  std::map<std::string, Refusal> refused_;  // by the path of the node
  std::optional<Error> unreported_;         // of ReportRefused
  Documents stored_;                        // of ShowStored
  std::unordered_set<std::string> absent_;  // keys of NoteAbsent
};

}  // namespace zarr
