// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/store/store.h"

namespace zarr {

/// The keys of a node and its descendants, for searching all documents there. In a remote store, a list of all keys
/// saves a request for each possible document name, unless the list itself takes many requests; the listed documents
/// are then requested at once. Otherwise the store is asked for each name.
class NodeKeys {
 public:
  /// The store must outlive this object.
  NodeKeys(const Store& store, std::string_view path);

  /// Announces that documents of these names will be looked up in a node.
  void Prefetch(std::string_view path, std::span<const std::string_view> names) const;
  /// Returns true if a document has that key. A folder of such a name does not belong to Zarr.
  bool HasDocument(const std::string& key) const;
  /// Returns the paths of the folders in a node's folder; nullopt if the store cannot list.
  std::optional<std::vector<std::string>> GetFolders(const std::string& path) const;

 private:
  const Store& store_;
  std::optional<std::set<std::string, std::less<>>> keys_;  // nullopt: the store is asked for each name
};

}  // namespace zarr
