// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/hierarchy/formats/node_format.h"

namespace zarr {

/// Information about the root of a hierarchy's store.
struct StoreRoot {
  const NodeFormat* format = nullptr;      ///< The root's format.
  std::vector<const NodeFormat*> formats;  ///< The formats in which nodes are searched, in this order.
  bool is_implied = false;                 ///< The root is a folder of nodes, without metadata of its own.
  bool is_group = false;                   ///< An array below it shows that the root is a group.
  bool holds_consolidated = false;         ///< The stored document of the root holds consolidated metadata.

  /// Returns the format of the node at a path, or the root's format if there is no node.
  const NodeFormat& GetFormat(const NodeDocuments& documents, std::string_view path) const;
};

/// Throws Error(read_only) if the store, or the format version of its root, cannot be changed.
void CheckWritable(const Store& store, const NodeFormat& root);
/// Throws Error(read_only) for a read-only array.
void CheckChangeable(const ArrayMetadata& metadata);
/// Returns the key of the document that is locked for a change of the node at a path.
std::string GetLockKey(const Store& store, const NodeDocuments& documents, const NodeFormat& format,
                       std::string_view path);

}  // namespace zarr
