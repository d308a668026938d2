// SPDX-License-Identifier: MIT
#include "driver/multidim/stale_overviews.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/raster_axes.h"
#include "driver/multidim/find_dimensions.h"
#include "driver/overviews/find_overviews.h"
#include "driver/overviews/level_groups.h"
#include "zarrlib/hierarchy/stale_regions.h"

namespace gdal_zarr {
namespace {

using zarr::Shape;
using ArrayPtr = std::shared_ptr<const zarr::Array>;

OverviewRefresher overview_refresher = nullptr;

bool LookForOverviews(SharedResource& resource, const zarr::Array& array) {
  return array.metadata().zarr_format > zarr::ZarrFormat::kV1 && !FindLevelsOfBase(resource, array).empty();
}

bool HasOverviews(SharedResource& resource, const zarr::Array& array) {
  StaleMarks& stale = resource.edits().stale;
  if (const auto known = stale.HasOverviews(array.path())) return *known;
  const bool has = LookForOverviews(resource, array);
  // Another process may make some. In a remote store, to look again would take requests.
  if (has || resource.is_on_network()) stale.SetHasOverviews(array.path(), has);
  return has;
}

/// Returns true if a group may have levels that this driver makes. Takes a listing of the group's names.
bool MayHaveLevels(const SharedResource& resource, const std::string& group) {
  const std::string prefix = group.empty() ? "" : group + "/";
  const auto listing = resource.hierarchy().store()->List(prefix, {.freshness = zarr::Freshness::kNow});
  return !listing ||
         std::ranges::any_of(listing->prefixes, [](const std::string& name) { return IsGroupForLevels(name); });
}

/// Also finds overviews that another process has made.
std::set<std::string> FindThoseWithOverviews(SharedResource& resource, const std::vector<std::string>& paths) {
  std::map<std::string, bool> groups;  // whether they declare some
  std::set<std::string> found;
  for (const std::string& path : paths) {
    const auto [group, is_new] = groups.try_emplace(GetParentPath(path));
    if (is_new && MayHaveLevels(resource, group->first)) {
      ChangeLevels(resource, group->first, [] {});  // loads what others have made
      group->second = DeclaresOverviews(resource, group->first);
    }
    const ArrayPtr array = group->second ? resource.finder().FindArray(path) : nullptr;
    if (array && LookForOverviews(resource, *array)) found.insert(path);
  }
  return found;
}

/// Returns true if an axis of one length has, at each level, as many elements per pixel as with the other length.
bool KeepsRatio(const std::vector<ArrayPtr>& levels, std::size_t axis, std::uint64_t before, std::uint64_t after) {
  return std::ranges::all_of(levels, [&](const ArrayPtr& level) {
    const std::uint64_t length = std::max<std::uint64_t>(level->shape()[axis], 1);
    const std::uint64_t factor = FindLevelFactor(level->path()).value_or(before % length == 0 ? before / length : 0);
    return factor > 0 && before % factor == 0 && after % factor == 0;
  });
}

/// Returns true if levels are shorter along an axis by their factor, which happens along X and Y only.
bool IsShortened(const std::vector<ArrayPtr>& levels, std::size_t axis, std::uint64_t length) {
  return std::ranges::any_of(levels, [&](const ArrayPtr& level) {
    const auto factor = FindLevelFactor(level->path());
    return factor && level->shape()[axis] != length && level->shape()[axis] == (length + *factor - 1) / *factor;
  });
}

RasterAxes FindAxes(const std::shared_ptr<SharedResource>& resource, const zarr::Array& array) {
  std::vector<std::shared_ptr<GDALDimension>> dimensions;
  for (const FoundDimension& found : FindDimensions(resource, array)) {
    dimensions.push_back(
        std::make_shared<GDALDimension>("", found.name, found.role.type, found.role.direction, found.size));
  }
  const std::size_t rank = array.rank();
  return ChooseRasterAxes({*resource, array}, dimensions).value_or(RasterAxes{rank - 1, rank - 2});
}

/// Returns the box that changes along an axis: what is added, or the last elements that are left, because overview
/// pixels there may have been computed from elements past it.
zarr::Box GetChangedEnd(const Shape& shape, std::size_t axis, std::uint64_t before) {
  zarr::Box box{Shape(shape.size()), shape};
  const std::uint64_t begin = std::min(before, std::max<std::uint64_t>(shape[axis], 1) - 1);
  box.origin[axis] = begin;
  box.shape[axis] = shape[axis] - begin;
  return box;
}

void NoteWithout(SharedResource& resource, const zarr::Array& array, const zarr::Box& box) {
  if (IsGroupForLevels(GetParentPath(array.path()))) return;
  resource.edits().stale.NoteWithout(array.path(), box, [&resource](const std::vector<std::string>& paths) {
    return FindThoseWithOverviews(resource, paths);
  });
}

}  // namespace

void NoteChange(SharedResource& resource, const zarr::Array& array, const zarr::Box& box) {
  if (array.rank() < 2 || box.empty()) return;
  if (!HasOverviews(resource, array)) return NoteWithout(resource, array, box);
  resource.edits().stale.Note(resource.Change(), array.path(), array.shape(), box);
}

void NoteChange(SharedResource& resource, const zarr::Array& array) {
  NoteChange(resource, array, {Shape(array.rank()), array.shape()});
}

void NoteResize(const std::shared_ptr<SharedResource>& resource, const ArrayPtr& array, const Shape& shape) {
  if (array->rank() < 2 || array->shape() == shape) return;
  if (!HasOverviews(*resource, *array)) return NoteWithout(*resource, *array, {Shape(shape.size()), shape});
  const std::vector<ArrayPtr> levels = FindLevelsOfBase(*resource, *array);
  const RasterAxes axes = FindAxes(resource, *array);
  StaleMarks& stale = resource->edits().stale;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const std::uint64_t before = array->shape()[axis];
    if (before == shape[axis]) continue;
    const bool is_pixel_axis = axis == axes.x || axis == axes.y || IsShortened(levels, axis, before);
    const bool changes_all = is_pixel_axis && !KeepsRatio(levels, axis, before, shape[axis]);
    const zarr::Box changed = changes_all ? zarr::Box{Shape(shape.size()), shape} : GetChangedEnd(shape, axis, before);
    stale.Note(resource->Change(), array->path(), shape, changed);
  }
}

std::string DescribeStale(const zarr::Array& array) {
  return zarr::StaleRegions(array.metadata().attributes, array.rank()).ClipTo(array.shape()).ToText();
}

void SetOverviewRefresher(OverviewRefresher refresher) {
  overview_refresher = refresher;
}

CPLErr RefreshChangedOverviews(const std::shared_ptr<SharedResource>& resource,
                               const std::vector<std::string>& others) {
  StaleMarks& stale = resource->edits().stale;
  if (!stale.refresh() || !resource->writable() || resource->edits().saving.abandoned()) return CE_None;
  std::vector<std::string> paths = stale.TakeChanged();
  paths.insert(paths.end(), others.begin(), others.end());
  std::ranges::sort(paths);
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  CPLErr result = CE_None;
  for (const std::string& path : paths) {
    const auto refresh = [&] { return overview_refresher(resource, path); };
    if (GuardChange(refresh) != CE_None) result = CE_Failure;
  }
  return result;
}

}  // namespace gdal_zarr
