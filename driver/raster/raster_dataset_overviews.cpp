// SPDX-License-Identifier: MIT
#include <utility>

#include "driver/gdal/gdal_error.h"
#include "driver/multidim/md_array.h"
#include "driver/multidim/stale_overviews.h"
#include "driver/overviews/compute_overviews.h"
#include "driver/overviews/level_groups.h"
#include "driver/raster/raster_dataset.h"
#include "zarrlib/store/store_locks.h"

namespace gdal_zarr {

CPLErr RasterDataset::IBuildOverviews(const char* resampling, int factor_count, const int* factors, int band_count,
                                      const int* bands, GDALProgressFunc progress, void* progress_data,
                                      CSLConstList options) {
  // v1 has no groups. A store that is open for reading only, as by gdaladdo -ro, must not be changed.
  const bool in_file = view_.array().metadata().zarr_format <= zarr::ZarrFormat::kV1;
  if (in_file || eAccess != GA_Update) {
    const auto check = [&] {
      if (in_file) {
        overview_file_.Use();
      } else if (factor_count > 0 && levels_.Count() > 0) {
        throw zarr::Error(zarr::ErrorKind::kReadOnly, view_.array().store().name(), view_.array().path(), "",
                          "the store has overviews of this array, next to which those in a file are not used; open it "
                          "for update to change them");
      }
      return overview_file_.Check();
    };
    if (Guard(CE_Failure, check) != CE_None) return CE_Failure;
    const CPLErr result = GDALPamDataset::IBuildOverviews(resampling, factor_count, factors, band_count, bands,
                                                          progress, progress_data, options);
    if (result == CE_None) overview_file_.NoteBuilt(factor_count > 0);
    return result;
  }
  return Guard(
      CE_Failure,
      [&] {
        const OverviewRequest request =
            MakeOverviewRequest(resampling, factor_count, factors, band_count, bands, progress, progress_data, options);
        resource_->CheckWritable();
        return ChangePyramid([&](const OverviewBase& base) { return levels_.Build(base, request); });
      },
      Activity::kWriting);
}

CPLErr RasterDataset::ChangePyramid(const std::function<CPLErr(const OverviewBase&)>& change) {
  levels_.Check(georeferencing_.MakeBase(GetOwnArray(parts_)));
  // Flushes now, so that no blocks of removed levels are written later.
  if (SaveAll(false) != CE_None) return CE_Failure;
  // Waits for other threads or processes that create levels of this array. Their computation calls the user's function,
  // which must not build overviews of the array itself.
  const auto locked = LockPyramid(*parts_.resource, GetOwnArray(parts_).array().path());
  if (georeferencing_.TakeStored() != CE_None) return CE_Failure;
  const OverviewBase base = georeferencing_.MakeBase(GetOwnArray(parts_));
  if (locked) ChangeLevels(base, [] {});  // loads the levels that the other one created
  return change(base);
}

CPLErr RasterDataset::RefreshOverviews() {
  return GuardChange([&] {
    try {
      return ChangePyramid([&](const OverviewBase& base) { return levels_.Refresh(base); });
    } catch (const zarr::Error& error) {
      throw zarr::Error(error.kind(), error.store(), error.key(), error.pointer(),
                        "overviews stay stale, because they could not be refreshed: " + error.message());
    }
  });
}

CPLErr RasterDataset::RefreshUnit() {
  const std::string unit = std::exchange(overview_unit_, "");
  if (unit.empty() || eAccess != GA_Update) return CE_None;
  return GuardChange([&] { return levels_.RefreshUnit(georeferencing_.MakeBase(GetOwnArray(parts_)), unit); });
}

CPLErr RasterDataset::RefreshAtClose() {
  if (!std::exchange(refreshes_overviews_, false) || eAccess != GA_Update) return CE_None;
  return GuardChange([&] { return RefreshChangedOverviews(resource_, {view_.array().path()}); });
}

RasterLevels::Hooks RasterDataset::MakeLevelHooks() {
  const auto open = [this](const std::shared_ptr<const zarr::Array>& array) {
    std::unique_ptr<RasterDataset> level(new RasterDataset(*this, array));
    if (resource_->writable()) level->EnableUpdate();
    RasterDataset* const raster = level.get();
    const auto set_array = [raster](std::shared_ptr<const zarr::Array> snapshot) {
      raster->md_array_ = MDArray::Make(raster->resource_, snapshot->path());
      raster->view_.Replace(std::move(snapshot));
    };
    const auto set_method = [raster](const std::string& method) { raster->band_values_.SetMethod(method); };
    return RasterLevels::Dataset{std::move(level), &raster->view_, set_array, set_method};
  };
  return {open, [this] { GetOwnArray(parts_).ForgetOverviews(); }};
}

}  // namespace gdal_zarr
