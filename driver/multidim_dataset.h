#pragma once

#include <memory>
#include <utility>

#include "driver/chunk_plans.h"
#include "driver/gdal_compat.h"
#include "driver/gdal_error.h"
#include "driver/node_context.h"

namespace gdal_zarr {

/// What GDAL gets for OF_MULTIDIM_RASTER: the holder of a root group.
class MultidimDataset final : public GDALDataset {
 public:
  MultidimDataset(std::shared_ptr<NodeContext> context, std::shared_ptr<GDALGroup> root)
      : context_(std::move(context)), root_(std::move(root)) {
    if (context_->writable()) eAccess = GA_Update;
  }
  ~MultidimDataset() override { MultidimDataset::FlushCache(true); }

  std::shared_ptr<GDALGroup> GetRootGroup() const override { return root_; }

  /// Stores what waits, and the consolidated metadata.
  FlushResult FlushCache(bool at_closing) override {
    CPLErr result = FlushBase<GDALDataset>(this, at_closing);
    if (context_->writable() && at_closing && !Changes([this] { ApplyChunkPlans(context_); })) result = CE_Failure;
    if (context_->writable()) {
      const CPLErr stored = Guard(
          CE_Failure, [this] { return context_->Flush(), context_->CheckComplete(), CE_None; }, Activity::kWriting);
      if (stored != CE_None) result = stored;
    }
    return AsFlushResult(result);
  }
  CPLErr Close(ZARR_CLOSE_ARGUMENTS) ZARR_OVERRIDE_SINCE_GDAL_3_7 { return CloseDataset(this); }
  using GDALDataset::nOpenFlags;
  /// Stores all, for a copy that is done: of a store in an archive nothing can be changed then. Reports errors to GDAL.
  CPLErr Complete() {
    const bool complete = Changes([this] {
      ApplyChunkPlans(context_);
      context_->Finish();
    });
    return complete ? CE_None : CE_Failure;
  }
  /// Nothing more is to be stored: what was made is going to be removed.
  void Abandon() { context_->Abandon(); }
  /// Groups and arrays that are still in use can be written to: the last of them then does it.
  CPLErr FinishStore() {
    root_.reset();
    if (!context_->writable() || context_.use_count() > 1) return CE_None;
    return Guard(
        CE_Failure, [this] { return context_->Finish(), CE_None; }, Activity::kWriting);
  }

 private:
  std::shared_ptr<NodeContext> context_;
  std::shared_ptr<GDALGroup> root_;
};

}  // namespace gdal_zarr
