// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/tools/commands.h"

namespace zarr::tools {

/// An array that is copied.
struct CopiedArray {
  std::shared_ptr<const Array> from;
  /// The new metadata; nothing if chunks are copied as they are stored.
  std::optional<ArrayMetadata> to;
};

/// What is to be copied.
struct CopyPlan {
  std::vector<CopiedArray> arrays;
  std::vector<std::string> groups;  ///< Their paths; a group comes before those in it.
  std::set<std::string> nodes;      ///< The paths of all arrays and groups.
  bool has_consolidated = false;    ///< Whether the root has consolidated metadata.
  bool v3 = false;
  /// The texts of all documents, by their keys, as they were when the copy was planned.
  std::map<std::string, std::string> documents;

  /// A checksum of all documents: an unfinished copy of another state of the source is not continued.
  std::uint32_t state() const;

  bool changes_any() const;
};

/// Plans the copy of a store of v2 or v3. Reads all metadata, and no chunk. Throws Error: unsupported for stores of
/// other versions, for those whose nodes nothing tells, and for what cannot be changed; UsageError for chunks that do
/// not fit, and for a rule that counts for no array.
CopyPlan PlanCopy(const std::shared_ptr<Store>& source, const CopyOptions& options);

/// Throws Error(io) if a document of the source is no longer as it was when the copy was planned.
void CheckUnchanged(const Store& source, const CopyPlan& plan);

}  // namespace zarr::tools
