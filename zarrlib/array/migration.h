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
  std::size_t array_count = 0;
  std::size_t group_count = 0;
};

/// Looks at all nodes of a store, those of v1 (which is one array) or v2. Nodes that have metadata of the new format
/// are left out. The chunks of the new arrays are the old ones: v3 has the `v2` chunk key encoding for that.
/// Consolidated metadata are made where there were some. Of a store that cannot list, the nodes are those of its
/// consolidated metadata.
///
/// Throws Error(not_found) for a store without old metadata, Error(invalid_argument) for a format other than v2 and v3,
/// and what the parsers throw for metadata that are not valid.
MigrationPlan PlanMigration(const Store& store, ZarrFormat to);

/// Writes what is planned, next to the old metadata, which no reader looks at any more that knows the new format.
/// Removing the new documents takes it back. Throws the first of `plan.refused`.
void Migrate(Store* store, const MigrationPlan& plan);

/// The keys of metadata for which a node has newer ones. Throws Error(invalid_argument) if a node has old ones only.
std::vector<std::string> OldMetadata(const Store& store);
/// Removes those: what a migration can then not be taken back from. Returns their keys.
std::vector<std::string> DeleteOldMetadata(Store* store);

}  // namespace zarr
