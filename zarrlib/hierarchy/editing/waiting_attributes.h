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

/// Returns an item of a list, or, as item 0, a value that is no list.
std::optional<JsonNode> FindItem(const std::optional<JsonNode>& list, std::size_t index);

/// Changes of the attributes of nodes, by their paths, that wait to be put: all those of a node are put at once.
/// Thread-safe.
class WaitingAttributes {
 public:
  /// Whether changes of a node wait.
  bool Has(std::string_view path) const;
  std::vector<std::string> GetPaths() const;
  /// Lets changes wait, which `add` adds to those of the node. `known` are the node's attributes as far as they are
  /// known, for FindAttribute; they are kept when the first changes of the node come.
  void Add(std::string_view path, const std::function<JsonNode()>& known,
           const std::function<void(JsonChanges& changes)>& add);
  /// Returns attributes of a node with the changes that wait.
  JsonNode ApplyTo(std::string_view path, const JsonNode& attributes) const;
  /// What an attribute is, with the changes that wait. Takes as long for many attributes as for few.
  struct Answer {
    bool is_known = false;  ///< Whether changes of the node wait: nothing is known of others.
    std::optional<JsonNode> attribute;
  };
  Answer FindAttribute(std::string_view path, std::string_view name) const;
  /// Whether a change of an attribute waits, or of something in it.
  bool Changes(std::string_view path, std::string_view name) const;
  /// Does the same as FindAttribute for an item of a list. A value without a list is its item 0.
  Answer FindItem(std::string_view path, std::string_view list, std::size_t index) const;
  /// All attributes of a node, with the changes that wait; nothing if none do.
  std::optional<JsonNode> GetAttributes(std::string_view path) const;
  /// Drops the changes of a node, which have been put.
  void Drop(std::string_view path);
  /// Drops those of a node and of all below it.
  void DropBelow(std::string_view path);

 private:
  struct Entry {
    JsonNode known;
    JsonChanges changes;
  };
  const Entry* Find(std::string_view path) const;

  std::atomic<std::size_t> count_ = 0;  // that of the entries: asked without the lock wherever attributes are read
  mutable std::mutex mutex_;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace zarr
