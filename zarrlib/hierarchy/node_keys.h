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

/// The keys of a node and of all nodes below it, for whoever looks for all documents there. On a network, a list of all
/// keys saves a request for each name that a document may have, unless it takes many requests itself; what it names is
/// then asked for at once. Else the store is asked for each name.
class NodeKeys {
 public:
  /// The store has to live longer than this object.
  NodeKeys(const Store& store, std::string_view path);

  /// Says that documents of these names will be looked for in a node.
  void Prefetch(std::string_view path, std::span<const std::string_view> names) const;
  /// Whether a document has that key. A folder of such a name belongs to somebody else.
  bool HasDocument(const std::string& key) const;
  /// The paths of the folders in a node's folder; nothing if the store cannot list.
  std::optional<std::vector<std::string>> GetFolders(const std::string& path) const;

 private:
  const Store& store_;
  std::optional<std::set<std::string, std::less<>>> keys_;  // nothing: the store is asked for each name
};

}  // namespace zarr
