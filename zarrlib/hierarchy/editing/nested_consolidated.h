// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace zarr {

class Hierarchy;
class NodeDocuments;
class NodeLocks;
class Store;
struct StoreRoot;

/// The consolidated metadata of groups below the root. A change in such a group removes them, so that no reader finds
/// old ones, wherever the change stops; they are written again together with those of the root. Used by one thread at a
/// time, which must have begun a change (NodeLocks::change_mutex). Functions that change the store lock the group, and
/// throw the errors of the store and of NodeLocks.
class NestedConsolidated {
 public:
  /// The parts of a hierarchy; all outlive this object.
  struct Parts {
    const Hierarchy& nodes;
    Store& store;
    StoreRoot& root;
    NodeDocuments& documents;
    NodeLocks& locks;
  };

  explicit NestedConsolidated(const Parts& parts) : parts_(parts) {}

  /// Removes the consolidated metadata of the groups above a node.
  void DropAbove(std::string_view path);
  /// Removes the consolidated metadata of a group, and of the groups above it.
  void DropFrom(std::string_view group);
  /// Sets whether `Restore` writes those of a group, as if they had been removed.
  void SetWanted(bool is_wanted, std::string_view group);
  /// Records that a new group does not have any.
  void NoteMade(std::string_view group) { made_.emplace(group); }
  /// Returns true if some were removed that have not been written again.
  bool has_dropped() const { return !dropped_.empty(); }
  /// Writes what was removed again, for groups that still exist. The next change looks for them again.
  void Restore();
  /// Records that a node has changed in another way.
  void NoteChanged(std::string_view path) { changed_.emplace(path); }
  /// Returns the nodes that have changed since the last call.
  std::vector<std::string> TakeChanged() {
    const auto changed = std::exchange(changed_, {});
    return {changed.begin(), changed.end()};
  }

 private:
  std::string GetLock(std::string_view group) const;
  void DropAll(std::string_view group);
  void Drop(std::string_view group);
  void RestoreOnce(const std::string& group);

  const Parts parts_;
  std::set<std::string, std::less<>> made_;     // groups made here, until others may have added some
  std::set<std::string, std::less<>> absent_;   // groups without consolidated metadata, since the last `Restore`
  std::set<std::string, std::less<>> dropped_;  // those of `absent_` that had some
  std::set<std::string, std::less<>> changed_;
};

}  // namespace zarr
