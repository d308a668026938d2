// SPDX-License-Identifier: MIT
#include "driver/raster/refresh_level.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "driver/overviews/compute_window.h"

namespace gdal_zarr {
namespace {

// A few chunks of the usual size are in memory at a time.
constexpr std::uint64_t kLongestEdge = 512;

/// Returns the chunks that contain a box.
zarr::Box RoundToChunks(const zarr::Box& box, const zarr::Array& array) {
  zarr::Box rounded = box;
  const zarr::Shape edges = array.metadata().chunk_grid.max_chunk_shape();
  for (std::size_t axis = 0; axis < box.rank(); ++axis) {
    const std::uint64_t edge = std::max<std::uint64_t>(edges[axis], 1);
    const std::uint64_t end = std::min((box.end(axis) + edge - 1) / edge * edge, array.shape()[axis]);
    rounded.origin[axis] = box.origin[axis] / edge * edge;
    rounded.shape[axis] = end - rounded.origin[axis];
  }
  return rounded;
}

/// Returns the bands, counted from 0, whose slices a box meets.
std::vector<int> FindBands(const RasterView& view, const zarr::Box& box) {
  const std::vector<std::size_t> others = view.ListOtherDimensions();
  std::vector<int> bands;
  for (int band = 0; band < view.band_count(); ++band) {
    const std::vector<std::uint64_t> indices = view.GetOtherIndices(band);
    bool meets = true;
    for (std::size_t i = 0; i < others.size(); ++i) {
      meets = meets && indices[i] >= box.origin[others[i]] && indices[i] < box.end(others[i]);
    }
    if (meets) bands.push_back(band);
  }
  return bands;
}

/// Returns true if a change of a band can change which pixels of all bands count.
bool IsMaskOfAll(GDALDataset& base, int band) {
  const int flags = base.GetRasterBand(1)->GetMaskFlags();
  const bool by_nodata = (flags & GMF_NODATA) != 0 && (flags & GMF_PER_DATASET) != 0;
  return by_nodata || base.GetRasterBand(band + 1)->GetColorInterpretation() == GCI_AlphaBand;
}

/// Returns the bands, counted from 0, whose values depend on those of a box. A level that is the source of others need
/// not have the base's mask.
std::vector<int> FindDependentBands(GDALDataset& base, const RasterView& view, const zarr::Box& box) {
  std::vector<int> bands = FindBands(view, box);
  if (std::ranges::any_of(bands, [&](int band) { return IsMaskOfAll(base, band); })) {
    bands.resize(static_cast<std::size_t>(view.band_count()));
    std::iota(bands.begin(), bands.end(), 0);
  }
  return bands;
}

/// Calls a function with parts of a box's columns and rows, of a bounded size, until it fails.
template <typename Function>
CPLErr ForEachWindow(const zarr::Box& box, std::size_t x, std::size_t y, const Function& function) {
  const auto next = [](std::uint64_t at, std::uint64_t end) {
    return std::min(end, (at / kLongestEdge + 1) * kLongestEdge);
  };
  for (std::uint64_t top = box.origin[y]; top < box.end(y); top = next(top, box.end(y))) {
    for (std::uint64_t left = box.origin[x]; left < box.end(x); left = next(left, box.end(x))) {
      const LevelWindow window{static_cast<int>(left), static_cast<int>(top),
                               static_cast<int>(next(left, box.end(x)) - left),
                               static_cast<int>(next(top, box.end(y)) - top)};
      if (function(window) != CE_None) return CE_Failure;
    }
  }
  return CE_None;
}

}  // namespace

CPLErr RefreshLevel(GDALDataset& base, GDALDataset& source, GDALDataset& level, const RasterView& view,
                    const LevelRefresh& plan, bool whole_chunks) {
  for (const zarr::Box& part : plan.boxes.boxes()) {
    const zarr::Box box = whole_chunks ? RoundToChunks(part, view.array()) : part;
    const std::vector<int> bands = FindDependentBands(base, view, box);
    const CPLErr result = ForEachWindow(box, view.x_dimension(), view.y_dimension(), [&](const LevelWindow& window) {
      for (const int band : bands) {
        GDALRasterBand& from = *source.GetRasterBand(band + 1);
        GDALRasterBand& to = *level.GetRasterBand(band + 1);
        if (ComputeWindow(from, to, plan.method, window) != CE_None) return CE_Failure;
      }
      return CE_None;
    });
    if (result != CE_None) return result;
  }
  return CE_None;
}

}  // namespace gdal_zarr
