// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/json/json_changes.h"
#include "zarrlib/json/json_node.h"

namespace zarr {

/// Pending changes of the attributes of nodes, by path. All changes of a node are written together. Thread-safe.
class WaitingAttributes {
 public:
  /// Returns true if changes of a node are pending.
  bool Has(std::string_view path) const;
  std::vector<std::string> GetPaths() const;
  /// Adds pending changes, which `add` appends to the changes of the node. `known` returns the known attributes of the
  /// node, for FindAttribute; they are kept when the first changes of the node are added.
  void Add(std::string_view path, const std::function<JsonNode()>& known,
           const std::function<void(JsonChanges& changes)>& add);
  /// Returns attributes of a node with the pending changes applied.
  JsonNode ApplyTo(std::string_view path, const JsonNode& attributes) const;
  /// The value of an attribute with the pending changes applied. Found in time independent of the number of attributes.
  struct Answer {
    bool is_known = false;  ///< True if changes of the node are pending; other nodes are not known.
    std::optional<JsonNode> attribute;
  };
  Answer FindAttribute(std::string_view path, std::string_view name) const;
  /// Returns true if a change of an attribute, or of a value in it, is pending.
  bool Changes(std::string_view path, std::string_view name) const;
  /// Like FindAttribute, but for an item of a list. A value that is not a list is its item 0.
  Answer FindItem(std::string_view path, std::string_view list, std::size_t index) const;
  /// Returns all attributes of a node with the pending changes applied; nullopt if there are none pending.
  std::optional<JsonNode> GetAttributes(std::string_view path) const;
  /// Drops the changes of a node, which have been written.
  void Drop(std::string_view path);
  /// Drops the changes of a node and its descendants.
  void DropBelow(std::string_view path);

 private:
  struct Entry {
    JsonNode known;
    JsonChanges changes;
  };
  const Entry* Find(std::string_view path) const;

  std::atomic<std::size_t> count_ = 0;  // number of entries: read without the lock wherever attributes are read
  mutable std::mutex mutex_;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace zarr
