#include "zarrlib/metadata/consolidated.h"

#include <algorithm>
#include <set>

namespace zarr {
namespace {

/// Whether `path` is one that a key can start with: no empty segments, no "." or "..".
bool IsPath(std::string_view path) {
  while (true) {
    const std::size_t slash = path.find('/');
    const std::string_view segment = path.substr(0, slash);
    if (segment.empty() || segment == "." || segment == "..") return false;
    if (slash == std::string_view::npos) return true;
    path.remove_prefix(slash + 1);
  }
}

}  // namespace

std::shared_ptr<const ConsolidatedMetadata> ConsolidatedMetadata::FromV2(const JsonNode& zmetadata) {
  auto consolidated = std::make_shared<ConsolidatedMetadata>();
  const JsonNode format = zmetadata.At("zarr_consolidated_format");
  if (format != JsonNode::MakeInteger(1)) {
    format.Fail(ErrorKind::kUnsupported, ExpectedGot("zarr_consolidated_format 1", format.Excerpt()));
  }
  for (auto& [key, document] : zmetadata.At("metadata").Members()) {
    if (IsPath(key)) consolidated->documents_.insert_or_assign(key, document);
  }
  return consolidated;
}

std::shared_ptr<const ConsolidatedMetadata> ConsolidatedMetadata::FromV3(const JsonNode& metadata,
                                                                         const JsonNode& root) {
  auto consolidated = std::make_shared<ConsolidatedMetadata>();
  for (auto& [path, document] : metadata.Members()) {
    if (IsPath(path)) consolidated->documents_.insert_or_assign(path + "/zarr.json", document);
  }
  consolidated->documents_.insert_or_assign("zarr.json", root);
  return consolidated;
}

std::optional<JsonNode> ConsolidatedMetadata::Find(std::string_view key) const {
  const auto entry = documents_.find(key);
  if (entry == documents_.end()) return std::nullopt;
  return entry->second;
}

std::vector<std::string> ConsolidatedMetadata::Children(std::string_view path) const {
  const std::string prefix = path.empty() ? "" : std::string(path) + "/";
  std::set<std::string> names;
  for (auto entry = documents_.lower_bound(prefix); entry != documents_.end(); ++entry) {
    if (!entry->first.starts_with(prefix)) break;
    const std::string_view rest = std::string_view(entry->first).substr(prefix.size());
    const std::size_t slash = rest.find('/');
    if (slash != std::string_view::npos) names.insert(std::string(rest.substr(0, slash)));
  }
  return {names.begin(), names.end()};
}

}  // namespace zarr
