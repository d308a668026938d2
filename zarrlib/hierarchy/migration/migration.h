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

/// The changes that migrate a store from one format to the next. Only metadata documents change; chunks are not read or
/// written.
struct MigrationPlan {
  struct Document {
    std::string key;
    std::string text;
  };
  /// Must be written in this order. The root's document is the last, so that readers use the old metadata until all new
  /// documents exist.
  std::vector<Document> documents;
  /// Files that GDAL has put next to the document of an array, and named after it: ".zarray.aux.xml". They are copied
  /// before the documents are written.
  struct SideFile {
    std::string from;
    std::string to;
  };
  std::vector<SideFile> side_files;
  /// The reasons why nodes cannot be migrated. If there are any, nothing may be written.
  std::vector<Error> refused;
  /// Arrays of v1 below the root. They are separate stores, and are not changed.
  std::vector<std::string> v1_arrays;
  std::size_t array_count = 0;
  std::size_t group_count = 0;
};

/// Plans the migration of all nodes of a store of v1 (which is a single array) or v2. Nodes with metadata of the new
/// format are skipped. The new arrays use the old chunks: v3 has the `v2` chunk key encoding for that. Consolidated
/// metadata are written in groups that had any. If the store cannot list, the nodes are found in its consolidated
/// metadata.
///
/// The root must be a node. A folder without metadata, either its own or consolidated, is not a node, and is skipped
/// with its content. A node reached through a link out of the store is refused, because its new documents would be
/// written to another store.
///
/// Throws Error: not_found for a store without old metadata, invalid_argument for a format other than v2 and v3, and
/// the errors of the parsers.
MigrationPlan PlanMigration(const Store& store, ZarrFormat to);

/// Writes the planned documents next to the old ones, which readers of the new format ignore. To undo this, remove the
/// new documents. Throws the first error of `plan.refused`.
void Migrate(Store* store, const MigrationPlan& plan);

/// Returns the keys of the old metadata of nodes whose newer metadata describe the same chunks, and of the consolidated
/// metadata of v2, and of GDAL's files that have a copy next to the newer metadata. Omits files called `meta` or
/// `attrs` that do not belong to a v1 array, files reached through a link out of the store, and files that do not
/// belong to a node. Throws Error(invalid_argument) if a node has only old metadata, or if its metadata do not agree.
std::vector<std::string> FindOldMetadata(const Store& store);
/// Removes these keys and returns them. After that, the migration cannot be undone.
std::vector<std::string> DeleteOldMetadata(Store* store);

}  // namespace zarr
