// SPDX-License-Identifier: MIT
#include "driver/overviews/move_levels.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "driver/georeferencing/geozarr/conventions_list.h"
#include "driver/overviews/find_overviews.h"
#include "driver/overviews/layout_editor.h"
#include "driver/overviews/level_arrays.h"
#include "driver/overviews/level_groups.h"
#include "driver/overviews/ngff_levels.h"
#include "zarrlib/base/error.h"

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

void WarnOfLost(SharedResource& resource, const std::string& array, const zarr::Error& error) {
  resource.WarnOnce(MakeGdalFullName(array) + ": overviews do not follow their array: " + error.what());
}

/// Returns what `read` returns. If the metadata cannot be used, warns and returns an empty object.
template <typename Read>
auto ReadOrWarn(SharedResource& resource, const std::string& array, const Read& read) -> decltype(read()) {
  try {
    return read();
  } catch (const zarr::Error& error) {
    resource.finder().Tolerate(error);
    WarnOfLost(resource, array, error);
    return {};
  }
}

/// Returns the levels of an array that is the base of a pyramid; none if it is itself a level.
std::vector<PyramidLevel> FindLevels(SharedResource& resource, const std::string& array) {
  return ReadOrWarn(resource, array, [&] {
    const auto layout = ReadLayoutBeside(resource, array);
    const std::string name = GetNodeName(array);
    const bool is_base = layout && !layout->IsLevelOfAnother(name);
    return is_base ? layout->FindLevelsBelow(name) : std::vector<PyramidLevel>();
  });
}

/// Returns true if this driver made a level, as far as the names tell.
bool IsMadeHere(const std::string& array, const PyramidLevel& level) {
  const std::string group = GetParentPath(level.asset);
  return GetParentPath(group).empty() && IsGroupForLevels(group) && GetNodeName(level.asset) == GetNodeName(array);
}

/// Calls `change`, and only warns of its failure: the array itself has already changed.
void ChangeAfterwards(SharedResource& resource, const std::string& path, const std::function<void()>& change) {
  try {
    change();
  } catch (const zarr::Error& error) {
    WarnOfLost(resource, path, error);
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

/// Returns true if there may be levels that an interrupted process left; they are looked for only then.
bool MayHaveUnfinished(const SharedResource& resource, const std::string& group) {
  return resource.hierarchy().Probe(zarr::JoinKey(group, "ovr_2x")) == zarr::NodeKind::kGroup;
}

/// Throws zarr::Error if nodes have the names that levels get with their array: they would become its levels.
void CheckNewNamesOfLevels(const SharedResource& resource, const std::string& array, const std::string& name,
                           const std::vector<PyramidLevel>& levels) {
  for (const PyramidLevel& level : levels) {
    if (GetNodeName(level.asset) != GetNodeName(array)) continue;
    const std::string path = zarr::JoinKey(GetParentPath(array), zarr::JoinKey(GetParentPath(level.asset), name));
    if (!resource.hierarchy().Probe(path)) continue;
    throw zarr::Error(zarr::ErrorKind::kInvalidArgument, resource.hierarchy().store()->name(), path, "",
                      zarr::FormatExpectedGot("no node where an overview of the renamed array is to be", "one"));
  }
}

/// Returns the owner of an array's levels. Their chunks have names that the array's can have.
LevelOwner MakeOwner(SharedResource& resource, const std::string& array) {
  LevelOwner owner{resource, array, nullptr};
  if (const auto base = resource.finder().FindArray(array)) {
    owner.make_level = [base](int) { return base->metadata(); };
  }
  return owner;
}

/// Removes the levels of an array that was deleted, and its pyramid from the layout.
void RemoveLevels(const LevelOwner& owner, const std::vector<PyramidLevel>& levels) {
  if (MayHaveUnfinished(owner.resource, owner.group())) RemoveUnfinished(owner);
  std::set<std::string> removed = {owner.name()};
  for (const PyramidLevel& level : levels) {
    const std::string path = zarr::JoinKey(owner.group(), level.asset);
    if (!IsMadeHere(owner.array, level)) {
      owner.resource.WarnOnce(MakeGdalFullName(path) + " stays, an overview of the removed array " +
                              MakeGdalFullName(owner.array) + ": another program has made it");
      continue;
    }
    ChangeAfterwards(owner.resource, path, [&] {
      // So that others find it if it cannot be removed.
      if (owner.resource.hierarchy().Probe(path) == zarr::NodeKind::kArray) NoteUnfinished(owner.resource, path);
      RemoveLevelArray(owner, path);
    });
    removed.insert(level.asset);
    removed.insert(GetParentPath(level.asset));  // the layout may name groups, of which the array is not known any more
  }
  if (!levels.empty()) LayoutEditor(owner.resource, owner.group()).Remove(removed);
}

}  // namespace

void MoveLevels(const OverviewBase& base) {
  const std::string path = base.array.array().path();
  const auto layout = ReadOrWarn(base.resource(), path, [&] { return ReadLayoutBeside(base.resource(), path); });
  const std::vector<PyramidLevel> levels = layout ? layout->FindLevelsBelow(base.name()) : std::vector<PyramidLevel>();
  const auto is_made_here = [](const PyramidLevel& level) { return IsGroupForLevels(GetParentPath(level.asset)); };
  if (levels.empty() || !std::ranges::all_of(levels, is_made_here)) return WarnOfLevelsOfOthers(base);
  std::vector<JsonNode> entries;
  for (const PyramidLevel& level : levels) {
    const std::string path_of_level = zarr::JoinKey(base.group(), level.asset);
    const auto array = base.resource().finder().FindArray(path_of_level);
    if (array) SaveLevelPlace(base, *base.array.OpenOther(path_of_level));
    entries.push_back(array ? WithLevelPlace(base, level.entry, array->shape()) : level.entry);
  }
  layout->Replace(base.name(), MakeBaseEntry(base), entries);
  layout->Save(base);
}

std::vector<std::string> FindOwnLevels(SharedResource& resource, const std::string& array) {
  std::vector<std::string> paths;
  for (const PyramidLevel& level : FindLevels(resource, array)) {
    const std::string path = zarr::JoinKey(GetParentPath(array), level.asset);
    const bool is_there = resource.hierarchy().Probe(path) == zarr::NodeKind::kArray;
    if (is_there && IsMadeHere(array, level)) paths.push_back(path);
  }
  return paths;
}

void DeleteWithLevels(SharedResource& resource, const std::string& array) {
  const std::vector<PyramidLevel> levels = FindLevels(resource, array);
  const std::string group = GetParentPath(array);
  if (levels.empty() && !MayHaveUnfinished(resource, group)) return DeleteNodeInLists(resource, array);
  const LevelOwner owner = MakeOwner(resource, array);
  DeleteNodeInLists(resource, array);
  ChangeAfterwards(resource, array, [&] { ChangeLevels(resource, group, [&] { RemoveLevels(owner, levels); }); });
}

void RenameWithLevels(SharedResource& resource, std::string_view array, std::string_view new_name) {
  const std::string from(array);  // the caller's string may belong to an object that is moved
  const std::string name(new_name);
  const std::vector<PyramidLevel> levels = FindLevels(resource, from);
  CheckNewNamesOfLevels(resource, from, name, levels);
  const std::vector<std::string> own = FindOwnLevels(resource, from);
  const LevelOwner owner = MakeOwner(resource, from);
  RenameNodeInLists(resource, from, name);
  for (const std::string& path : own) {
    ChangeAfterwards(resource, path, [&] { RenameNodeInLists(resource, path, name); });
  }
  if (!levels.empty()) WarnOfLevelsLeft(resource, zarr::JoinKey(GetParentPath(from), name), levels);
  if (!MayHaveUnfinished(resource, owner.group())) return;
  // Otherwise they would stay for good: they are looked for by the name of their array.
  ChangeAfterwards(resource, from, [&] { ChangeLevels(resource, owner.group(), [&] { RemoveUnfinished(owner); }); });
}

}  // namespace gdal_zarr
