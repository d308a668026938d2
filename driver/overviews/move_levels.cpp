// SPDX-License-Identifier: MIT
#include "driver/overviews/move_levels.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "driver/georeferencing/geozarr/conventions_list.h"
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

}  // namespace

void MoveLevels(const OverviewBase& base) {
  const auto layout = FindLayout(base);
  if (!layout) return;
  const std::vector<PyramidLevel> levels = layout->FindLevelsBelow(base.name());
  const auto is_made_here = [](const PyramidLevel& level) { return IsGroupForLevels(GetParentPath(level.asset)); };
  if (levels.empty() || !std::all_of(levels.begin(), levels.end(), is_made_here)) return;
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
