#include <memory>
#include <utility>

#include "driver/build_overviews.h"
#include "driver/gdal_error.h"
#include "driver/md_array.h"
#include "driver/overviews.h"
#include "driver/raster_dataset.h"

namespace gdal_zarr {

std::vector<std::string> MDArray::OverviewPaths() const {
  const std::lock_guard lock(overviews_mutex_);
  CheckNotDeleted(GetFullName());
  if (!overview_paths_) {
    std::vector<std::string> paths;
    for (const auto& array : FindOverviews(*context_, *array_)) paths.push_back(array->path());
    overview_paths_ = std::move(paths);
  }
  return *overview_paths_;
}

void MDArray::ForgetOverviews() {
  const std::lock_guard lock(overviews_mutex_);
  overview_paths_.reset();
}

int MDArray::GetOverviewCount() const {
  return Guard(0, [this] { return static_cast<int>(OverviewPaths().size()); });
}

std::shared_ptr<GDALMDArray> MDArray::GetOverview(int level) const {
  return Guard(std::shared_ptr<GDALMDArray>(), [&]() -> std::shared_ptr<GDALMDArray> {
    const std::vector<std::string> paths = OverviewPaths();
    if (level < 0 || level >= static_cast<int>(paths.size())) return nullptr;
    return Make(context_, paths[static_cast<std::size_t>(level)]);
  });
}

CPLErr MDArray::BuildOverviews(const char* resampling, int factor_count, const int* factors, GDALProgressFunc progress,
                               void* progress_data, CSLConstList options) {
  return Guard(
      CE_Failure,
      [&] {
        CheckNotDeleted(GetFullName());
        context_->CheckWritable();
        if (array_->metadata().zarr_format <= zarr::ZarrFormat::kV1) {
          throw zarr::Error(zarr::ErrorKind::kUnsupported, array_->store().name(), array_->path(), "",
                            "overviews stand in groups, which this format does not have");
        }
        // What is wrong with the request is found before anything is removed.
        MakeOverviewRequest(resampling, factor_count, factors, 0, nullptr, progress, progress_data, options);
        RasterDataset raster(context_, std::dynamic_pointer_cast<GDALMDArray>(m_pSelf.lock()), array_,
                             context_->options(), {});
        raster.EnableUpdate();
        const CPLErr removed = raster.BuildOverviews("NONE", 0, nullptr, 0, nullptr, nullptr, nullptr, nullptr);
        if (removed != CE_None || factor_count == 0) return removed;
        return raster.BuildOverviews(resampling, factor_count, factors, 0, nullptr, progress, progress_data, options);
      },
      Activity::kWriting);
}

}  // namespace gdal_zarr
