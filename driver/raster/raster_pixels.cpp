// SPDX-License-Identifier: MIT
#include "driver/raster/raster_pixels.h"

#include <numeric>
#include <vector>

#include "driver/dataset/left_out_values.h"
#include "driver/gdal/gdal_error.h"
#include "driver/io/advise_read.h"
#include "driver/io/progress.h"
#include "driver/multidim/md_array.h"
#include "driver/types/type_map.h"
#include "zarrlib/array/read/stored_elements.h"

namespace gdal_zarr {
namespace {

/// Calls `visit` with the column and row of each block of a band that overlaps a window.
template <typename Visit>
void ForEachBlock(GDALRasterBand& band, const Window& window, Visit&& visit) {
  int width = 0;
  int height = 0;
  band.GetBlockSize(&width, &height);
  for (int y = window.y / height; y <= (window.y + window.height - 1) / height; ++y) {
    for (int x = window.x / width; x <= (window.x + window.width - 1) / width; ++x) visit(x, y);
  }
}

CPLErr FlushBlocksOf(GDALDataset& dataset, std::span<const int> bands) {
  if (dataset.GetAccess() != GA_Update) return CE_None;
  CPLErr result = CE_None;
  for (const int band : bands) {
    if (FlushBandBlocks(dataset.GetRasterBand(band + 1)) != CE_None) result = CE_Failure;
  }
  return result;
}

}  // namespace

WriterPool* RasterPixels::FindWriters() const {
  if (!raster_.resource->writable()) return nullptr;
  // Bands of an overview may outlive its removal.
  const auto* own = AsOwnMDArray(raster_.array.get());
  if (own) own->CheckNotDeleted(own->GetFullName());
  return &raster_.resource->edits().writers;
}

std::uint64_t RasterPixels::CountStored(const Window& window, int band) const {
  if (WriterPool* const writers = FindWriters()) writers->Flush(raster_.view.array().path());
  const zarr::Selection selection = raster_.view.GetRegion(window, {band, 1}, {}).selection;
  return zarr::CountStoredElements(raster_.view.array(), {selection.start, selection.count});
}

CPLErr RasterPixels::Read(const Window& window, std::span<const int> bands, const PixelBuffer& buffer, bool use_cache,
                          const GDALRasterIOExtraArg* extra) const {
  if (!hooks_.may_read()) return CE_Failure;
  const auto read_all = [&] {
    WriterPool* const writers = FindWriters();
    const std::function<bool(double)> progress = MakeProgress(extra);
    std::size_t done = 0;
    while (done < bands.size()) {
      const RasterView::BandRun run = raster_.view.RunAt(bands.subspan(done));
      PixelBuffer part = buffer;
      part.data = static_cast<std::byte*>(buffer.data) + static_cast<std::ptrdiff_t>(done) * buffer.band_stride;
      const double total = static_cast<double>(bands.size());
      const double before = static_cast<double>(done) / total;
      const double share = run.count / total;
      const auto shifted = [&](double s) { return progress(before + share * s); };
      if (!raster_.view.Read(window, run, part, use_cache, progress ? shifted : std::function<bool(double)>(),
                             writers)) {
        CPLError(CE_Failure, CPLE_UserInterrupt, "Reading was cancelled");
        return CE_Failure;
      }
      done += static_cast<std::size_t>(run.count);
    }
    if (progress && !progress(1.0)) {
      CPLError(CE_Failure, CPLE_UserInterrupt, "Reading was cancelled");
      return CE_Failure;
    }
    return CE_None;
  };
  return Guard(CE_Failure, read_all);
}

void RasterPixels::ReadAhead(const Window& window, int band, CSLConstList options) const {
  gdal_zarr::ReadAhead(raster_.view.array(), raster_.view.GetRegion(window, {band, 1}, {}).selection, options);
}

CPLErr RasterPixels::Write(const Window& window, std::span<const int> bands, const PixelBuffer& buffer,
                           const GDALRasterIOExtraArg* extra) {
  return GuardChange([&] {
    if (FlushBlocks(bands) != CE_None) return CE_Failure;
    const CPLErr result = WritePixels(window, bands, buffer, extra, false);
    DropBlocks(window, bands);
    return result;
  });
}

CPLErr RasterPixels::WritePixels(const Window& window, std::span<const int> bands, const PixelBuffer& buffer,
                                 const GDALRasterIOExtraArg* extra, bool defer) {
  if (hooks_.before_writing() != CE_None) return CE_Failure;
  if (LeftOutValues::Note("", raster_.view.array().path())) return CE_None;
  const auto write_all = [&] {
    raster_.resource->CheckWritable();
    const std::function<bool(double)> progress = MakeProgress(extra);
    const auto converter = MakeWriteConverter(GDALExtendedDataType::Create(buffer.type), raster_.view.type());
    std::size_t done = 0;
    while (done < bands.size()) {
      const RasterView::BandRun run = raster_.view.RunAt(bands.subspan(done));
      const RasterView::Part part = raster_.view.GetRegion(window, run, buffer);
      const auto* data = static_cast<const std::byte*>(buffer.data) + static_cast<GSpacing>(done) * buffer.band_stride;
      const double total = static_cast<double>(bands.size());
      const double before = static_cast<double>(done) / total;
      const double share = run.count / total;
      const auto shifted = [&](double s) { return progress(before + share * s); };
      if (!AsOwnMDArray(raster_.array.get())
               ->WriteSelection(part.selection, {data, part.strides, converter.get()},
                                progress ? shifted : std::function<bool(double)>(), defer)) {
        CPLError(CE_Failure, CPLE_UserInterrupt, "Writing was cancelled");
        return CE_Failure;
      }
      done += static_cast<std::size_t>(run.count);
    }
    return CE_None;
  };
  return Guard(CE_Failure, write_all, Activity::kWriting);
}

CPLErr RasterPixels::FlushBlocks(std::span<const int> bands) const {
  return FlushBlocksOf(raster_.dataset, bands);
}

CPLErr FlushAllBlocks(GDALDataset& dataset) {
  std::vector<int> bands(static_cast<std::size_t>(dataset.GetRasterCount()));
  std::iota(bands.begin(), bands.end(), 0);
  return FlushBlocksOf(dataset, bands);
}

void RasterPixels::DropBlocks(const Window& window, std::span<const int> bands) {
  for (const int band : bands) {
    GDALRasterBand& target = *raster_.dataset.GetRasterBand(band + 1);
    ForEachBlock(target, window, [&](int x, int y) { target.FlushBlock(x, y, FALSE); });
  }
}

}  // namespace gdal_zarr
