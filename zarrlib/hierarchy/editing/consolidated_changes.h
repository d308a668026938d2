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

/// The changes of one hierarchy that the stored consolidated metadata do not have yet. They are made there in the
/// present state, so that the changes of other processes stay.
class ConsolidatedChanges {
 public:
  /// A document that is put, or, without content, erased.
  void Set(const std::string& key, std::optional<JsonNode> document);
  /// A node that is removed with all below it.
  void EraseNode(std::string_view path);

  const std::map<std::string, std::optional<JsonNode>>& documents() const { return documents_; }
  void ApplyTo(ConsolidatedMetadata* consolidated) const;
  void Clear();

 private:
  std::set<std::string> erased_nodes_;                        // before `documents_` were set
  std::map<std::string, std::optional<JsonNode>> documents_;  // by key
};

}  // namespace zarr
