// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/tools/zarrkit.h"

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
  bool has_consolidated = false;    ///< Whether the root has consolidated metadata.
  bool v3 = false;
  /// A checksum of all documents: an unfinished copy of another state of the source is not continued.
  std::uint32_t state = 0;

  bool changes_any() const;
};

/// Plans the copy of a store of v2 or v3. Reads all metadata, and no chunk. Throws Error: unsupported for stores of
/// other versions, and for what cannot be changed; invalid_argument for chunks that do not fit, and for a rule that
/// matches no array.
CopyPlan PlanCopy(const std::shared_ptr<Store>& source, const CopyOptions& options);

}  // namespace zarr::tools
