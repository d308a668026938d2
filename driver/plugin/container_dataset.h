// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// A dataset without bands, which lists others as subdatasets. It takes no changes, and says what does.
class ContainerDataset final : public GDALDataset {
 public:
  explicit ContainerDataset(std::shared_ptr<SharedResource> resource);
  /// Warns if the dataset was open for update and has not refused anything: a program that changes each of the bands
  /// has found none.
  ~ContainerDataset() override;

  /// To be called when the dataset has its list, if it is opened for update. From then on it refuses metadata.
  void EnableUpdate() { eAccess = GA_Update; }

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
  /// Reports that there is no such thing as `what` here, or that the store takes no writes at all.
  CPLErr Refuse(CPLErr severity, const char* what);
  /// Reports that there is no such thing as `what` here.
  CPLErr Tell(CPLErr severity, const char* what);
  /// Says which datasets can be named instead.
  std::string MakeAdvice();

  std::shared_ptr<SharedResource> resource_;
  bool has_refused_ = false;
};

}  // namespace gdal_zarr
