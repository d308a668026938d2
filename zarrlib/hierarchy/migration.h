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

/// What takes a store from one format to the next: metadata documents only, no chunk is read or written.
struct MigrationPlan {
  struct Document {
    std::string key;
    std::string text;
  };
  /// To be written in this order: the root's last, so that the store is read by its old metadata until all is there.
  std::vector<Document> documents;
  /// Why nodes have no equal in the new format. Unless there are none, nothing may be written.
  std::vector<Error> refused;
  /// Arrays of v1 below the root: stores of their own, which are left as they are.
  std::vector<std::string> v1_arrays;
  std::size_t array_count = 0;
  std::size_t group_count = 0;
};

/// Looks at all nodes of a store, those of v1 (which is one array) or v2. Nodes that have metadata of the new format
/// are left out. The chunks of the new arrays are the old ones: v3 has the `v2` chunk key encoding for that.
/// Consolidated metadata are made where there were some. Of a store that cannot list, the nodes are those of its
/// consolidated metadata.
///
/// The store's root must be a node. Folders in it that have no metadata of their own, unless consolidated metadata name
/// what is in them, are no nodes, and are left alone with all that is in them. Nodes behind a link that leads out of
/// the store are refused: their new documents would go to another store.
///
/// Throws Error(not_found) for a store without old metadata, Error(invalid_argument) for a format other than v2 and v3,
/// and what the parsers throw for metadata that are not valid.
MigrationPlan PlanMigration(const Store& store, ZarrFormat to);

/// Writes what is planned, next to the old metadata, which no reader looks at any more that knows the new format.
/// Removing the new documents takes it back. Throws the first of `plan.refused`.
void Migrate(Store* store, const MigrationPlan& plan);

/// The keys of metadata for which a node has newer ones that say the same of its chunks, and of consolidated metadata
/// of v2. What is called `meta` or `attrs` and is not this array's in v1, what stands behind a link out of the store,
/// and all that is no node's, is not among them. Throws Error(invalid_argument) if a node has old ones only, or if its
/// metadata do not agree.
std::vector<std::string> OldMetadata(const Store& store);
/// Removes those: what a migration can then not be taken back from. Returns their keys.
std::vector<std::string> DeleteOldMetadata(Store* store);

}  // namespace zarr
