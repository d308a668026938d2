#include "driver/overviews/find_overviews.h"

#include <algorithm>
#include <functional>
#include <string>

#include "driver/cf/unsigned_attribute.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/georeferencing/geozarr/conventions_list.h"
#include "driver/overviews/layout_editor.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;
using ArrayPtr = std::shared_ptr<const zarr::Array>;

// Each level and each group costs a look into the store.
constexpr std::size_t kMostLevels = 64;
constexpr int kMostGroups = 3;

/// The paths in the store of a list's levels, which name them by `member`.
std::vector<std::string> PathsOf(const JsonNode& levels, const char* member, const std::string& group) {
  if (!levels.IsArray() || levels.size() > kMostLevels) {
    levels.FailExpected("a list of at most " + std::to_string(kMostLevels) + " levels");
  }
  std::vector<std::string> paths;
  for (const JsonNode& level : levels.GetItems()) paths.push_back(zarr::JoinKey(group, ChildPath(level.At(member))));
  return paths;
}

/// OME-NGFF's list of images, each a pyramid: the levels of the one that the array is in. It is an attribute of its own
/// up to version 0.4, and one of `ome` later.
std::vector<std::string> NgffPaths(const JsonNode& attributes, const std::string& group, const std::string& array) {
  const auto ome = attributes.Find("ome");
  const auto images = (ome && ome->IsObject() ? *ome : attributes).Find("multiscales");
  if (!images || !images->IsArray()) return {};
  for (const JsonNode& image : images->GetItems()) {
    std::vector<std::string> paths = PathsOf(image.At("datasets"), "path", group);
    if (std::find(paths.begin(), paths.end(), array) != paths.end()) return paths;
  }
  return {};
}

/// The paths of a group's levels in the store; none if it does not declare a convention. Throws zarr::Error.
std::vector<std::string> LevelPaths(SharedResource& resource, const std::string& group, const std::string& array) {
  const JsonNode attributes = resource.FindGroupAttributes(group);
  if (!attributes.IsObject()) return {};
  const auto multiscales = attributes.Find("multiscales");
  if (!multiscales || !Declares(attributes, kMultiscalesConvention)) return NgffPaths(attributes, group, array);
  const std::string relative = group.empty() ? array : array.substr(group.size() + 1);
  std::vector<std::string> paths;
  for (const PyramidLevel& level : LevelsOf(ReadLayout(multiscales->At("layout")), relative)) {
    paths.push_back(zarr::JoinKey(group, level.asset));
  }
  return paths;
}

/// The arrays that a layout's levels are for this array, itself left out.
std::vector<ArrayPtr> Versions(SharedResource& resource, const std::vector<std::string>& levels,
                               const std::string& group, const std::string& path) {
  const std::string name = NodeName(path);
  const auto has = [&levels](const std::string& level) {
    return std::find(levels.begin(), levels.end(), level) != levels.end();
  };
  const bool is_level = has(path);
  // Beside the levels, in the group itself, there may be the largest version of several arrays: GDAL names only one.
  const bool is_in_level = ParentPath(path) == group || has(ParentPath(path));
  std::vector<ArrayPtr> versions;
  for (const std::string& level : levels) {
    if (level == path || level == ParentPath(path)) continue;
    FoundNode version = is_level ? resource.LookFor(level) : FoundNode();
    if (!version.array && !version.broken && is_in_level) version = resource.LookFor(zarr::JoinKey(level, name));
    if (version.array) versions.push_back(std::move(version.array));
  }
  return versions;
}

bool IsSmaller(const zarr::Array& a, const zarr::Array& b) {
  if (a.rank() != b.rank() || !(ShownTypeOf(a) == ShownTypeOf(b)) || a.shape() == b.shape()) return false;
  return std::equal(a.shape().begin(), a.shape().end(), b.shape().begin(), std::less_equal<>());
}

double ElementCount(const ArrayPtr& array) {
  double count = 1;
  for (const std::uint64_t extent : array->shape()) count *= static_cast<double>(extent);
  return count;
}

std::vector<ArrayPtr> FindBelow(SharedResource& resource, const std::string& group, const zarr::Array& array) {
  std::vector<ArrayPtr> found;
  for (ArrayPtr& version : Versions(resource, LevelPaths(resource, group, array.path()), group, array.path())) {
    if (IsSmaller(*version, array)) found.push_back(std::move(version));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const ArrayPtr& a, const ArrayPtr& b) { return ElementCount(a) > ElementCount(b); });
  const auto same_path = [](const ArrayPtr& a, const ArrayPtr& b) { return a->path() == b->path(); };
  found.erase(std::unique(found.begin(), found.end(), same_path), found.end());
  return found;
}

}  // namespace

std::vector<ArrayPtr> FindOverviews(SharedResource& resource, const zarr::Array& array) {
  std::string group = array.path();
  for (int steps = 0; steps < kMostGroups && !group.empty(); ++steps) {
    group = ParentPath(group);
    try {
      std::vector<ArrayPtr> found = FindBelow(resource, group, array);
      if (!found.empty()) return found;
    } catch (const zarr::Error& error) {
      if (error.kind() == zarr::ErrorKind::kIo) throw;
      resource.WarnOnce(std::string("Overviews are ignored: ") + error.what());
    }
  }
  return {};
}

}  // namespace gdal_zarr
