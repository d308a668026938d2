// SPDX-License-Identifier: MIT
#include <memory>
#include <utility>

#include "driver/gdal/gdal_error.h"
#include "driver/multidim/md_array.h"
#include "driver/overviews/compute_overviews.h"
#include "driver/overviews/find_overviews.h"

namespace gdal_zarr {

std::vector<std::string> MDArray::FindOverviewPaths() const {
  CheckNotDeleted(GetFullName());
  std::uint64_t changes = 0;
  {
    const std::lock_guard lock(overviews_mutex_);
    if (overview_paths_) return *overview_paths_;
    changes = overview_changes_;
  }
  std::vector<std::string> paths;
  for (const auto& overview : FindOverviews(*resource_, *array_)) paths.push_back(overview.array->path());
  const std::lock_guard lock(overviews_mutex_);
  if (changes == overview_changes_) overview_paths_ = paths;
  return paths;
}

void MDArray::ForgetOverviews() {
  const std::lock_guard lock(overviews_mutex_);
  overview_paths_.reset();
  ++overview_changes_;
  resource_->edits().stale.ForgetOverviews(array_->path());
}

int MDArray::GetOverviewCount() const {
  return Guard(0, [this] { return static_cast<int>(FindOverviewPaths().size()); });
}

std::shared_ptr<GDALMDArray> MDArray::GetOverview(int level) const {
  return Guard(std::shared_ptr<GDALMDArray>(), [&]() -> std::shared_ptr<GDALMDArray> {
    const std::vector<std::string> paths = FindOverviewPaths();
    if (level < 0 || level >= static_cast<int>(paths.size())) return nullptr;
    return Make(resource_, paths[static_cast<std::size_t>(level)]);
  });
}

void MDArray::SetOverviewBuilder(OverviewBuilder builder, LevelMover mover) {
  overview_builder_ = builder;
  level_mover_ = mover;
}

bool MDArray::MoveLevels() {
  return Guard(
      false, [&] { return level_mover_(*this, GetSelf()) == CE_None; }, Activity::kWriting);
}

CPLErr MDArray::BuildOverviews(const char* resampling, int factor_count, const int* factors, GDALProgressFunc progress,
                               void* progress_data, CSLConstList options) {
  return Guard(
      CE_Failure,
      [&] {
        CheckNotDeleted(GetFullName());
        resource_->CheckWritable();
        if (array_->metadata().zarr_format <= zarr::ZarrFormat::kV1) {
          throw zarr::Error(zarr::ErrorKind::kUnsupported, array_->store().name(), array_->path(), "",
                            "overviews stand in groups, which this format does not have");
        }
        // Checks the request before old overviews are removed.
        MakeOverviewRequest(resampling, factor_count, factors, 0, nullptr, progress, progress_data, options);
        return overview_builder_(*this, GetSelf(),
                                 {resampling, factor_count, factors, progress, progress_data, options});
      },
      Activity::kWriting);
}

}  // namespace gdal_zarr
