#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/metadata/consolidated.h"
#include "zarrlib/store/store.h"

namespace zarr::tools {

/// The consolidated metadata of one group, in one format, beside the documents that they repeat.
class ConsolidatedCheck {
 public:
  /// Those of v3 or v2 at a path; nothing if there are none. Throws Error for what cannot be read.
  static std::optional<ConsolidatedCheck> Of(const Store& store, std::string_view group, bool v3);

  /// A document that they name, by its key in the store, and what is wrong with that; empty if it is not there at all.
  struct Difference {
    std::string key;
    std::string what;
  };
  std::vector<Difference> Compare() const;
  /// Whether they name the node at a path of the store, which is in the group.
  bool Names(std::string_view path) const;
  /// The key that they stand at.
  const std::string& key() const { return key_; }

 private:
  ConsolidatedCheck(const Store& store, std::string_view group, bool v3);
  std::optional<std::string> CompareOne(const std::string& name, const JsonNode& listed, const JsonNode& stored) const;

  const Store* store_;
  std::string group_;
  bool v3_;
  std::string key_;
  std::shared_ptr<const ConsolidatedMetadata> consolidated_;
};

}  // namespace zarr::tools
