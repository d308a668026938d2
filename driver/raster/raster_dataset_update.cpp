// SPDX-License-Identifier: MIT
#include <utility>

#include "driver/multidim/md_array.h"
#include "driver/raster/raster_band.h"
#include "driver/raster/raster_dataset.h"

namespace gdal_zarr {

void RasterDataset::EnableUpdate() {
  eAccess = GA_Update;
  for (int band = 1; band <= nBands; ++band) static_cast<RasterBand*>(GetRasterBand(band))->EnableUpdate();
}

FlushResult RasterDataset::FlushCache(bool at_closing) {
  return ToFlushResult(SaveAll(at_closing));
}

CPLErr RasterDataset::SaveAll(bool at_closing) {
  CPLErr result = GuardChange([this] { return SaveSideFile(); });
  if (FlushBase<GDALPamDataset>(this, at_closing) != CE_None) result = CE_Failure;
  if (at_closing && !TryChange([this] { band_values_.WarnOfUneven(); })) result = CE_Failure;
  if (levels_.FlushBlocks() != CE_None) result = CE_Failure;
  if (georeferencing_.SaveWaiting() != CE_None) result = CE_Failure;
  if (at_closing && last_change_ && result == CE_None) result = MakeLastChange();
  if (eAccess == GA_Update) {
    const CPLErr stored =
        GuardChange([this] { return resource_->Flush(), resource_->edits().saving.CheckComplete(), CE_None; });
    if (stored != CE_None) result = stored;
    band_values_.NoteFlush();
    overview_file_.NoteFlush();
  }
  if (result == CE_None) result = RefreshUnit();
  if (at_closing && result == CE_None) result = RefreshAtClose();
  if (at_closing && overview_file_.TakeBehind() && levels_.Count() == 0) overview_file_.WarnOfBehind();
  return result;
}

CPLErr RasterDataset::MakeLastChange() {
  return GuardChange([this] {
    resource_->edits().saving.Attempt(std::exchange(last_change_, nullptr));
    view_.Replace(GetOwnArray(parts_).shared_array());
    return CE_None;
  });
}

CPLErr RasterDataset::FinishStore() {
  if (eAccess != GA_Update) return CE_None;
  return GuardChange([this] { return resource_->Finish(), CE_None; });
}

CPLErr RasterDataset::Close(ZARR_CLOSE_ARGUMENTS) {
  return CloseDataset(this);
}

}  // namespace gdal_zarr
