// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "zarrlib/base/once.h"
#include "zarrlib/hierarchy/hierarchy.h"

namespace gdal_zarr {

class SharedResource;

/// The result of looking up a node that another node refers to.
struct FoundNode {
  std::shared_ptr<const zarr::Array> array;  ///< Null if there is none, or if it cannot be opened.
  bool broken = false;                       ///< The node exists, but its metadata cannot be used.
};

/// A node, and the state of the dataset in which it was found.
struct NodePlace {
  std::shared_ptr<SharedResource> resource;
  std::string path;
};

/// Finds the nodes of a dataset that other nodes refer to, such as coordinates. Thread-safe.
class NodeFinder {
 public:
  /// Called with a message for the user when a fault was ignored.
  using Warn = std::function<void(const std::string& text)>;

  NodeFinder(const zarr::Hierarchy& hierarchy, Warn warn) : hierarchy_(hierarchy), warn_(std::move(warn)) {}

  /// Looks up an optional array that another node refers to. Ignores a missing array, warns once of broken metadata,
  /// and throws zarr::Error(io) if an array cannot be read. Nodes that are not in the consolidated metadata count as
  /// missing, without a request, unless `beside_consolidated` is set.
  FoundNode LookFor(std::string_view path, bool beside_consolidated = false);
  /// Calls LookFor, and returns its array or null.
  std::shared_ptr<const zarr::Array> FindArray(std::string_view path) { return LookFor(path).array; }
  /// Returns the attributes of a group by the rules of LookFor, or null if there are none.
  zarr::JsonNode FindGroupAttributes(std::string_view path);
  /// Handles an error of a node that another node refers to. Ignores absence, warns of broken metadata, and rethrows
  /// the error if the node could not be read. In a remote store, bytes that cannot be decoded count as unreadable.
  void Tolerate(const zarr::Error& error);
  /// Returns the path of the array with that name in a group, or in the nearest ancestor that has one. A broken array
  /// ends the search, with the warning of LookFor. A name with slashes is resolved like ResolveNodePath. Throws
  /// zarr::Error(io).
  std::optional<std::string> FindUpwards(std::string group, const std::string& name);

  /// Sets the function that finds the dataset's root in a larger store, if the dataset is a part of one: its
  /// coordinates and its CRS may be there.
  void SetFindAbove(std::function<std::optional<NodePlace>()> find) { find_above_ = std::move(find); }
  /// Finds the larger store, in the first call only. Returns the location of the dataset's root there, or null. Throws
  /// zarr::Error(io).
  const NodePlace* FindAbove();

 private:
  /// Returns true if a node is known to be missing from `absent_`[i], unless the hierarchy has changed since.
  bool IsAbsent(int i, const std::string& key);
  /// Caches that a node is missing, which was found after that number of changes of the hierarchy.
  void NoteAbsent(int i, const std::string& key, std::uint64_t changes);

  const zarr::Hierarchy& hierarchy_;
  const Warn warn_;
  std::function<std::optional<NodePlace>()> find_above_;
  zarr::Once above_found_;
  std::optional<NodePlace> above_;
  std::mutex mutex_;
  std::unordered_set<std::string> absent_[2];  // missing nodes: in the store, and in its consolidated metadata
  std::uint64_t changes_ = 0;                  // of the hierarchy, when they were missing
};

}  // namespace gdal_zarr
