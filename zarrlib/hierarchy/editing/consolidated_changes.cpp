// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/editing/consolidated_changes.h"

#include <utility>

namespace zarr {

void ConsolidatedChanges::Set(const std::string& key, std::optional<JsonNode> document) {
  documents_[key] = std::move(document);
}

void ConsolidatedChanges::EraseNode(std::string_view path) {
  const std::string prefix = std::string(path) + "/";
  std::erase_if(documents_, [&](const auto& entry) { return entry.first.starts_with(prefix); });
  erased_nodes_.emplace(path);
}

void ConsolidatedChanges::ApplyTo(ConsolidatedMetadata* consolidated) const {
  for (const std::string& path : erased_nodes_) consolidated->EraseNode(path);
  for (const auto& [key, document] : documents_) {
    document ? consolidated->Set(key, *document) : consolidated->Erase(key);
  }
}

void ConsolidatedChanges::Clear() {
  erased_nodes_.clear();
  documents_.clear();
}

}  // namespace zarr
