// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/hierarchy/migration/migration.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/consolidated.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// Returns nullopt if a node does not have this document.
std::optional<JsonNode> FetchDocument(const Store& store, std::string_view path, std::string_view name);

/// The old documents of a store: its own ones, or the consolidated ones if it does not have any. The store must outlive
/// them.
class OldDocuments {
 public:
  /// Throws Error(unsupported) for references in Parquet files.
  explicit OldDocuments(const Store& store);

  const Store& store() const { return store_; }
  bool consolidated() const { return consolidated_ != nullptr; }
  bool Has(std::string_view path, std::string_view name) const;
  std::optional<JsonNode> Find(std::string_view path, std::string_view name) const;
  /// Returns the paths of the nodes in the consolidated metadata.
  std::vector<std::string> GetPaths() const;

 private:
  const Store& store_;
  std::shared_ptr<const ConsolidatedMetadata> consolidated_;
};

struct OldNode {
  std::string path;
  bool v2_array = false;
  bool v2_group = false;
  bool v3 = false;
  bool outside = false;  ///< True if it is reached through a link out of the store.

  bool v2() const { return v2_array || v2_group; }
};

struct OldNodes {
  std::vector<OldNode> all;  ///< A node precedes the group that contains it.
  std::vector<std::string> v1_arrays;

  bool has_v2() const;
  bool has_v3() const;
};

/// Returns the nodes that the store lists, and those of its consolidated metadata. A folder without metadata is not a
/// node, and its content does not belong to the store. Throws Error(unsupported) for a folder that cannot be listed.
OldNodes FindOldNodes(const OldDocuments& old);

/// Rejects the draft of v3, which uses the key of v3's root document for its entry point: the two cannot be in one
/// store.
void CheckNoDraft(const Store& store);

/// Adds the files that GDAL has put next to an array's old document, and their names next to the new one. They are on
/// local disks only; elsewhere, a listing with the chunks may take many requests.
void AddSideFiles(const Store& store, std::string_view path, std::string_view old, std::string_view newer,
                  std::vector<MigrationPlan::SideFile>* files);

}  // namespace zarr
