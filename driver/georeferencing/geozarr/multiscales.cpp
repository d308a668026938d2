// SPDX-License-Identifier: MIT
#include "driver/georeferencing/geozarr/multiscales.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "driver/dataset/shared_resource.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

constexpr std::size_t kMostLevels = 4096;          // of all arrays
constexpr std::size_t kMostLevelsOfOneArray = 64;  // each level costs a store lookup

struct Renamed {
  const char* before;
  const char* now;
};

constexpr Renamed kRenamed[] = {{"group", "asset"}, {"from_group", "derived_from"}};
constexpr const char* kMembersOfTransform[] = {"scale", "translation"};

/// Converts a draft's entry to the current form.
JsonNode ModernizeEntry(const JsonNode& entry) {
  JsonNode result = entry;
  for (const auto& [before, now] : kRenamed) {
    const auto value = entry.Find(before);
    if (value && !entry.Find(now)) result = CopyWithMember(CopyWithoutMember(result, before), now, *value);
  }
  for (const char* name : kMembersOfTransform) {
    const auto value = entry.Find(name);
    if (!value) continue;
    const JsonNode transform = result.Find("transform").value_or(JsonNode());
    result = CopyWithoutMember(result, name);
    if (transform.IsObject() && transform.Has(name)) continue;
    result = CopyWithMember(result, "transform", CopyWithMember(transform, name, *value));
  }
  return result;
}

/// Returns true if a level's entry declares that its pixels have the size of its source's, like the base of a pyramid.
bool HasScaleOne(const JsonNode& entry) {
  const auto transform = FindMember(entry, "transform");
  const auto scale = transform ? FindMember(*transform, "scale") : std::nullopt;
  if (!scale || !scale->IsArray()) return false;
  const auto items = scale->GetItems();
  return std::all_of(items.begin(), items.end(), [](const JsonNode& i) { return i.IsNumber() && i.AsDouble() == 1; });
}

/// Finds the first level of each chain of `derived_from`.
class Roots {
 public:
  explicit Roots(const std::vector<PyramidLevel>& levels) {
    std::unordered_set<std::string> named;
    for (const PyramidLevel& level : levels) {
      sources_.emplace(level.asset, level.derived_from);
      if (!level.derived_from.empty()) named.insert(level.derived_from);
    }
    for (const PyramidLevel& level : levels) {
      if (&level != &levels.front() && named.contains(level.asset) && HasScaleOne(level.entry)) {
        bases_.insert(level.asset);
      }
    }
  }

  /// Returns "" for the pyramid of the layout's first array. All levels without a `derived_from` belong to it, except
  /// those of scale 1 that other levels are derived from.
  std::string Find(const PyramidLevel& level) const {
    std::string asset = level.asset;
    for (std::size_t i = 0; i <= kMostLevelsOfOneArray; ++i) {
      const auto source = sources_.find(asset);
      if (source == sources_.end()) return asset;
      if (source->second.empty()) return bases_.contains(asset) ? asset : "";
      asset = source->second;
    }
    return "";
  }

 private:
  std::unordered_map<std::string, std::string> sources_;
  std::unordered_set<std::string> bases_;  // of the other pyramids
};

/// Finds the pyramid of an array: it, or its group, is a level, or the source of levels.
std::string FindRootFor(const std::vector<PyramidLevel>& levels, const Roots& roots, const std::string& array) {
  for (const std::string& path : {array, GetParentPath(array)}) {
    if (path.empty()) continue;
    for (const PyramidLevel& level : levels) {
      if (level.asset == path) return roots.Find(level);
    }
    for (const PyramidLevel& level : levels) {
      if (level.derived_from == path) return roots.Find(level);
    }
  }
  return "";
}

}  // namespace

std::string ParseChildPath(const JsonNode& asset) {
  std::string_view path = asset.AsString();
  while (path.starts_with("./")) path.remove_prefix(2);
  while (path.ends_with('/')) path.remove_suffix(1);
  for (std::string_view rest = path;;) {
    const std::size_t slash = rest.find('/');
    if (!IsNodeName(rest.substr(0, slash))) asset.FailExpected("the path of a node below the group");
    if (slash == std::string_view::npos) return std::string(path);
    rest.remove_prefix(slash + 1);
  }
}

PyramidLevel ReadLevel(const JsonNode& entry) {
  PyramidLevel level{"", "", entry.IsObject() ? ModernizeEntry(entry) : entry};
  level.asset = ParseChildPath(level.entry.At("asset"));
  const auto source = level.entry.Find("derived_from");
  if (source && !source->IsNull()) level.derived_from = ParseChildPath(*source);
  return level;
}

std::string FindText(const JsonNode& entry, const char* name) {
  const auto text = FindMember(entry, name);
  return text && text->IsString() ? text->AsString() : "";
}

std::vector<PyramidLevel> ReadLayout(const JsonNode& multiscales) {
  const JsonNode layout = multiscales.At("layout");
  const auto method = multiscales.Find(kResamplingMember);
  if (!layout.IsArray() || layout.size() > kMostLevels) {
    layout.FailExpected("a list of at most " + std::to_string(kMostLevels) + " levels");
  }
  std::vector<PyramidLevel> levels;
  for (const JsonNode& entry : layout.GetItems()) {
    PyramidLevel& level = levels.emplace_back(ReadLevel(entry));
    const bool lacks_method = !level.derived_from.empty() && !level.entry.Has(kResamplingMember);
    if (method && lacks_method) level.entry = CopyWithMember(level.entry, kResamplingMember, *method);
  }
  return levels;
}

std::vector<std::string> FindRoots(const std::vector<PyramidLevel>& levels) {
  const Roots roots(levels);
  std::vector<std::string> found;
  for (const PyramidLevel& level : levels) found.push_back(roots.Find(level));
  return found;
}

std::vector<PyramidLevel> FindLevelsOf(const std::vector<PyramidLevel>& levels, const std::string& array) {
  const Roots roots(levels);
  const std::string root = FindRootFor(levels, roots, array);
  std::vector<PyramidLevel> result;
  const auto is_root = [&root](const PyramidLevel& level) { return level.asset == root; };
  if (!root.empty() && std::none_of(levels.begin(), levels.end(), is_root)) result.push_back({root, "", JsonNode()});
  for (const PyramidLevel& level : levels) {
    if (roots.Find(level) != root) continue;
    if (result.size() == kMostLevelsOfOneArray) {
      level.entry.Fail(zarr::ErrorKind::kLimitExceeded,
                       "an array with more than " + std::to_string(kMostLevelsOfOneArray) + " levels");
    }
    result.push_back(level);
  }
  return result;
}

}  // namespace gdal_zarr
