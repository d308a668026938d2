// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/metadata/consolidated.h"
#include "zarrlib/store/store.h"

namespace zarr::tools {

/// Compares the consolidated metadata of one group, in one format, with the documents that they repeat.
class ConsolidatedCheck {
 public:
  /// Reads the v3 or v2 consolidated metadata at a path; returns nullopt if there are none. Throws Error if they are
  /// unreadable.
  static std::optional<ConsolidatedCheck> Make(const Store& store, std::string_view group, bool v3);

  /// A document, by its key in the store, and how it differs; `what` is empty if the store does not have the document.
  struct Difference {
    std::string key;
    std::string what;
    bool readable = true;  ///< True if the store's document is readable and valid; false if it is absent.
  };
  std::vector<Difference> Compare() const;
  /// Returns true if the consolidated metadata list the node at a path of the store, which is inside the group.
  bool Names(std::string_view path) const;
  /// Returns the key of the consolidated metadata.
  const std::string& key() const { return key_; }

 private:
  ConsolidatedCheck(const Store& store, std::string_view group, bool v3);
  std::optional<Difference> CompareOne(const std::string& name, const std::string& key) const;
  std::optional<std::string> FindDifferenceOf(const std::string& name, const JsonNode& listed,
                                              const JsonNode& stored) const;

  const Store* store_;
  std::string group_;
  bool v3_;
  std::string key_;
  std::shared_ptr<const ConsolidatedMetadata> consolidated_;
};

/// Returns true if no information is lost when the listed document is replaced by the store's document: the latter is
/// valid, or it is absent and its folder is empty.
bool IsNothingLost(const Store& store, const ConsolidatedCheck::Difference& difference);

}  // namespace zarr::tools
