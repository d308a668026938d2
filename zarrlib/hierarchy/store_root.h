// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/hierarchy/formats/node_format.h"

namespace zarr {

/// What a hierarchy knows of the root of its store.
struct StoreRoot {
  const NodeFormat* format = nullptr;      ///< That of the root.
  std::vector<const NodeFormat*> formats;  ///< In which nodes are looked for, the first one first.
  bool is_implied = false;                 ///< A folder of nodes, without metadata of its own.
  bool is_group = false;                   ///< An array below it shows that it is a group.
  bool holds_consolidated = false;         ///< The stored document of the root holds consolidated metadata.

  /// The format of the node at a path, or that of the root where there is no node.
  const NodeFormat& GetFormat(const NodeDocuments& documents, std::string_view path) const;
};

/// Throws Error(read_only) if the store, or the version of its root, takes no changes.
void CheckWritable(const Store& store, const NodeFormat& root);
/// Throws Error(read_only) for an array that is only read.
void CheckChangeable(const ArrayMetadata& metadata);
/// The key of the document that is locked for a change of the node at a path.
std::string GetLockKey(const Store& store, const NodeDocuments& documents, const NodeFormat& format,
                       std::string_view path);

}  // namespace zarr
