// SPDX-License-Identifier: MIT
#include "driver/stores/store_root.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/gdal/option_values.h"
#include "driver/stores/document_store.h"
#include "driver/stores/http/object_url.h"
#include "driver/stores/store_factory.h"
#include "driver/stores/vsi/vsi_store.h"
#include "driver/stores/zip_archive_writer.h"
#include "zarrlib/hierarchy/editing/waiting_changes.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/store/files/path_text.h"
#include "zarrlib/store/store_folders.h"
#include "zarrlib/store/store_requests.h"

namespace gdal_zarr {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLevels = 32;

/// A folder, and the name of its subfolder from which the search came.
struct Step {
  std::string folder;
  std::string name;
};

bool IsNamedAsStore(std::string_view folder) {
  constexpr std::string_view kEnding = ".zarr";
  if (folder.starts_with("/vsicurl/http")) folder = folder.substr(0, folder.find('?'));
  return folder.size() >= kEnding.size() && IsEqualIgnoringCase(folder.substr(folder.size() - kEnding.size()), kEnding);
}

bool IsRootOfArchive(const std::string& path) {
  try {
    const auto zip = SplitZipPath(path);
    return zip && zip->folder.empty();
  } catch (const zarr::Error&) {
    return true;
  }
}

/// Returns nullopt above a server, a bucket, an archive, or a top-level folder in memory.
std::optional<Step> StepUpVirtual(const std::string& path) {
  const std::size_t query = path.starts_with("/vsicurl/http") ? path.find('?') : std::string::npos;
  const std::string_view plain = std::string_view(path).substr(0, query);
  const std::size_t slash = plain.rfind('/');
  const bool has_folder = slash > 0 && plain[slash - 1] != '/' && plain.substr(0, slash).find('/', 1) != plain.npos;
  if (!has_folder || plain.find('?') != plain.npos || IsRootOfArchive(path)) return std::nullopt;
  const std::string behind = query == std::string::npos ? "" : path.substr(query);
  std::string name(plain.substr(slash + 1));
  if (path.starts_with("/vsicurl/")) name = DecodeUrl(name);
  if (name.find('/') != name.npos) return std::nullopt;
  return Step{std::string(plain.substr(0, slash)) + behind, std::move(name)};
}

/// Uses the names in the path if possible, so that symbolic links do not matter.
std::optional<Step> StepUpLocal(const std::string& path) {
  const fs::path given = zarr::ToPath(path);
  fs::path whole = given;
  const bool untold = whole.parent_path().empty() || whole.filename() == "." || whole.filename() == "..";
  if (untold) {
    std::error_code error;
    whole = fs::absolute(whole, error).lexically_normal();
    if (!whole.has_filename()) whole = whole.parent_path();
    if (error || !fs::equivalent(whole, given, error)) return std::nullopt;
  }
  if (whole.filename().empty() || whole == whole.root_path()) return std::nullopt;
  return Step{zarr::ToText(whole.parent_path()), zarr::ToText(whole.filename())};
}

std::optional<Step> StepUp(const std::string& path) {
  return path.starts_with("/vsi") ? StepUpVirtual(path) : StepUpLocal(path);
}

/// Returns true if a store has a document. In a remote store, returns false if the server denies access, as many do
/// above the stores that they offer.
bool HasDocument(const zarr::Store& store, const std::string& key) {
  try {
    return store.Exists(key);
  } catch (const zarr::Error& error) {
    if (error.kind() != zarr::ErrorKind::kIo) return false;
    const bool on_network = LeadsToNetwork(store.name());
    const bool is_folder = !on_network && zarr::GetEntryKind(store, key) == zarr::EntryKind::kFolder;
    if (!is_folder && !error.is_refusal()) throw;
    return false;
  }
}

/// Lists the steps up from a folder, to a folder named like a store or to the top.
std::vector<Step> ListStepsUp(const std::string& folder) {
  std::vector<Step> steps;
  std::string path = folder;
  while (steps.size() < kMostLevels) {
    auto step = StepUp(path);
    if (!step) break;
    path = step->folder;
    steps.push_back(*std::move(step));
    if (IsNamedAsStore(path)) break;
  }
  return steps;
}

/// The folders above a node. Each step can be checked for a group document.
class FoldersAbove {
 public:
  FoldersAbove(std::string folder, const zarr::Hierarchy& node, const Opening* opening)
      : folder_(std::move(folder)), node_(node), opening_(opening), steps_(ListStepsUp(folder_)) {}

  const std::vector<Step>& steps() const { return steps_; }
  /// Call this for the steps in order.
  bool IsGroup(std::size_t step) {
    const std::string document(is_v3() ? zarr::kV3Document : zarr::kV2Group);
    if (!opening_ || !IsWebPath(folder_)) return HasDocument(*MakeStore(steps_[step].folder), document);
    if (step == asked_) AskNext();
    return HasDocument(*store_, zarr::JoinKey(GetPathBelow(step), document));
  }

 private:
  bool is_v3() const { return node_.format() == zarr::ZarrFormat::kV3; }

  /// Returns the path of a step's folder relative to the last requested folder. SIZE_MAX is the step before the first
  /// one: the node itself.
  std::string GetPathBelow(std::size_t step) const {
    std::string path;
    for (std::size_t i = step + 1; i < asked_; ++i) path = zarr::JoinKey(steps_[i].name, path);
    while (path.ends_with('/')) path.pop_back();
    return path;
  }

  void AskNext() {
    const bool is_named = IsNamedAsStore(steps_.back().folder);
    const std::size_t first = asked_;
    asked_ = is_named ? steps_.size() : asked_ + 1;
    // "/" is not the name of an array, so that this does not count as an opening of the store.
    store_ = OpenStoreForReading(steps_[asked_ - 1].folder, {"/", opening_->began});
    std::vector<std::string> keys;
    const auto add = [&](const std::string& path, std::initializer_list<std::string_view> names) {
      for (const std::string_view name : names) keys.push_back(zarr::JoinKey(path, name));
    };
    for (std::size_t i = first; i < asked_; ++i) {
      if (is_v3()) add(GetPathBelow(i), {zarr::kV3Document});
      if (!is_v3()) add(GetPathBelow(i), {zarr::kV2Group});
    }
    // The last one is likely to be the store's root.
    if (!is_v3() && is_named) add("", {zarr::kV3Document, zarr::kV2Consolidated});
    if (first == 0 && opening_->array && zarr::IsKey(*opening_->array)) {
      const std::string array = zarr::JoinKey(GetPathBelow(SIZE_MAX), *opening_->array);
      if (is_v3()) add(array, {zarr::kV3Document});
      if (!is_v3()) add(array, {zarr::kV2Array, zarr::kV2Attributes});
    }
    zarr::Prefetch(*store_, keys, {});
  }

  const std::string folder_;
  const zarr::Hierarchy& node_;
  const Opening* const opening_;
  const std::vector<Step> steps_;
  std::size_t asked_ = 0;  // number of requested steps
  std::shared_ptr<zarr::Store> store_;
};

/// Returns true if a folder is a store's root, judged by names and by the node.
bool IsStore(const std::string& folder, const zarr::Hierarchy& node, const std::vector<Step>& steps) {
  const bool is_named = IsNamedAsStore(folder);
  if (!LeadsToNetwork(folder)) return is_named && node.Probe("") == zarr::NodeKind::kGroup;
  if (is_named || node.consolidated()) return true;
  // An array's coordinates are in its parent. A group has its own, unless a name shows that it is part of a store.
  const bool is_in_store = !steps.empty() && IsNamedAsStore(steps.back().folder);
  return !is_in_store && node.Probe("") == zarr::NodeKind::kGroup;
}

/// How a folder without documents between groups of a store is treated.
enum class Gaps { kEnd, kSkip };

/// Returns how many consecutive folders may lack documents, unless a name marks the root of the store.
std::size_t GetMostGaps(const std::string& folder, const std::vector<Step>& steps, Gaps gaps) {
  constexpr std::size_t kMostGaps = 8;
  if (gaps == Gaps::kEnd) return 0;
  if (!steps.empty() && IsNamedAsStore(steps.back().folder)) return kMostLevels;
  return LeadsToNetwork(folder) ? 0 : kMostGaps;
}

/// `may_be_store`: whether the folder itself may look like a store's root.
std::optional<PlaceInStore> FindRoot(const std::string& folder, const zarr::Hierarchy& node, const Opening* opening,
                                     Gaps gaps, bool may_be_store = false) {
  if (node.format() != zarr::ZarrFormat::kV2 && node.format() != zarr::ZarrFormat::kV3) return std::nullopt;
  FoldersAbove above(folder, node, opening);
  const std::vector<Step>& steps = above.steps();
  if (!may_be_store && IsStore(folder, node, steps)) return std::nullopt;
  const std::size_t most = GetMostGaps(folder, steps, gaps);
  PlaceInStore place{folder, "", node.format()};
  std::string path;  // of the node, relative to the step's folder
  std::size_t skipped = 0;
  for (std::size_t i = 0; i < steps.size() && skipped <= most; ++i) {
    path = zarr::JoinKey(steps[i].name, path);
    while (path.ends_with('/')) path.pop_back();
    const bool is_named = most > 0 && IsNamedAsStore(steps[i].folder) && !LeadsToNetwork(folder);
    const bool is_group = above.IsGroup(i);
    if (is_group || is_named) place = {steps[i].folder, path, node.format()};
    skipped = is_group ? 0 : skipped + 1;
  }
  return place.node.empty() ? std::nullopt : std::optional(std::move(place));
}

}  // namespace

std::optional<PlaceInStore> FindStoreRoot(const std::string& folder, const zarr::Hierarchy& node,
                                          const Opening* opening) {
  return FindRoot(folder, node, opening, Gaps::kEnd);
}

std::optional<PlaceInStore> FindStoreRootAcrossGaps(const std::string& folder, const zarr::Hierarchy& node,
                                                    const Opening* opening) {
  return FindRoot(folder, node, opening, Gaps::kSkip);
}

std::optional<PlaceInStore> FindLargerStore(const std::string& folder, const zarr::Hierarchy& node) {
  return FindRoot(folder, node, nullptr, Gaps::kSkip, !LeadsToNetwork(folder));
}

bool UpdateConsolidatedAbove(const std::string& folder, const zarr::Hierarchy& node,
                             const std::vector<std::string>& changed) {
  const auto place = FindLargerStore(folder, node);
  const auto kind = place ? node.Probe("") : std::nullopt;
  return kind && UpdateConsolidated(*place, changed, kind);
}

bool UpdateConsolidated(const PlaceInStore& place, const std::vector<std::string>& changed,
                        std::optional<zarr::NodeKind> node_kind) {
  zarr::HierarchyOptions options;
  options.use_consolidated = false;
  const std::shared_ptr<zarr::Store> store = OpenStoreForUpdate(place.store, {});
  // In a remote store, a lookup would only ask for the node's documents again.
  const bool is_cheap = !store->info().is_on_network();
  // A folder may only be called like a store.
  const auto is_there = [&](std::string_view document) { return store->Exists(document); };
  if (is_cheap && std::ranges::none_of(zarr::kOwnRootDocuments, is_there)) return false;
  const auto above = OpenForChange(store, options);
  if (above->format() != place.node_format) return false;
  if (node_kind && is_cheap && above->ProbeListed(place.node) != node_kind) return false;
  return above->waiting().UpdateConsolidated(place.node, changed);
}

}  // namespace gdal_zarr
