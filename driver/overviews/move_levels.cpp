// SPDX-License-Identifier: MIT
#include "driver/overviews/move_levels.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "driver/georeferencing/geozarr/conventions_list.h"
#include "driver/overviews/find_overviews.h"
#include "driver/overviews/layout_editor.h"
#include "driver/overviews/level_arrays.h"
#include "driver/overviews/level_groups.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// Reads the layout of the base's group. Returns null if there is none, or if it cannot be used.
std::unique_ptr<LayoutEditor> FindLayout(const OverviewBase& base) {
  if (base.array.array().path().empty()) return nullptr;
  if (!Declares(base.resource().finder().FindGroupAttributes(base.group()), kMultiscalesConvention)) return nullptr;
  try {
    return std::make_unique<LayoutEditor>(base.resource(), base.group());
  } catch (const zarr::Error& error) {
    base.resource().finder().Tolerate(error);
    return nullptr;
  }
}

void WarnOfLevelsOfOthers(const OverviewBase& base) {
  if (base.array.is_new() || FindLevelsOfBase(base.resource(), base.array.array()).empty()) return;
  base.resource().WarnOnce(base.array.gdal_array().GetFullName() +
                           ": its overviews keep their georeferencing, because another program has made them");
}

}  // namespace

void MoveLevels(const OverviewBase& base) {
  const auto layout = FindLayout(base);
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

}  // namespace gdal_zarr
