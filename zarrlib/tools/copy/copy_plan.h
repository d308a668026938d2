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

struct CopiedArray {
  std::shared_ptr<const Array> from;
  /// The new metadata; nullopt if chunks are copied as stored.
  std::optional<ArrayMetadata> to;
};

/// The content of a copy.
struct CopyPlan {
  std::vector<CopiedArray> arrays;
  std::vector<std::string> groups;  ///< Their paths, each before the paths in it.
  std::set<std::string> nodes;      ///< The paths of all arrays and groups.
  /// The paths of the groups that have consolidated metadata.
  std::vector<std::string> consolidated;
  bool v3 = false;
  /// The text of all documents, by their keys, at the time when the copy was planned.
  std::map<std::string, std::string> documents;

  /// Returns a checksum of all documents: an unfinished copy of another state of the source is not continued.
  std::uint32_t state() const;

  bool changes_any() const;
};

/// Plans the copy of a store of v2 or v3. Reads all metadata, but no chunks. Throws Error: unsupported for stores of
/// other versions, for stores whose nodes are unknown, and for impossible changes; UsageError for chunks that do not
/// fit, and for a rule that does not apply to any array.
CopyPlan PlanCopy(const std::shared_ptr<Store>& source, const CopyOptions& options);

/// Throws Error(io) if a document of the source has changed since the copy was planned.
void CheckUnchanged(const Store& source, const CopyPlan& plan);

}  // namespace zarr::tools
