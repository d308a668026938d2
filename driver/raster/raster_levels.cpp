// SPDX-License-Identifier: MIT
#include "driver/raster/raster_levels.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/georeferencing.h"
#include "driver/overviews/compute_overviews.h"
#include "driver/overviews/find_overviews.h"
#include "driver/overviews/level_arrays.h"
#include "driver/overviews/pyramid_editor.h"
#include "driver/raster/raster_pixels.h"

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

}  // namespace

RasterLevels::RasterLevels(const RasterParts& raster, OverviewFile& file, bool is_level, Hooks hooks)
    : raster_(raster), file_(file), hooks_(std::move(hooks)) {
  if (is_level) levels_.emplace();
}

void RasterLevels::Find() {
  std::vector<Level> levels;
  if (raster_.view.array().metadata().zarr_format <= zarr::ZarrFormat::kV1) file_.Use();
  for (auto& array : FindOverviews(*raster_.resource, raster_.view.array())) {
    if (IsLevel(*array)) levels.push_back({std::move(array), nullptr});
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
  if (zarr::ComputeProduct(array.shape()) == 0) return false;
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
    if (!wanted.dataset) wanted.dataset = OpenLevel(wanted.array);
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
}

CPLErr RasterLevels::Build(const OverviewBase& base, const OverviewRequest& request) {
  return request.factors.empty() ? Remove(base) : Make(base, request);
}

CPLErr RasterLevels::Remove(const OverviewBase& base) {
  PyramidEditor pyramid(base);
  pyramid.Clear();
  file_.Clean();
  Reload();
  raster_.resource->Flush();
  if (!levels_->empty()) {
    RefuseOverviews(base, "the overviews that are left are arrays of another group, whose layout names them");
  }
  return CE_None;
}

CPLErr RasterLevels::Make(const OverviewBase& base, const OverviewRequest& request) {
  PyramidEditor pyramid(base);
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
      datasets.push_back(OpenLevel(pyramid.Make(level)->shared_array()));
    }
    result = ComputeLevels(raster_.dataset, datasets, settings);
    if (FlushBlocks() != CE_None) result = CE_Failure;
    writers.FlushAll();
    if (result == CE_None) pyramid.Set(wanted, request.resampling);
  } catch (...) {
    pyramid.Drop(wanted);
    throw;
  }
  if (result != CE_None) pyramid.Drop(wanted);
  Reload();
  raster_.resource->Flush();
  return result;
}

GDALDataset* RasterLevels::OpenLevel(const std::shared_ptr<const zarr::Array>& array) {
  const auto known = std::find_if(datasets_.begin(), datasets_.end(), [&](const Dataset& level) {
    const zarr::Array& open = level.view->array();
    return open.path() == array->path() && open.shape() == array->shape();
  });
  if (known != datasets_.end()) {
    known->set_array(array);
    return known->dataset.get();
  }
  datasets_.push_back(hooks_.open(array));
  return datasets_.back().dataset.get();
}

void RasterLevels::Reload() {
  levels_.reset();
  Find();
  hooks_.changed();
}

}  // namespace gdal_zarr
