// SPDX-License-Identifier: MIT
#include "driver/raster/raster_levels.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "driver/cf/unsigned_attribute.h"
#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/georeferencing.h"
#include "driver/multidim/shared_dimensions.h"
#include "driver/overviews/compute_overviews.h"
#include "driver/overviews/compute_window.h"
#include "driver/overviews/find_overviews.h"
#include "driver/overviews/level_arrays.h"
#include "driver/overviews/level_groups.h"
#include "driver/overviews/level_metadata.h"
#include "driver/overviews/plain_band.h"
#include "driver/overviews/plan_refresh.h"
#include "driver/overviews/pyramid_editor.h"
#include "driver/raster/raster_pixels.h"
#include "driver/raster/refresh_level.h"
#include "driver/types/type_map.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::Shape;

/// Returns how many bands share chunks, and so are computed together most efficiently.
int CountBandsPerChunk(const OverviewBase& base, const RasterView& view) {
  constexpr std::uint64_t kMost = 64;
  std::uint64_t count = 1;
  const Shape edges = base.array.array().metadata().chunk_grid.max_chunk_shape();
  for (const std::size_t dimension : view.band_dimensions()) {
    count = std::min(kMost, count * std::min(kMost, edges[dimension]));
  }
  return static_cast<int>(count);
}

/// If only some bands are computed, the levels must exist and contain the other bands already.
void CheckBands(const OverviewBase& base, const RasterView& view, const OverviewRequest& request, bool all_there) {
  std::vector<int> bands = request.bands;
  std::sort(bands.begin(), bands.end());
  bands.erase(std::unique(bands.begin(), bands.end()), bands.end());
  if (all_there || static_cast<int>(bands.size()) == view.band_count()) return;
  RefuseOverviews(base, "new levels are those of all bands of the array, and some of the bands were left out");
}

/// Returns true if a request leaves no part of the levels as it is.
bool ComputesAll(const RasterView& view, const OverviewRequest& request) {
  const std::set<int> bands(request.bands.begin(), request.bands.end());
  return ComputesPixels(request) && !HasRegion(request) && static_cast<int>(bands.size()) == view.band_count();
}

std::vector<std::string> ListAssets(const std::vector<PyramidEditor::Level>& levels) {
  std::vector<std::string> assets;
  for (const PyramidEditor::Level& level : levels) assets.push_back(level.asset);
  return assets;
}

/// Returns true if a new array for a level would have the chunks of the present one.
bool HasChunksOfNew(const OverviewBase& base, const zarr::Array& array, const Shape& shape) {
  const zarr::ArrayMetadata wanted = MakeLevelMetadata(base, shape);
  const zarr::ArrayMetadata& present = array.metadata();
  return wanted.chunk_grid.max_chunk_shape() == present.chunk_grid.max_chunk_shape() &&
         std::equal(wanted.codecs.begin(), wanted.codecs.end(), present.codecs.begin(), present.codecs.end(),
                    [](const zarr::CodecSpec& a, const zarr::CodecSpec& b) {
                      return a.name == b.name && a.configuration == b.configuration;
                    });
}

/// Returns the levels in their new shapes, with entries that describe them.
std::vector<PyramidEditor::Level> DescribeLevels(const OverviewBase& base, const std::vector<LevelRefresh>& plan) {
  std::vector<PyramidEditor::Level> levels;
  for (const LevelRefresh& level : plan) {
    PyramidEditor::Level described{level.level.asset, level.shape, level.level.entry};
    const auto source =
        std::ranges::find_if(plan, [&](const LevelRefresh& other) { return other.level.asset == level.source_asset; });
    const bool is_from_base = source == plan.end();
    const bool is_ours = IsGroupForLevels(GetParentPath(described.asset));
    if (!level.method.empty() && (is_ours || level.is_resized())) {
      described.entry =
          MakeLevelEntry(base, described.asset, level.shape, is_from_base ? base.name() : level.source_asset,
                         is_from_base ? base.array.array().shape() : source->shape, level.method);
    }
    levels.push_back(std::move(described));
  }
  return levels;
}

bool AreDescribed(const std::vector<PyramidEditor::Level>& levels, const std::vector<LevelRefresh>& plan) {
  return std::equal(levels.begin(), levels.end(), plan.begin(), plan.end(), [](const auto& level, const auto& refresh) {
    return !refresh.is_resized() && zarr::AreWrittenAlike(level.entry, refresh.level.entry);
  });
}

}  // namespace

RasterLevels::RasterLevels(const RasterParts& raster, OverviewFile& file, bool is_level, Hooks hooks)
    : raster_(raster), file_(file), hooks_(std::move(hooks)) {
  if (is_level) levels_.emplace();
}

void RasterLevels::Find() {
  std::vector<Level> levels;
  if (raster_.view.array().metadata().zarr_format <= zarr::ZarrFormat::kV1) file_.Use();
  for (auto& overview : FindOverviews(*raster_.resource, raster_.view.array())) {
    if (IsLevel(*overview.array)) levels.push_back({std::move(overview.array), overview.method, nullptr});
  }
  levels_ = std::move(levels);
}

bool RasterLevels::IsLevel(const zarr::Array& array) const {
  const RasterView& view = raster_.view;
  const Shape& shape = view.array().shape();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool horizontal = i == view.x_dimension() || i == view.y_dimension();
    if (!horizontal && array.shape()[i] != shape[i]) return false;
  }
  // If the base shows its numbers with the other signedness than before, its overviews do, too.
  const bool is_of_type = GetShownType(array) == raster_.view.type();
  if (!is_of_type || zarr::ComputeProduct(array.shape()) == 0) return false;
  const GeoContext base{*raster_.resource, view.array()};
  const GeoContext level{*raster_.resource, array};
  return !IsElsewhere(base, level, {view.x_dimension(), view.y_dimension()});
}

int RasterLevels::Count() {
  return Guard(0, [this] {
    if (!levels_) Find();
    return static_cast<int>(levels_->size());
  });
}

GDALRasterBand* RasterLevels::GetBand(int level, int band) {
  if (level < 0 || level >= Count()) return nullptr;
  return Guard<GDALRasterBand*>(nullptr, [&] {
    Level& wanted = (*levels_)[static_cast<std::size_t>(level)];
    if (!wanted.dataset) {
      const Dataset& opened = OpenLevel(wanted.array);
      opened.set_method(GetMethodName(wanted.method));
      wanted.dataset = opened.dataset.get();
    }
    return wanted.dataset->GetRasterBand(band);
  });
}

CPLErr RasterLevels::FlushBlocks() const {
  CPLErr result = CE_None;
  for (const Dataset& level : datasets_) {
    if (FlushAllBlocks(*level.dataset) != CE_None) result = CE_Failure;
  }
  return result;
}

void RasterLevels::Check(const OverviewBase& base) const {
  const zarr::Array& array = base.array.array();
  raster_.resource->CheckWritable();
  if (array.path().empty()) {
    RefuseOverviews(base,
                    "overviews stand in groups beside the array, and an array that is a store has nothing beside it; "
                    "in a dataset that is open for reading only, they are made in a file");
  }
  if (base.axes.y >= array.rank()) RefuseOverviews(base, "an array of one dimension has no overviews");
  if (raster_.view.band_dimensions().size() + 2 < array.rank()) {
    RefuseOverviews(base, "overviews are made of all slices of an array: open it without indices");
  }
  if (!(raster_.array->GetDataType() == ShareElementForm(GetShownType(array))->type)) {
    RefuseOverviews(base, "_Unsigned has changed the type of the array since it was opened: open it again");
  }
}

CPLErr RasterLevels::Build(const OverviewBase& base, const OverviewRequest& request) {
  return request.factors.empty() ? Remove(base) : Make(base, request);
}

CPLErr RasterLevels::Remove(const OverviewBase& base) {
  PyramidEditor pyramid(base);
  pyramid.CheckCanChange();
  const zarr::StaleRegions stale = ReadStaleRegions(base);
  pyramid.Clear();
  NoteRefreshed(base, stale, {}, {});
  file_.Clean();
  Reload();
  raster_.resource->Flush();
  if (!levels_->empty()) {
    RefuseOverviews(base, "the overviews that are left are arrays that another program has declared");
  }
  return CE_None;
}

CPLErr RasterLevels::Make(const OverviewBase& base, const OverviewRequest& request) {
  PyramidEditor pyramid(base);
  pyramid.CheckCanChange();
  if (pyramid.levels().empty() && HasLevelsOfOthers(*raster_.resource, base.array.array())) {
    RefuseOverviews(base, "another program has declared overviews of this array, which new ones would hide");
  }
  std::vector<PyramidEditor::Level> wanted;
  for (const int factor : request.factors) {
    PyramidEditor::Level level = pyramid.FindLevel(factor);
    if (!(level.shape == raster_.view.array().shape())) wanted.push_back(std::move(level));
  }
  const auto is_there = [&](const PyramidEditor::Level& level) {
    return pyramid.Has(level) && HasLevelArray(base, pyramid.GetPath(level.asset), level.shape);
  };
  const bool all_there = std::all_of(wanted.begin(), wanted.end(), is_there);
  CheckBands(base, raster_.view, request, all_there);
  if (!ComputesPixels(request)) std::erase_if(wanted, is_there);  // they keep their pixels, and what is said of them
  LevelsInWork in_work(base, ListAssets(wanted));
  const zarr::StaleRegions stale = ReadStaleRegions(base);
  OverviewRequest settings = request;
  settings.bands_at_once = CountBandsPerChunk(base, raster_.view);
  if (!all_there) settings.options = nullptr;  // with a region only, the rest of new levels would stay empty

  CPLErr result = CE_Failure;
  WriterPool& writers = raster_.resource->edits().writers;
  try {
    writers.FlushAll();  // the levels' coordinates are computed from the stored ones
    pyramid.Prepare();
    std::vector<GDALDataset*> datasets;
    for (const PyramidEditor::Level& level : wanted) {
      datasets.push_back(OpenLevel(pyramid.Make(level)->shared_array()).dataset.get());
    }
    result = ComputeLevels(raster_.dataset, datasets, settings);
    if (FlushBlocks() != CE_None) result = CE_Failure;
    writers.FlushAll();
    if (result == CE_None) {
      pyramid.Set(wanted, request.resampling);
      in_work.Finish(ComputesAll(raster_.view, settings) ? stale : zarr::StaleRegions(), pyramid.levels());
    }
  } catch (...) {
    pyramid.Drop(wanted);
    in_work.GiveUp();
    throw;
  }
  if (result != CE_None) {
    pyramid.Drop(wanted);
    in_work.GiveUp();
  }
  Reload();
  raster_.resource->Flush();
  return result;
}

CPLErr RasterLevels::Refresh(const OverviewBase& base) {
  PyramidEditor pyramid(base);
  std::vector<PyramidEditor::Level> levels = pyramid.levels();
  levels.insert(levels.end(), pyramid.lost().begin(), pyramid.lost().end());
  zarr::StaleRegions stale = ReadStaleRegions(base);
  if (levels.empty() && !stale.empty() && !FindLevelsOfBase(*raster_.resource, base.array.array()).empty()) {
    RefuseOverviews(base, "overviews that another program has declared cannot be refreshed");
  }
  std::vector<LevelRefresh> plan = PlanRefresh(base, levels, stale);
  CPLErr result = CE_None;
  if (std::ranges::any_of(plan, [](const LevelRefresh& level) { return !level.boxes.empty(); })) {
    if (std::ranges::any_of(plan, &LevelRefresh::is_resized)) {
      // If this is interrupted, a level may have its new shape, but not its pixels.
      NoteAllStale(base);
      stale = ReadStaleRegions(base);
    }
    result = ComputeStale(base, &pyramid, &plan);
  }
  if (result == CE_None) NoteRefreshed(base, stale, ListAssets(levels), levels);
  raster_.resource->Flush();
  return result;
}

CPLErr RasterLevels::RefreshUnit(const OverviewBase& base, const std::string& unit) {
  const PyramidEditor pyramid(base);
  const std::vector<LevelRefresh> plan = PlanUnit(base, pyramid.levels(), unit);
  const auto level = std::ranges::find_if(plan, [](const LevelRefresh& other) { return !other.boxes.empty(); });
  const auto find = [&](const LevelRefresh& wanted) {
    return raster_.resource->finder().FindArray(pyramid.GetPath(wanted.level.asset));
  };
  GDALDataset& source = level->source ? *OpenLevel(find(plan[*level->source])).dataset : raster_.dataset;
  if (!CanComputeWindows(*source.GetRasterBand(1), level->method)) {
    RefuseOverviews(base, "overviews by the method " + level->method + " are not computed in units");
  }
  CPLErr result = ComputeOne(source, OpenLevel(find(*level)), *level, 1);
  if (FlushBlocks() != CE_None) result = CE_Failure;
  raster_.resource->Flush();
  return result;
}

CPLErr RasterLevels::ComputeStale(const OverviewBase& base, PyramidEditor* pyramid, std::vector<LevelRefresh>* plan) {
  WriterPool& writers = raster_.resource->edits().writers;
  writers.FlushAll();
  if (std::ranges::any_of(*plan, &LevelRefresh::is_resized)) pyramid->Prepare();
  std::vector<std::shared_ptr<const zarr::Array>> arrays;
  for (LevelRefresh& level : *plan) arrays.push_back(AdaptLevel(base, pyramid, &level));
  for (const auto& array : arrays) OpenLevel(array);
  CPLErr result = CE_None;
  for (std::size_t i = 0; i < plan->size() && result == CE_None; ++i) {
    const LevelRefresh& level = (*plan)[i];
    // Levels of colours are all made from the base, as when they were built.
    const bool by_colors = UsesColors(*raster_.dataset.GetRasterBand(1), level.method);
    GDALDataset& source = level.source && !by_colors ? *OpenLevel(arrays[*level.source]).dataset : raster_.dataset;
    if (!level.boxes.empty())
      result = ComputeOne(source, OpenLevel(arrays[i]), level, CountBandsPerChunk(base, raster_.view));
  }
  if (FlushBlocks() != CE_None) result = CE_Failure;
  writers.FlushAll();
  const std::vector<PyramidEditor::Level> described = DescribeLevels(base, *plan);
  if (result == CE_None && !AreDescribed(described, *plan)) pyramid->Update(described);
  Reload();
  return result;
}

std::shared_ptr<const zarr::Array> RasterLevels::AdaptLevel(const OverviewBase& base, PyramidEditor* pyramid,
                                                            LevelRefresh* level) {
  const std::string path = pyramid->GetPath(level->level.asset);
  auto array = base.resource().finder().FindArray(path);
  const bool is_ours = IsGroupForLevels(GetParentPath(path));
  if (array && level->is_resized() && (!is_ours || HasChunksOfNew(base, *array, level->shape))) {
    ResizeSharedDimensions(raster_.resource, *array, level->shape);
    array = base.resource().finder().FindArray(path);
  }
  const bool is_same = array && HasLevelArray(base, path, level->shape);
  if (!is_same) level->boxes.Add({Shape(level->shape.size()), level->shape});
  const zarr::Box whole{Shape(level->shape.size()), level->shape};
  const bool is_whole = std::ranges::find(level->boxes.boxes(), whole) != level->boxes.boxes().end();
  // Its georeferencing or its nodata value may have changed as well.
  if (!is_same || level->is_resized() || is_whole) {
    return pyramid->Make({level->level.asset, level->shape, level->level.entry})->shared_array();
  }
  return array;
}

CPLErr RasterLevels::ComputeOne(GDALDataset& source, const Dataset& level, const LevelRefresh& plan,
                                int bands_at_once) const {
  if (CanComputeWindows(*source.GetRasterBand(1), plan.method)) {
    return RefreshLevel(raster_.dataset, source, *level.dataset, *level.view, plan,
                        raster_.resource->options().refuse_partial_writes);
  }
  std::vector<int> bands(static_cast<std::size_t>(source.GetRasterCount()));
  std::iota(bands.begin(), bands.end(), 1);
  OverviewRequest request = MakeOverviewRequest(plan.method.c_str(), 0, nullptr, static_cast<int>(bands.size()),
                                                bands.data(), nullptr, nullptr, nullptr);
  request.bands_at_once = bands_at_once;
  return ComputeLevels(source, {level.dataset.get()}, request);
}

RasterLevels::Dataset& RasterLevels::OpenLevel(const std::shared_ptr<const zarr::Array>& array) {
  const auto known = std::find_if(datasets_.begin(), datasets_.end(), [&](const Dataset& level) {
    const zarr::Array& open = level.view->array();
    return open.path() == array->path() && open.shape() == array->shape();
  });
  if (known != datasets_.end()) {
    known->set_array(array);
    return *known;
  }
  datasets_.push_back(hooks_.open(array));
  return datasets_.back();
}

void RasterLevels::Reload() {
  levels_.reset();
  Find();
  hooks_.changed();
}

}  // namespace gdal_zarr
