// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/hierarchy/formats/node_format.h"
#include "zarrlib/hierarchy/node_documents.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// Compares what consolidated metadata say of a node with the node's own documents, which a writer may have changed
/// since: once for each node that is opened, and never for one that is only listed. Thread-safe.
class OwnDocuments {
 public:
  /// The store and the root's format, which have to live longer than this object.
  OwnDocuments(const Store& store, const NodeFormat& format) : store_(store), format_(format) {}

  /// Puts the own documents of a node in the place of consolidated ones that differ and did not change later, and
  /// returns what differs, as messages. Throws the store's errors, and Error(corrupt) for an array of which nothing is
  /// left.
  std::vector<std::string> Compare(std::string_view path, NodeKind kind, NodeDocuments* documents);

 private:
  void CompareDocument(std::string_view path, std::string_view name, NodeDocuments* documents,
                       std::vector<std::string>* differences) const;
  /// Handles a node without the document that makes it one.
  void CompareAbsent(std::string_view path, NodeKind kind, const std::string& key,
                     std::vector<std::string>* differences) const;
  std::int64_t GetTimeOfConsolidated() const;

  const Store& store_;
  const NodeFormat& format_;
  std::mutex mutex_;
  std::set<std::string, std::less<>> compared_;  // paths
};

}  // namespace zarr
