// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "autotest/cpp/support/array_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"

/// All that a reader finds in a store, and what it may find after a change that was interrupted.
namespace zarr::test {

struct NodeState {
  std::string attributes;
  bool is_array = false;
  Shape shape;
  std::vector<std::int32_t> values;
  std::uint64_t rows_per_chunk = 1;
  friend bool operator==(const NodeState& a, const NodeState& b) {
    return a.attributes == b.attributes && a.is_array == b.is_array && a.shape == b.shape && a.values == b.values;
  }
};

inline std::string ToText(const NodeState& node) {
  std::string text = (node.is_array ? "array " + ToString(node.shape) : "group") + " " + node.attributes;
  for (const std::int32_t value : node.values) text += " " + std::to_string(value);
  return text;
}

using StoreState = std::map<std::string, NodeState>;

inline std::string ToText(const StoreState& state) {
  std::string text;
  for (const auto& [path, node] : state) text += "  /" + path + ": " + ToText(node) + "\n";
  return text;
}

inline void AddState(const Hierarchy& hierarchy, const std::string& path, bool use_cache, StoreState* state) {
  NodeState& node = (*state)[path];
  if (hierarchy.Probe(path) == NodeKind::kArray) {
    const auto array = hierarchy.OpenArray(path);
    ReadOptions options;
    options.use_cache = use_cache;
    node = {array->metadata().attributes.Dump(), true, array->shape(), Read(*array, WholeOf(*array), options),
            array->metadata().chunk_grid.max_chunk_shape()[0]};
    return;
  }
  node.attributes = hierarchy.OpenGroup(path).attributes.Dump();
  for (const auto& child : hierarchy.List(path)) AddState(hierarchy, JoinKey(path, child.name), use_cache, state);
}

/// Reads a store of arrays of int32, which are divided into chunks along their first axis only. Empty if there is no
/// store.
inline StoreState ReadState(const std::shared_ptr<Store>& store, bool use_consolidated, bool use_cache = true) {
  HierarchyOptions options;
  options.use_consolidated = use_consolidated;
  StoreState state;
  try {
    AddState(*EditableHierarchy::Open(store, options), "", use_cache, &state);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kNotFound) ADD_FAILURE() << "the store does not open: " << error.what();
    state.clear();
  }
  return state;
}

/// Whether each chunk of a node is the one of `before` or that of `after`.
inline bool IsMadeOf(const NodeState& found, const NodeState& before, const NodeState& after) {
  if (found.attributes != before.attributes && found.attributes != after.attributes) return false;
  if (found.is_array != after.is_array || before.is_array != after.is_array) return false;
  if (before.shape != after.shape) return found.values == (found.shape == before.shape ? before : after).values;
  if (found.shape != after.shape || found.values.empty()) return found.values == after.values;
  const std::size_t chunk =
      static_cast<std::size_t>(found.rows_per_chunk * (ComputeProduct(found.shape) / found.shape[0]));
  for (std::size_t start = 0; start < found.values.size(); start += chunk) {
    const auto is_of = [&](const NodeState& other) {
      const auto end = static_cast<std::ptrdiff_t>(std::min(start + chunk, found.values.size()));
      return std::equal(found.values.begin() + static_cast<std::ptrdiff_t>(start), found.values.begin() + end,
                        other.values.begin() + static_cast<std::ptrdiff_t>(start));
    };
    if (!is_of(before) && !is_of(after)) return false;
  }
  return true;
}

/// A node of which nothing is stored but what makes it one; without a document, a group is implied by what is in it.
inline NodeState MakeBare(NodeState node) {
  node.attributes = "null";
  std::fill(node.values.begin(), node.values.end(), -1);
  return node;
}

/// Expects that a store is what a change from `before` to `after` may leave when it reports an error: nodes that are in
/// both states are there, the others may be there; each is complete, with chunks of either state. A new array may lack
/// chunks, which then read as the fill value -1. With `may_be_bare`, new nodes may lack their attributes: v2 stores
/// them on their own, after what makes the node one.
inline void ExpectBetween(const StoreState& found, const StoreState& before, const StoreState& after,
                          bool may_be_bare) {
  const auto tell = [&] {
    return "found:\n" + ToText(found) + "before:\n" + ToText(before) + "after:\n" + ToText(after);
  };
  for (const auto& [path, node] : found) {
    const auto old = before.find(path);
    const auto fresh = after.find(path);
    if (old == before.end() && fresh == after.end()) {
      ADD_FAILURE() << "/" << path << " is in neither state; " << tell();
    } else if (old == before.end()) {
      NodeState bare = MakeBare(fresh->second);
      if (!may_be_bare && node.is_array) bare.attributes = fresh->second.attributes;
      EXPECT_TRUE(IsMadeOf(node, bare, fresh->second)) << "/" << path << "; " << tell();
    } else {
      const bool is_removed_group = fresh == after.end() && !node.is_array;
      const NodeState other = is_removed_group       ? MakeBare(old->second)
                              : fresh == after.end() ? old->second
                                                     : fresh->second;
      EXPECT_TRUE(IsMadeOf(node, old->second, other)) << "/" << path << "; " << tell();
    }
  }
  for (const auto& [path, node] : before) {
    if (after.contains(path)) {
      EXPECT_TRUE(found.contains(path)) << "/" << path << "; " << tell();
    }
  }
}

}  // namespace zarr::test
