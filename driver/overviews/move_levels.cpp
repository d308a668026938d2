// SPDX-License-Identifier: MIT
#include "driver/overviews/move_levels.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/georeferencing/geozarr/conventions_list.h"
#include "driver/overviews/find_overviews.h"
#include "driver/overviews/layout_editor.h"
#include "driver/overviews/level_arrays.h"
#include "driver/overviews/level_groups.h"
#include "driver/overviews/ngff_levels.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// Reads the layout of an array's group. Returns null if there is none.
std::unique_ptr<LayoutEditor> ReadLayoutBeside(SharedResource& resource, const std::string& array) {
  if (array.empty()) return nullptr;
  const std::string group = GetParentPath(array);
  if (!Declares(resource.finder().FindGroupAttributes(group), kMultiscalesConvention)) return nullptr;
  return std::make_unique<LayoutEditor>(resource, group);
}

/// Returns null also for a layout that cannot be used.
std::unique_ptr<LayoutEditor> FindLayout(SharedResource& resource, const std::string& array) {
  try {
    return ReadLayoutBeside(resource, array);
  } catch (const zarr::Error& error) {
    resource.finder().Tolerate(error);
    return nullptr;
  }
}

/// Returns the levels of an array that is the base of a pyramid; none if it is itself a level.
std::vector<PyramidLevel> FindLevels(SharedResource& resource, const std::string& array) {
  try {
    const auto layout = ReadLayoutBeside(resource, array);
    const std::string name = GetNodeName(array);
    if (layout && !layout->IsLevelOfAnother(name)) return layout->FindLevelsBelow(name);
  } catch (const zarr::Error& error) {
    resource.finder().Tolerate(error);
  }
  return {};
}

/// Returns the paths of those levels of an array that exist, and that this driver made, as far as their names tell.
std::vector<std::string> ListOwn(SharedResource& resource, const std::string& array,
                                 const std::vector<PyramidLevel>& levels) {
  std::vector<std::string> paths;
  for (const PyramidLevel& level : levels) {
    const std::string group = GetParentPath(level.asset);
    const std::string path = zarr::JoinKey(GetParentPath(array), level.asset);
    const bool has_name =
        GetParentPath(group).empty() && IsGroupForLevels(group) && GetNodeName(path) == GetNodeName(array);
    if (has_name && resource.hierarchy().Probe(path) == zarr::NodeKind::kArray) paths.push_back(path);
  }
  return paths;
}

/// Calls `change`, and only warns of its failure: the array itself has already changed.
void ChangeAfterwards(SharedResource& resource, const std::string& path, const std::function<void()>& change) {
  try {
    change();
  } catch (const zarr::Error& error) {
    resource.WarnOnce(MakeGdalFullName(path) + ": overviews do not follow their array: " + error.what());
  }
}

/// Warns of the former levels of a renamed array that the layout does not name as its levels any more: another program
/// has made them, in groups whose arrays belong to the base of the same name.
void WarnOfLevelsLeft(SharedResource& resource, const std::string& array, const std::vector<PyramidLevel>& former) {
  const std::vector<PyramidLevel> levels = FindLevels(resource, array);
  for (const PyramidLevel& level : former) {
    const std::string renamed = zarr::JoinKey(GetParentPath(level.asset), GetNodeName(array));
    const auto is_it = [&](const PyramidLevel& l) { return l.asset == level.asset || l.asset == renamed; };
    if (std::ranges::any_of(levels, is_it)) continue;
    resource.WarnOnce(MakeGdalFullName(array) + ": " + level.asset + " is no longer its overview");
  }
}

void WarnOfLevelsOfOthers(const OverviewBase& base) {
  if (base.array.is_new() || FindLevelsOfBase(base.resource(), base.array.array()).empty()) return;
  base.resource().WarnOnce(base.array.gdal_array().GetFullName() +
                           ": its overviews keep their georeferencing, because another program has made them");
}

}  // namespace

void MoveLevels(const OverviewBase& base) {
  const auto layout = FindLayout(base.resource(), base.array.array().path());
  const std::vector<PyramidLevel> levels = layout ? layout->FindLevelsBelow(base.name()) : std::vector<PyramidLevel>();
  const auto is_made_here = [](const PyramidLevel& level) { return IsGroupForLevels(GetParentPath(level.asset)); };
  if (levels.empty() || !std::ranges::all_of(levels, is_made_here)) return WarnOfLevelsOfOthers(base);
  std::vector<JsonNode> entries;
  for (const PyramidLevel& level : levels) {
    const std::string path = zarr::JoinKey(base.group(), level.asset);
    const auto array = base.resource().finder().FindArray(path);
    if (array) SaveLevelPlace(base, *base.array.OpenOther(path));
    entries.push_back(array ? WithLevelPlace(base, level.entry, array->shape()) : level.entry);
  }
  layout->Replace(base.name(), MakeBaseEntry(base), entries);
  layout->Save(base);
}

std::vector<std::string> FindOwnLevels(SharedResource& resource, const std::string& array) {
  return ListOwn(resource, array, FindLevels(resource, array));
}

void DeleteWithLevels(SharedResource& resource, const std::string& array) {
  const std::vector<PyramidLevel> levels = FindLevels(resource, array);
  const std::vector<std::string> own = ListOwn(resource, array, levels);
  DeleteNodeInLists(resource, array);
  if (levels.empty()) return;
  const std::string group = GetParentPath(array);
  ChangeAfterwards(resource, array, [&] {
    ChangeLevels(resource, group, [&] {
      for (const std::string& path : own) RemoveWithHelpers(resource, path);
      LayoutEditor(resource, group).Remove(GetNodeName(array));
    });
  });
}

void RenameWithLevels(SharedResource& resource, std::string_view array, std::string_view new_name) {
  const std::string from(array);  // the caller's string may belong to an object that is moved
  const std::string name(new_name);
  const std::vector<PyramidLevel> levels = FindLevels(resource, from);
  const std::vector<std::string> own = ListOwn(resource, from, levels);
  RenameNodeInLists(resource, from, name);
  for (const std::string& path : own) {
    ChangeAfterwards(resource, path, [&] { RenameNodeInLists(resource, path, name); });
  }
  if (!levels.empty()) WarnOfLevelsLeft(resource, zarr::JoinKey(GetParentPath(from), name), levels);
}

}  // namespace gdal_zarr
