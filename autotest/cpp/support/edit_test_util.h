// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string_view>

#include "zarrlib/hierarchy/editable_hierarchy.h"

namespace zarr::test {

/// Replaces the attributes of a node.
inline void SetAttributes(EditableHierarchy& hierarchy, std::string_view path, const JsonNode& attributes) {
  hierarchy.EditAttributes(path, [&](const JsonNode&) { return attributes; });
}

/// Replaces an array's metadata, whatever they are now.
inline std::shared_ptr<const Array> UpdateArray(EditableHierarchy& hierarchy, std::string_view path,
                                                const ArrayMetadata& metadata) {
  return hierarchy.UpdateArray(path, hierarchy.OpenPresentArray(path)->metadata(), metadata);
}

}  // namespace zarr::test
