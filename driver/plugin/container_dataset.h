// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/multidim/group.h"

namespace gdal_zarr {

/// A dataset without bands that lists other datasets as subdatasets. It cannot be changed, and reports which datasets
/// can.
class ContainerDataset final : public GDALDataset {
 public:
  explicit ContainerDataset(std::shared_ptr<SharedResource> resource);
  /// Warns if the dataset was open for update and has not rejected a change: a program that changes each band has found
  /// none.
  ~ContainerDataset() override;

  /// Call this when the list is complete, if the dataset is opened for update. From then on it rejects metadata.
  void EnableUpdate() { eAccess = GA_Update; }

  std::shared_ptr<GDALGroup> GetRootGroup() const override { return MakeRootGroup(resource_, nOpenFlags); }

  CPLErr SetGeoTransform(GeoTransformIn transform) override;
  CPLErr SetSpatialRef(const OGRSpatialReference* srs) override;
  CPLErr SetGCPs(int count, const GDAL_GCP* points, const OGRSpatialReference* srs) override;
  using GDALDataset::SetGCPs;
  CPLErr SetMetadata(MetadataList metadata, const char* domain) override;
  CPLErr SetMetadataItem(const char* name, const char* value, const char* domain) override;

 protected:
  CPLErr IBuildOverviews(const char* resampling, int factor_count, const int* factors, int band_count, const int* bands,
                         GDALProgressFunc progress, void* progress_data, CSLConstList options) override;

 private:
  /// Reports that `what` does not exist here, or that the store cannot be written at all.
  CPLErr Refuse(CPLErr severity, const char* what);
  /// Reports that `what` does not exist here.
  CPLErr Tell(CPLErr severity, const char* what);
  /// Returns a hint which datasets can be opened instead.
  std::string MakeAdvice();

  std::shared_ptr<SharedResource> resource_;
  bool has_refused_ = false;
};

}  // namespace gdal_zarr
