// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/consolidated.h"

namespace zarr {

/// The changes of one hierarchy that are not in the stored consolidated metadata yet. They are applied to the present
/// state, so that changes of other processes are kept.
class ConsolidatedChanges {
 public:
  /// Records a document that is written, or, without content, erased.
  void Set(const std::string& key, std::optional<JsonNode> document);
  /// Records a node that is removed with its descendants.
  void EraseNode(std::string_view path);

  const std::map<std::string, std::optional<JsonNode>>& documents() const { return documents_; }
  void ApplyTo(ConsolidatedMetadata* consolidated) const;
  void Clear();

 private:
  std::set<std::string> erased_nodes_;                        // before `documents_` were set
  std::map<std::string, std::optional<JsonNode>> documents_;  // by key
};

}  // namespace zarr
