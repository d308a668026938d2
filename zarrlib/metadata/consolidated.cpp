#include "zarrlib/metadata/consolidated.h"

#include <algorithm>
#include <mutex>
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

std::shared_ptr<ConsolidatedMetadata> ConsolidatedMetadata::FromV2(const JsonNode& zmetadata) {
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

std::shared_ptr<ConsolidatedMetadata> ConsolidatedMetadata::FromV3(const JsonNode& metadata, const JsonNode& root) {
  auto consolidated = std::make_shared<ConsolidatedMetadata>();
  for (auto& [path, document] : metadata.Members()) {
    if (IsPath(path)) consolidated->documents_.insert_or_assign(path + "/zarr.json", document);
  }
  consolidated->documents_.insert_or_assign("zarr.json", root);
  return consolidated;
}

std::optional<JsonNode> ConsolidatedMetadata::Find(std::string_view key) const {
  const std::shared_lock lock(documents_mutex_);
  const auto entry = documents_.find(key);
  if (entry == documents_.end()) return std::nullopt;
  return entry->second;
}

std::vector<std::string> ConsolidatedMetadata::Children(std::string_view path) const {
  const std::string prefix = path.empty() ? "" : std::string(path) + "/";
  std::set<std::string> names;
  const std::shared_lock lock(documents_mutex_);
  for (auto entry = documents_.lower_bound(prefix); entry != documents_.end(); ++entry) {
    if (!entry->first.starts_with(prefix)) break;
    const std::string_view rest = std::string_view(entry->first).substr(prefix.size());
    const std::size_t slash = rest.find('/');
    if (slash != std::string_view::npos) names.insert(std::string(rest.substr(0, slash)));
  }
  return {names.begin(), names.end()};
}

std::vector<std::string> ConsolidatedMetadata::Keys() const {
  const std::shared_lock lock(documents_mutex_);
  std::vector<std::string> keys;
  for (const auto& [key, document] : documents_) keys.push_back(key);
  return keys;
}

void ConsolidatedMetadata::Set(std::string_view key, JsonNode document) {
  const std::unique_lock lock(documents_mutex_);
  documents_.insert_or_assign(std::string(key), std::move(document));
}

void ConsolidatedMetadata::Erase(std::string_view key) {
  const std::unique_lock lock(documents_mutex_);
  documents_.erase(std::string(key));
}

void ConsolidatedMetadata::EraseNode(std::string_view path) {
  const std::string prefix = std::string(path) + "/";
  const std::unique_lock lock(documents_mutex_);
  std::erase_if(documents_, [&](const auto& entry) { return entry.first.starts_with(prefix); });
}

void ConsolidatedMetadata::MoveNode(std::string_view from, std::string_view to) {
  const std::string prefix = std::string(from) + "/";
  const std::unique_lock lock(documents_mutex_);
  // What is moved cannot come again: `to` is not below `from`.
  for (auto entry = documents_.lower_bound(prefix); entry != documents_.end() && entry->first.starts_with(prefix);) {
    auto node = documents_.extract(entry++);
    node.key() = std::string(to) + "/" + node.key().substr(prefix.size());
    documents_.insert(std::move(node));
  }
}

}  // namespace zarr
