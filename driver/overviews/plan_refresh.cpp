// SPDX-License-Identifier: MIT
#include "driver/overviews/plan_refresh.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdint>
#include <exception>
#include <functional>
#include <utility>

#include "driver/gdal/gdal_compat.h"
#include "driver/georeferencing/geozarr/multiscales.h"
#include "driver/overviews/compute_overviews.h"
#include "driver/overviews/compute_window.h"
#include "driver/overviews/layout_editor.h"
#include "driver/overviews/level_groups.h"
#include "driver/overviews/level_metadata.h"
#include "zarrlib/base/text.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/document_names.h"

namespace gdal_zarr {
namespace {

using zarr::Box;
using zarr::JsonNode;
using zarr::Shape;

/// Returns the factor of a level: the one in its name, otherwise one that leads to its shape.
int FindFactor(const OverviewBase& base, const PyramidEditor::Level& level) {
  if (const auto factor = FindLevelFactor(level.asset))
    return static_cast<int>(std::min<std::uint64_t>(*factor, INT_MAX));
  const Shape& shape = base.array.array().shape();
  const auto length = static_cast<double>(std::max<std::uint64_t>(level.shape[base.axes.x], 1));
  const int about = static_cast<int>(std::ceil(static_cast<double>(shape[base.axes.x]) / length));
  for (const int factor : {about, about + 1, about - 1}) {
    if (factor >= 2 && ComputeLevelShape(base, factor) == level.shape) return factor;
  }
  RefuseOverviews(base, "the factor of the overview " + level.asset +
                            " is not known: neither its name tells it, nor its "
                            "shape " +
                            zarr::ToString(level.shape) + " beside the array's, " + zarr::ToString(shape));
}

/// Parses ranges such as "0:256,512:768".
std::optional<Box> ParseBox(const std::string& text) {
  Box box;
  const CPLStringList axes(CSLTokenizeString2(text.c_str(), ",", CSLT_ALLOWEMPTYTOKENS));
  for (int i = 0; i < axes.size(); ++i) {
    const std::string_view range(axes[i]);
    const std::size_t colon = range.find(':');
    const auto first = zarr::ParseNumber<std::uint64_t>(range.substr(0, colon));
    const auto end =
        colon == std::string_view::npos ? std::nullopt : zarr::ParseNumber<std::uint64_t>(range.substr(colon + 1));
    if (!first || !end || *end <= *first) return std::nullopt;
    box.origin.push_back(*first);
    box.shape.push_back(*end - *first);
  }
  return box;
}

/// Returns the pixels of a level that a box of its source has a part in.
Box MapBox(const Box& box, const Shape& from, const Shape& to, const RasterAxes& axes, std::uint64_t margin) {
  Box mapped = box;
  for (const std::size_t axis : {axes.x, axes.y}) {
    // Rasters have less than 2^31 columns and rows.
    const std::uint64_t first = box.origin[axis] * to[axis] / from[axis];
    const std::uint64_t end = (box.end(axis) * to[axis] + from[axis] - 1) / from[axis];
    mapped.origin[axis] = first - std::min(first, margin);
    mapped.shape[axis] = std::min(end + margin, to[axis]) - mapped.origin[axis];
  }
  return mapped;
}

/// The levels of a pyramid while they are planned.
class Planner {
 public:
  Planner(const OverviewBase& base, const std::vector<PyramidEditor::Level>& levels) : base_(base) {
    for (const PyramidEditor::Level& level : levels) {
      LevelRefresh refresh{
          level,        ComputeLevelShape(base, FindFactor(base, level)), FindText(level.entry, "derived_from"),
          std::nullopt, FindText(level.entry, kResamplingMember),         {}};
      plan_.push_back(std::move(refresh));
    }
    std::ranges::stable_sort(plan_, [](const LevelRefresh& a, const LevelRefresh& b) {
      return zarr::ComputeProduct(a.shape) > zarr::ComputeProduct(b.shape);
    });
    for (LevelRefresh& level : plan_) level.source = FindSource(level);
  }

  /// Adds what levels lack because of a region of the base.
  void Add(const zarr::StaleRegion& region) {
    for (LevelRefresh& level : plan_) {
      const bool lacks =
          region.levels.empty() || std::ranges::find(region.levels, level.level.asset) != region.levels.end();
      if (lacks) level.boxes.Add(WithEndOfLines(level, MapFromBase(level, region.box)));
    }
  }
  void AddNewParts() {
    for (LevelRefresh& level : plan_) {
      if (level.is_resized() && !CoversNewPart(level)) AddAll(&level);
    }
  }
  static void AddAll(LevelRefresh* level) { level->boxes.Add({Shape(level->shape.size()), level->shape}); }
  /// Adds what levels lack because their source is computed again.
  void AddFromSources() {
    for (LevelRefresh& level : plan_) {
      if (!level.source) continue;
      const LevelRefresh& source = plan_[*level.source];
      for (const Box& box : source.boxes.boxes()) level.boxes.Add(Map(box, source.shape, level));
    }
  }
  std::vector<LevelRefresh> Take() { return std::move(plan_); }

 private:
  /// GDAL computes a level from the preceding one only if that is wider.
  std::optional<std::size_t> FindSource(const LevelRefresh& level) const {
    const auto source =
        std::ranges::find_if(plan_, [&](const LevelRefresh& other) { return other.level.asset == level.source_asset; });
    if (source == plan_.end() || source->shape[base_.axes.x] <= level.shape[base_.axes.x]) return std::nullopt;
    return static_cast<std::size_t>(source - plan_.begin());
  }
  Box Map(const Box& box, const Shape& from, const LevelRefresh& level) const {
    return MapBox(box, from, level.shape, base_.axes, GetKernelMargin(level.method));
  }
  /// If lines get another length, other pixels are left over at their ends, see kPixelsAtOnce.
  Box WithEndOfLines(const LevelRefresh& level, Box box) const {
    if (!level.is_resized()) return box;
    const std::uint64_t more = box.origin[base_.axes.x] % kPixelsAtOnce;
    box.origin[base_.axes.x] -= more;
    box.shape[base_.axes.x] += more;
    return box;
  }
  Box MapFromBase(const LevelRefresh& level, const Box& box) const {
    if (!level.source) return Map(box, base_.array.array().shape(), level);
    const LevelRefresh& source = plan_[*level.source];
    return Map(MapFromBase(source, box), source.shape, level);
  }
  /// Returns true if one of the boxes contains each end that the stored level does not have.
  static bool CoversNewPart(const LevelRefresh& level) {
    if (level.level.shape.empty()) return false;  // its array is gone
    for (std::size_t axis = 0; axis < level.shape.size(); ++axis) {
      if (level.shape[axis] == level.level.shape[axis]) continue;
      Box end{Shape(level.shape.size()), level.shape};
      end.origin[axis] = std::min(level.level.shape[axis], level.shape[axis] - 1);
      end.shape[axis] -= end.origin[axis];
      const auto covers = [&](const Box& box) { return zarr::Contains(box, end); };
      if (std::ranges::none_of(level.boxes.boxes(), covers)) return false;
    }
    return true;
  }

  const OverviewBase& base_;
  std::vector<LevelRefresh> plan_;
};

/// Throws unless the layout says how a level was made, in a word that GDAL knows.
void CheckMethod(const OverviewBase& base, const LevelRefresh& level) {
  if (level.boxes.empty()) return;
  if (level.method.empty()) {
    RefuseOverviews(base, "the layout does not tell the resampling_method of the overview " + level.level.asset +
                              ", so it cannot be refreshed; gdaladdo computes it with a method that you choose");
  }
  MakeOverviewRequest(level.method.c_str(), 0, nullptr, 0, nullptr, nullptr, nullptr, nullptr);
}

}  // namespace

zarr::StaleRegions ReadStaleRegions(const OverviewBase& base) {
  const auto array = base.resource().Change().OpenPresentArray(base.array.array().path());
  return {array->metadata().attributes, array->rank()};
}

std::vector<LevelRefresh> PlanRefresh(const OverviewBase& base, const std::vector<PyramidEditor::Level>& levels,
                                      const zarr::StaleRegions& stale) {
  const Shape& shape = base.array.array().shape();
  if (std::ranges::find(shape, 0u) != shape.end()) return {};
  Planner planner(base, levels);
  const zarr::StaleRegions present = stale.ClipTo(shape);
  for (const zarr::StaleRegion& region : present.list()) planner.Add(region);
  planner.AddNewParts();
  planner.AddFromSources();
  std::vector<LevelRefresh> plan = planner.Take();
  for (const LevelRefresh& level : plan) CheckMethod(base, level);
  return plan;
}

std::vector<LevelRefresh> PlanUnit(const OverviewBase& base, const std::vector<PyramidEditor::Level>& levels,
                                   const std::string& unit) {
  const std::size_t space = unit.rfind(' ');
  const std::string asset = unit.substr(0, space);
  std::vector<LevelRefresh> plan = Planner(base, levels).Take();
  const auto level = std::ranges::find_if(plan, [&](const LevelRefresh& other) { return other.level.asset == asset; });
  const auto box = ParseBox(unit.substr(space + 1));
  const bool fits = level != plan.end() && !level->is_resized() && box && box->rank() == level->shape.size() &&
                    zarr::Contains({Shape(level->shape.size()), level->shape}, *box);
  if (!fits) {
    throw zarr::Error(zarr::ErrorKind::kInvalidArgument, base.array.array().store().name(), base.array.array().path(),
                      "",
                      "REFRESH_OVERVIEWS: " +
                          zarr::FormatExpectedGot("YES, NO or a unit that zarrkit plan --overviews prints now", unit));
  }
  level->boxes.Add(*box);
  CheckMethod(base, *level);
  return plan;
}

namespace {

zarr::StaleRegion MakeWhole(const OverviewBase& base, std::vector<std::string> assets) {
  const zarr::Array& array = base.array.array();
  return {zarr::MakeRegionId(), {Shape(array.rank()), array.shape()}, std::move(assets)};
}

/// Changes the stored notes.
void ChangeNotes(const OverviewBase& base, const std::function<void(zarr::StaleRegions& notes)>& change) {
  base.resource().Change().EditAttributes(base.array.array().path(), [&](const JsonNode& stored) {
    zarr::StaleRegions notes(stored, base.array.array().rank());
    change(notes);
    return notes.ApplyTo(stored);
  });
}

std::vector<std::string> ListIds(const zarr::StaleRegions& regions) {
  std::vector<std::string> ids;
  for (const zarr::StaleRegion& region : regions.list()) ids.push_back(region.id);
  return ids;
}

/// Reads the attributes of the base's group as they are stored now.
JsonNode ReadGroupAttributes(const OverviewBase& base) {
  const zarr::Store& store = *base.resource().hierarchy().store();
  const bool is_v3 = base.array.array().metadata().zarr_format == zarr::ZarrFormat::kV3;
  const std::string key = zarr::JoinKey(base.group(), is_v3 ? zarr::kV3Document : zarr::kV2Attributes);
  const auto text = store.GetText(key, zarr::GetLimit(zarr::Limit::kDocument), zarr::Freshness::kNow);
  if (!text) return {};
  const JsonNode document = JsonNode::Parse(*text, store.name(), key);
  return is_v3 ? FindMember(document, "attributes").value_or(JsonNode()) : document;
}

/// Returns the assets of the levels, and of those that others have added in a remote store.
std::vector<std::string> ListPresent(const OverviewBase& base, const std::vector<PyramidEditor::Level>& levels) {
  std::vector<std::string> assets;
  for (const PyramidEditor::Level& level : levels) assets.push_back(level.asset);
  if (!base.resource().is_on_network()) return assets;
  const LayoutEditor layout(base.resource(), base.group(), ReadGroupAttributes(base));
  for (const PyramidLevel& level : layout.FindLevelsBelow(base.name())) {
    if (std::ranges::find(assets, level.asset) == assets.end()) assets.push_back(level.asset);
  }
  return assets;
}

}  // namespace

void NoteAllStale(const OverviewBase& base) {
  ChangeNotes(base, [&](zarr::StaleRegions& notes) { notes.Add(MakeWhole(base, {})); });
}

void NoteRefreshed(const OverviewBase& base, const zarr::StaleRegions& regions, const std::vector<std::string>& assets,
                   const std::vector<PyramidEditor::Level>& levels) {
  if (regions.empty()) return;
  ChangeNotes(base, [&](zarr::StaleRegions& notes) {
    notes.RemoveLevels(ListIds(regions), assets, ListPresent(base, levels));
  });
}

LevelsInWork::LevelsInWork(const OverviewBase& base, std::vector<std::string> assets)
    : base_(base), assets_(std::move(assets)) {
  if (!base.resource().is_on_network() || assets_.empty()) return;
  const zarr::StaleRegion note = MakeWhole(base, assets_);
  ChangeNotes(base, [&](zarr::StaleRegions& notes) { notes.Add(note); });
  id_ = note.id;
}

void LevelsInWork::Finish(const zarr::StaleRegions& regions, const std::vector<PyramidEditor::Level>& levels) {
  if (id_.empty()) return NoteRefreshed(base_, regions, assets_, levels);
  ChangeNotes(base_, [&](zarr::StaleRegions& notes) {
    const auto is_note = [this](const zarr::StaleRegion& region) { return region.id == id_; };
    if (std::ranges::none_of(notes.list(), is_note)) {
      notes.Add(MakeWhole(base_, assets_));
    } else {
      std::vector<std::string> ids = ListIds(regions);
      ids.push_back(id_);
      notes.RemoveLevels(ids, assets_, ListPresent(base_, levels));
    }
  });
}

void LevelsInWork::GiveUp() {
  if (id_.empty()) return;
  try {
    ChangeNotes(base_, [this](zarr::StaleRegions& notes) { notes.Remove(id_); });
  } catch (const std::exception&) {
    // The note stays until the next refresh, which finds that there are no such levels.
  }
}

}  // namespace gdal_zarr
