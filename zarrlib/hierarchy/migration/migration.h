// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "zarrlib/base/error.h"
#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// The changes that migrate a store from one format to the next. They concern metadata documents only; no chunk is read
/// or written.
struct MigrationPlan {
  struct Document {
    std::string key;
    std::string text;
  };
  /// To be written in this order. The root's document is the last, so that readers use the old metadata until all new
  /// documents exist.
  std::vector<Document> documents;
  /// The reasons why nodes cannot be migrated. If there are any, nothing may be written.
  std::vector<Error> refused;
  /// Arrays of v1 below the root. They are stores of their own, and are not changed.
  std::vector<std::string> v1_arrays;
  std::size_t array_count = 0;
  std::size_t group_count = 0;
};

/// Plans the migration of all nodes of a store of v1 (which is one array) or v2. Nodes that have metadata of the new
/// format are left out. The new arrays have the old chunks: v3 has the `v2` chunk key encoding for that. Consolidated
/// metadata are made if there were some. If the store cannot list, its consolidated metadata tell the nodes.
///
/// The root must be a node. A folder without metadata, of its own or in the consolidated metadata, is no node, and is
/// left alone with all that it contains. A node behind a link out of the store is refused, because its new documents
/// would be written to another store.
///
/// Throws Error: not_found for a store without old metadata, invalid_argument for a format other than v2 and v3, and
/// the errors of the parsers.
MigrationPlan PlanMigration(const Store& store, ZarrFormat to);

/// Writes the planned documents beside the old ones, which readers of the new format ignore. To undo it, remove the new
/// documents. Throws the first error of `plan.refused`.
void Migrate(Store* store, const MigrationPlan& plan);

/// Returns the keys of the old metadata of nodes whose newer metadata describe the same chunks, and of the consolidated
/// metadata of v2. Leaves out files called `meta` or `attrs` that do not belong to a v1 array, files behind a link out
/// of the store, and files that belong to no node. Throws Error(invalid_argument) if a node has only old metadata, or
/// if its metadata do not agree.
std::vector<std::string> FindOldMetadata(const Store& store);
/// Removes these keys and returns them. The migration can then not be undone.
std::vector<std::string> DeleteOldMetadata(Store* store);

}  // namespace zarr
