// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "driver/dataset/native_metadata.h"
#include "driver/dataset/request_items.h"
#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/gdal/gdal_error.h"
#include "driver/multidim/carry_out_chunk_plans.h"
#include "driver/multidim/group.h"
#include "driver/multidim/stale_overviews.h"

namespace gdal_zarr {

/// The dataset that GDAL gets for OF_MULTIDIM_RASTER. It has a root group.
class MultidimDataset final : public GDALDataset {
 public:
  MultidimDataset(std::shared_ptr<SharedResource> resource, std::shared_ptr<Group> root)
      : resource_(std::move(resource)), root_(std::move(root)) {
    if (resource_->writable()) eAccess = GA_Update;
  }
  ~MultidimDataset() override {
    MultidimDataset::FlushCache(true);
    TryChange([this] { TakeBackEmptyStore(); });
  }

  std::shared_ptr<GDALGroup> GetRootGroup() const override { return root_; }
  const std::shared_ptr<SharedResource>& resource() const { return resource_; }

  /// Returns GDAL's domains, and ZARR_REQUESTS.
  char** GetMetadataDomainList() override {
    return Guard<char**>(nullptr, [&] {
      UpdateRequestItems(*resource_->hierarchy().store(), &native_metadata_);
      return native_metadata_.AddDomains(GDALDataset::GetMetadataDomainList());
    });
  }
  MetadataList GetMetadata(const char* domain) override {
    return Guard<MetadataList>(nullptr, [&] {
      if (IsRequestsDomain(domain)) UpdateRequestItems(*resource_->hierarchy().store(), &native_metadata_);
      return native_metadata_.Merge(GDALDataset::GetMetadata(domain), domain);
    });
  }
  const char* GetMetadataItem(const char* name, const char* domain) override {
    return Guard<const char*>(nullptr, [&]() -> const char* {
      if (!IsRequestsDomain(domain)) return GDALDataset::GetMetadataItem(name, domain);
      UpdateRequestItems(*resource_->hierarchy().store(), &native_metadata_);
      return name ? native_metadata_.FindItem(name, domain) : nullptr;
    });
  }

  /// Saves pending data, and the consolidated metadata.
  FlushResult FlushCache(bool at_closing) override {
    CPLErr result = FlushBase<GDALDataset>(this, at_closing);
    if (resource_->writable() && at_closing && !TryChange([this] { CarryOutChunkPlans(resource_); }))
      result = CE_Failure;
    if (resource_->writable()) {
      const CPLErr stored = Guard(
          CE_Failure, [this] { return resource_->Flush(), resource_->edits().saving.CheckComplete(), CE_None; },
          Activity::kWriting);
      if (stored != CE_None) result = stored;
      if (at_closing && result == CE_None) result = RefreshOverviews();
    }
    return ToFlushResult(result);
  }
  CPLErr Close(ZARR_CLOSE_ARGUMENTS) ZARR_OVERRIDE_SINCE_GDAL_3_7 { return CloseDataset(this); }
  using GDALDataset::nOpenFlags;
  /// Saves everything, and finishes the store of a complete copy. Afterwards, a store in an archive cannot be changed.
  /// Reports errors to GDAL.
  CPLErr Complete() {
    const bool complete = TryChange([this] {
      CarryOutChunkPlans(resource_);
      resource_->Finish();
    });
    return complete ? CE_None : CE_Failure;
  }
  /// Stops saving, because the store is going to be removed.
  void Abandon() { resource_->edits().saving.Abandon(); }
  /// For a new store: sets how it is removed if it is empty because its content was rejected. The function may throw
  /// zarr::Error.
  void SetTakeBack(std::function<void()> take_back) { take_back_ = std::move(take_back); }
  /// Finishes the store unless groups and arrays are still in use, because they can be written to. The store is then
  /// finished when the last of them is released.
  CPLErr FinishStore() {
    return GuardChange([this] {
      const bool is_gone = TakeBackEmptyStore();
      if (!is_gone && resource_->writable() && resource_.use_count() == 1) resource_->Finish();
      return CE_None;
    });
  }

 private:
  CPLErr RefreshOverviews() {
    return GuardChange([this] {
      const CPLErr result = RefreshChangedOverviews(resource_);
      return resource_->Flush(), result;
    });
  }
  /// Ends the use of the root group. Removes a new store if it is empty and creating its content failed; returns true
  /// if it did. Throws zarr::Error.
  bool TakeBackEmptyStore() {
    const bool has_refused = root_ && root_->has_refused();
    root_.reset();
    if (!has_refused || !take_back_ || resource_.use_count() > 1) return false;
    const zarr::JsonNode attributes = resource_->hierarchy().OpenGroup("").attributes;
    const bool has_attributes = attributes.IsObject() && attributes.size() > 0;
    if (has_attributes || !resource_->hierarchy().List("").empty()) return false;
    resource_->edits().saving.Abandon();
    std::exchange(take_back_, nullptr)();
    return true;
  }

  std::shared_ptr<SharedResource> resource_;
  std::shared_ptr<Group> root_;
  std::function<void()> take_back_;
  NativeMetadata native_metadata_;
};

}  // namespace gdal_zarr
