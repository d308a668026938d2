// SPDX-License-Identifier: MIT
#include "driver/multidim/prefetch_referred.h"

#include <algorithm>
#include <vector>

#include "driver/dataset/attribute_names.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/georeferencing/cf/cf_projection.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

/// Limits requests that may be in vain in a deep hierarchy.
constexpr int kMostGroups = 4;
/// Longer coordinates are unlikely to be small.
constexpr std::uint64_t kLongestCoordinates = std::uint64_t{1} << 16;

using Names = std::vector<DimensionReference>;

std::string GetText(const zarr::Array& array, const char* attribute) {
  const auto value = FindMember(array.metadata().attributes, attribute);
  return value && value->IsString() ? value->AsString() : std::string();
}

/// Returns true if an array is a raster, and the first one with its coordinates. An array of bounds, for instance, is
/// not.
bool IsFirstRaster(const SharedResource& resource, const zarr::Array& array,
                   std::span<const DimensionReference> references) {
  return array.rank() >= 2 && std::ranges::none_of(references, [&](const DimensionReference& reference) {
           return resource.hierarchy().HasOpened(zarr::JoinKey(reference.group, reference.name));
         });
}

/// Lists the arrays that an array's metadata names.
Names ListNames(const zarr::Array& array, std::span<const DimensionReference> references) {
  Names names;
  const auto add = [&](const std::string& group, const std::string& name) {
    const std::string path = zarr::JoinKey(group, name);
    const auto is_it = [&](const DimensionReference& other) { return zarr::JoinKey(other.group, other.name) == path; };
    if (!IsNodeName(name) || path == array.path() || std::any_of(names.begin(), names.end(), is_it)) return;
    names.push_back({group, name});
  };
  const std::string group = GetParentPath(array.path());
  for (const DimensionReference& reference : references) add(reference.group, reference.name);
  for (const char* attribute : {kGridMappingAttribute, kCoordinatesAttribute}) {
    const CPLStringList words(CSLTokenizeString2(GetText(array, attribute).c_str(), " :", 0));
    for (int i = 0; i < words.size(); ++i) add(group, words[i]);
  }
  return names;
}

std::vector<std::string> ListGroupsAbove(const std::string& path) {
  std::vector<std::string> groups;
  std::string group = path;
  while (!group.empty() && groups.size() < kMostGroups) groups.push_back(group = GetParentPath(group));
  return groups;
}

/// Lists the probable keys of the first chunks of the X and Y coordinates, if they are encoded like the array.
std::vector<std::string> ListFirstChunks(const zarr::Array& array, std::span<const DimensionReference> references) {
  std::vector<std::string> keys;
  for (std::size_t i = array.rank() - 2; i < array.rank(); ++i) {
    const std::string path = zarr::JoinKey(references[i].group, references[i].name);
    const bool is_likely = IsNodeName(references[i].name) && path != array.path();
    if (!is_likely || array.shape()[i] > kLongestCoordinates) continue;
    keys.push_back(zarr::JoinKey(path, array.metadata().chunk_key_encoding.Format({0})));
  }
  return keys;
}

/// For arrays that do not exist, lists the paths in the groups above.
std::vector<std::string> ListElsewhere(SharedResource& resource, const Names& names) {
  std::vector<std::string> paths;
  for (const auto& [group, name] : names) {
    if (group.empty()) continue;
    const FoundNode found = resource.finder().LookFor(zarr::JoinKey(group, name));
    if (found.array || found.broken) continue;
    for (const std::string& above : ListGroupsAbove(group)) paths.push_back(zarr::JoinKey(above, name));
  }
  return paths;
}

}  // namespace

void PrefetchReferred(SharedResource& resource, const zarr::Array& array,
                      std::span<const DimensionReference> references) {
  const zarr::Hierarchy& hierarchy = resource.hierarchy();
  const bool has_others = resource.root_array_name().empty();
  if (hierarchy.consolidated() || !array.store().info().is_on_network() || !has_others) return;
  const Names names = ListNames(array, references);
  zarr::ExpectedNodes expected;
  for (const auto& [group, name] : names) expected.arrays.push_back(zarr::JoinKey(group, name));
  if (IsFirstRaster(resource, array, references)) {
    expected.groups = ListGroupsAbove(array.path());
    expected.chunks = ListFirstChunks(array, references);
    // If no grid mapping is named, the usual one is searched for.
    const bool is_named = !GetText(array, kGridMappingAttribute).empty();
    if (!is_named && !names.empty()) expected.arrays.push_back(zarr::JoinKey(expected.groups[0], kUsualGridMapping));
  }
  if (!hierarchy.Prefetch(expected)) return;
  const std::vector<std::string> elsewhere = ListElsewhere(resource, names);
  if (!elsewhere.empty()) hierarchy.Prefetch({elsewhere, {}, {}});
}

}  // namespace gdal_zarr
