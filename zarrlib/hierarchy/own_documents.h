// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/hierarchy/formats/node_format.h"
#include "zarrlib/hierarchy/node_documents.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// Compares the consolidated metadata of a node with the node's own documents, which a writer may have changed since.
/// Compares each opened node once; nodes that are only listed are not compared. Thread-safe.
class OwnDocuments {
 public:
  /// The store and the root's format must outlive this object.
  OwnDocuments(const Store& store, const NodeFormat& format) : store_(store), format_(format) {}

  /// Replaces consolidated documents of a node that differ from the node's own documents, unless the consolidated ones
  /// changed later. Returns the differences as messages. Throws the store's errors, and Error(corrupt) for an array
  /// that no longer exists, unless only the consolidated metadata describe the nodes of the store.
  std::vector<std::string> Compare(std::string_view path, NodeKind kind, NodeDocuments* documents);

 private:
  void CompareDocument(std::string_view path, std::string_view name, NodeDocuments* documents,
                       std::vector<std::string>* differences) const;
  /// Handles a node without the document that makes it a node.
  void CompareAbsent(std::string_view path, const std::string& key, const NodeDocuments& documents,
                     std::vector<std::string>* differences);
  /// Returns true if any node below the root has a document of its own.
  bool HasOwn(const ConsolidatedMetadata& consolidated);
  std::int64_t GetTimeOfConsolidated() const;

  const Store& store_;
  const NodeFormat& format_;
  std::mutex mutex_;
  std::set<std::string, std::less<>> compared_;  // paths
  std::optional<bool> has_own_;
};

}  // namespace zarr
