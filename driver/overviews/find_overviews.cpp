// SPDX-License-Identifier: MIT
#include "driver/overviews/find_overviews.h"

#include <algorithm>
#include <functional>
#include <string>

#include "driver/cf/unsigned_attribute.h"
#include "driver/dataset/attribute_names.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/georeferencing/geozarr/conventions_list.h"
#include "driver/georeferencing/geozarr/multiscales.h"
#include "driver/overviews/level_entry.h"
#include "driver/overviews/level_groups.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;
using ArrayPtr = std::shared_ptr<const zarr::Array>;

// Each level costs a lookup in the store.
constexpr std::size_t kMostLevels = 64;

/// A level as declared by a group, and its array if it exists.
struct DeclaredLevel {
  std::string path;
  JsonNode entry;  ///< In GeoZarr's layout; null if there is none.
  ArrayPtr array = nullptr;
};

bool HasPath(const std::vector<DeclaredLevel>& levels, const std::string& path) {
  return std::ranges::find(levels, path, &DeclaredLevel::path) != levels.end();
}

bool HasLayout(const JsonNode& attributes) {
  return attributes.IsObject() && attributes.Has(kMultiscalesAttribute) && Declares(attributes, kMultiscalesConvention);
}

/// Reads the levels of OME-NGFF.
std::vector<DeclaredLevel> ReadNgffLevels(const JsonNode& levels, const std::string& group) {
  if (!levels.IsArray() || levels.size() > kMostLevels) {
    levels.FailExpected("a list of at most " + std::to_string(kMostLevels) + " levels");
  }
  std::vector<DeclaredLevel> read;
  for (const JsonNode& level : levels.GetItems()) {
    read.push_back({zarr::JoinKey(group, ParseChildPath(level.At("path"))), JsonNode()});
  }
  return read;
}

/// Reads the pyramid that contains the array from OME-NGFF's list of images. The list is a separate attribute up to
/// version 0.4, and part of `ome` later. The pyramids of ndpyramid have such a list of groups, the coarsest first.
std::vector<DeclaredLevel> ReadNgff(const JsonNode& attributes, const std::string& group, const std::string& array) {
  const auto ome = attributes.Find("ome");
  const auto images = (ome && ome->IsObject() ? *ome : attributes).Find("multiscales");
  if (!images || !images->IsArray()) return {};
  for (const JsonNode& image : images->GetItems()) {
    std::vector<DeclaredLevel> levels = ReadNgffLevels(image.At("datasets"), group);
    if (HasPath(levels, array) || HasPath(levels, GetParentPath(array))) return levels;
  }
  return {};
}

/// Warns of levels derived from a node that does not exist: they do not belong to any array.
void WarnOfLostLevels(SharedResource& resource, const std::string& group, const std::vector<PyramidLevel>& levels) {
  for (const PyramidLevel& level : levels) {
    const auto is_source = [&](const PyramidLevel& other) { return other.asset == level.derived_from; };
    if (level.derived_from.empty() || std::any_of(levels.begin(), levels.end(), is_source)) continue;
    if (resource.hierarchy().Probe(zarr::JoinKey(group, level.derived_from))) continue;
    resource.WarnOnce("The multiscales layout has a level that is ignored: " + level.asset + " is derived from " +
                      level.derived_from + ", which does not exist");
  }
}

/// Returns a group's levels, or an empty list if the group does not declare a convention. Throws zarr::Error.
std::vector<DeclaredLevel> FindDeclaredLevels(SharedResource& resource, const std::string& group,
                                              const std::string& array) {
  const JsonNode attributes = resource.finder().FindGroupAttributes(group);
  if (!attributes.IsObject()) return {};
  if (!HasLayout(attributes)) return ReadNgff(attributes, group, array);
  const std::string relative = group.empty() ? array : array.substr(group.size() + 1);
  std::vector<DeclaredLevel> levels;
  const std::vector<PyramidLevel> layout = ReadLayout(attributes.At(kMultiscalesAttribute));
  WarnOfLostLevels(resource, group, layout);
  for (const PyramidLevel& level : FindLevelsOf(layout, relative)) {
    levels.push_back({zarr::JoinKey(group, level.asset), level.entry});
  }
  // The layout may be that of other arrays of the group.
  const bool is_listed = HasPath(levels, array) || HasPath(levels, GetParentPath(array));
  std::vector<DeclaredLevel> ngff = is_listed ? std::vector<DeclaredLevel>() : ReadNgff(attributes, group, array);
  return ngff.empty() ? levels : ngff;
}

/// Opens the levels that correspond to an array, without the array itself.
std::vector<DeclaredLevel> FindLevelArrays(SharedResource& resource, const std::vector<DeclaredLevel>& levels,
                                           const std::string& group, const zarr::Array& array) {
  const std::string& path = array.path();
  const std::string name = GetNodeName(path);
  const bool is_level = HasPath(levels, path);
  // The group itself may contain the bases of several pyramids, of which GDAL's layout names only one. Coordinates next
  // to a base belong to it, but are not part of a pyramid.
  const bool is_beside_base = GetParentPath(path) == group && array.rank() >= 2;
  const bool is_in_level = is_beside_base || HasPath(levels, GetParentPath(path));
  std::vector<DeclaredLevel> found;
  for (const DeclaredLevel& level : levels) {
    if (level.path == path || level.path == GetParentPath(path)) continue;
    std::vector<std::string> paths;
    if (is_level) paths.push_back(level.path);
    if (is_in_level) paths.push_back(zarr::JoinKey(level.path, name));
    if (IsGroupForLevels(level.path)) std::reverse(paths.begin(), paths.end());  // the more likely one first
    FoundNode level_array;
    for (const std::string& candidate : paths) {
      if (!level_array.array && !level_array.broken) level_array = resource.finder().LookFor(candidate);
    }
    if (level_array.array) found.push_back({level.path, level.entry, std::move(level_array.array)});
  }
  return found;
}

bool IsSmaller(const zarr::Array& a, const zarr::Array& b) {
  if (a.rank() != b.rank() || !(GetShownType(a) == GetShownType(b)) || a.shape() == b.shape()) return false;
  return std::equal(a.shape().begin(), a.shape().end(), b.shape().begin(), std::less_equal<>());
}

/// Warns of a level that cannot be an overview of any array in its pyramid, nor have overviews there.
void WarnOfOtherKind(SharedResource& resource, const zarr::Array& level, const zarr::Array& array) {
  std::string reason;
  if (level.rank() != array.rank()) {
    reason = zarr::FormatExpectedGot(std::to_string(array.rank()) + " dimensions", std::to_string(level.rank()));
  } else if (!(GetShownType(level) == GetShownType(array))) {
    reason = "it has another data type";
  }
  if (reason.empty()) return;
  resource.WarnOnce("The multiscales layout has a level that is ignored: " + level.path() + " is no overview of " +
                    array.path() + ": " + reason);
}

/// Returns true if the source of a level has an array for this pyramid. In Sentinel-2 products, a band begins at its
/// own resolution, and the layout names the finest resolution of all bands.
bool HasSource(const DeclaredLevel& level, const std::vector<DeclaredLevel>& levels, const std::string& group,
               const std::string& array) {
  const auto source = level.entry.IsObject() ? level.entry.Find("derived_from") : std::nullopt;
  if (!source || source->IsNull()) return true;
  const std::string path = zarr::JoinKey(group, ParseChildPath(*source));
  return path == array || path == GetParentPath(array) || HasPath(levels, path);
}

/// Returns true if the layout describes the array of a level. It describes the rasters of a group, whose coordinates
/// have one axis, and may be integers in one level and fractions in the next.
bool Describes(const DeclaredLevel& level, const zarr::Array& array) {
  return array.rank() >= 2 || level.array->path() == level.path;
}

double CountElements(const FoundOverview& overview) {
  double count = 1;
  for (const std::uint64_t extent : overview.array->shape()) count *= static_cast<double>(extent);
  return count;
}

std::vector<FoundOverview> FindBelow(SharedResource& resource, const std::string& group, const zarr::Array& array) {
  const auto levels = FindLevelArrays(resource, FindDeclaredLevels(resource, group, array.path()), group, array);
  std::vector<ArrayPtr> sources = {resource.hierarchy().OpenArray(array.path())};
  for (const DeclaredLevel& level : levels) sources.push_back(level.array);
  std::vector<FoundOverview> found;
  for (const DeclaredLevel& level : levels) {
    const bool is_described = Describes(level, array);
    if (is_described) WarnOfOtherKind(resource, *level.array, array);
    if (!IsSmaller(*level.array, array)) continue;
    const bool has_source = HasSource(level, levels, group, array.path());
    if (is_described) {
      WarnOfWrongEntry(resource, level.entry, *level.array, has_source ? sources : std::vector<ArrayPtr>());
    }
    found.push_back({level.array, FindText(level.entry, kResamplingMember)});
  }
  std::ranges::stable_sort(found, std::greater<>(), CountElements);
  const auto same_path = [](const FoundOverview& a, const FoundOverview& b) {
    return a.array->path() == b.array->path();
  };
  found.erase(std::unique(found.begin(), found.end(), same_path), found.end());
  return found;
}

/// Returns the level that was not made from another one; the first, if there are several.
std::string FindBase(const std::vector<DeclaredLevel>& levels) {
  const auto is_made = [](const DeclaredLevel& level) {
    const auto source = level.entry.IsObject() ? level.entry.Find("derived_from") : std::nullopt;
    return source && !source->IsNull();
  };
  const auto base = std::ranges::find_if_not(levels, is_made);
  return base == levels.end() ? levels.front().path : base->path;
}

/// Returns the other levels of a list that does not tell what they were made from; none if one of them is larger.
std::vector<ArrayPtr> FindLevelsOfLargest(SharedResource& resource, const std::vector<DeclaredLevel>& levels,
                                          const std::string& group, const zarr::Array& array) {
  std::vector<ArrayPtr> found;
  for (const DeclaredLevel& level : FindLevelArrays(resource, levels, group, array)) {
    if (IsSmaller(array, *level.array)) return {};
    if (level.array->rank() == array.rank()) found.push_back(level.array);
  }
  return found;
}

/// Returns the overviews that a group declares of an array that is their base.
std::vector<ArrayPtr> FindLevelsOfBaseIn(SharedResource& resource, const std::string& group, const zarr::Array& array) {
  const std::vector<DeclaredLevel> levels = FindDeclaredLevels(resource, group, array.path());
  if (levels.empty()) return {};
  if (levels.front().entry.IsNull()) return FindLevelsOfLargest(resource, levels, group, array);
  const std::string base = FindBase(levels);
  const std::string parent = GetParentPath(array.path());
  const bool is_beside_base = parent == group && !HasPath(levels, array.path());
  const bool is_base = array.path() == base || parent == base || is_beside_base;
  if (!is_base && IsGroupForLevels(parent)) return {};
  std::vector<ArrayPtr> found;
  for (const DeclaredLevel& level : FindLevelArrays(resource, levels, group, array)) {
    if (!is_base && IsSmaller(array, *level.array)) return {};  // in Sentinel-2 products, see HasSource
    if (level.array->rank() == array.rank()) found.push_back(level.array);
  }
  return found;
}

/// Calls a function with the groups that may declare overviews of an array, until it returns true. Warns of an invalid
/// layout.
void ForEachGroup(SharedResource& resource, const zarr::Array& array,
                  const std::function<bool(const std::string& group)>& visit) {
  std::string group = array.path();
  for (int steps = 0; steps < kMostGroupsAbove && !group.empty(); ++steps) {
    group = GetParentPath(group);
    try {
      if (visit(group)) return;
    } catch (const zarr::Error& error) {
      if (error.kind() == zarr::ErrorKind::kIo) throw;
      resource.WarnOnce(std::string("Overviews are ignored: ") + error.what());
    }
  }
}

}  // namespace

std::vector<ArrayPtr> FindLevelsOfBase(SharedResource& resource, const zarr::Array& array) {
  std::vector<ArrayPtr> found;
  ForEachGroup(resource, array, [&](const std::string& group) {
    found = FindLevelsOfBaseIn(resource, group, array);
    return !found.empty();
  });
  return found;
}

bool DeclaresOverviews(SharedResource& resource, const std::string& group) {
  std::string above = group;
  for (int steps = 0; steps < kMostGroupsAbove; ++steps, above = GetParentPath(above)) {
    const JsonNode attributes = resource.finder().FindGroupAttributes(above);
    const bool declares = attributes.IsObject() && (attributes.Has(kMultiscalesAttribute) || attributes.Has("ome"));
    if (declares || above.empty()) return declares;
  }
  return false;
}

bool HasLevelsOfOthers(SharedResource& resource, const zarr::Array& array) {
  bool has_some = false;
  ForEachGroup(resource, array, [&](const std::string& group) {
    const bool is_found = !FindBelow(resource, group, array).empty();
    const bool is_own_group = group == GetParentPath(array.path());
    has_some = is_found && !(is_own_group && HasLayout(resource.finder().FindGroupAttributes(group)));
    return is_found;
  });
  return has_some;
}

std::vector<FoundOverview> FindOverviews(SharedResource& resource, const zarr::Array& array) {
  std::vector<FoundOverview> found;
  ForEachGroup(resource, array, [&](const std::string& group) {
    found = FindBelow(resource, group, array);
    return !found.empty();
  });
  return found;
}

}  // namespace gdal_zarr
