// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/gdal/gdal_compat.h"
#include "driver/raster/raster_dataset.h"

namespace gdal_zarr {

/// Presents arrays of one kind as one raster: the bands of the first array, then those of the second array, and so on.
/// The georeferencing is taken from the first array. Ground control points and metadata domains are shown if they are
/// the same in all arrays. Everything else, such as nodata, unit and overviews, belongs to each band's array.
class BandStack final : public GDALDataset {
 public:
  struct Member {
    std::string name;  ///< The name of its bands. If it has several bands, their numbers follow.
    std::unique_ptr<RasterDataset> dataset;
  };

  /// Throws zarr::Error(invalid_argument) if the members have too many bands in total.
  static void CheckBandCount(const std::vector<Member>& members);
  /// There must be at least one member, and all must have the same size. Throws zarr::Error(io) if a member's metadata
  /// cannot be read.
  explicit BandStack(std::vector<Member> members);
  ~BandStack() override;

  const std::vector<Member>& members() const { return members_; }

  CPLErr GetGeoTransform(GeoTransformOut transform) ZARR_CONST_SINCE_GDAL_3_12 override;
  const OGRSpatialReference* GetSpatialRef() const override;
  int GetGCPCount() override;
  const OGRSpatialReference* GetGCPSpatialRef() const override;
  const GDAL_GCP* GetGCPs() override;
  FlushResult FlushCache(bool at_closing) override;
  CPLErr Close(ZARR_CLOSE_ARGUMENTS) ZARR_OVERRIDE_SINCE_GDAL_3_7;
  using GDALDataset::nOpenFlags;
  /// All arrays are in one store.
  CPLErr FinishStore() { return members_.front().dataset->FinishStore(); }
  /// Like the functions of RasterDataset.
  CPLErr SaveAll(bool at_closing);
  CPLErr Complete();
  void Abandon() { members_.front().dataset->Abandon(); }

  /// Makes all bands show a type until Complete: GDAL copies whole rasters by way of the type of the first band.
  void ShowAs(GDALDataType type);

  /// Makes the datasets writable. Setters set a value in each array.
  void EnableUpdate();
  CPLErr SetGeoTransform(GeoTransformIn transform) override;
  CPLErr SetSpatialRef(const OGRSpatialReference* srs) override;
  CPLErr SetMetadata(MetadataList metadata, const char* domain) override;
  CPLErr SetMetadataItem(const char* name, const char* value, const char* domain) override;
  CPLErr SetGCPs(int count, const GDAL_GCP* points, const OGRSpatialReference* srs) override;
  using GDALDataset::SetGCPs;

 private:
  template <typename Function>
  CPLErr ForEach(Function&& function);
  /// Returns true if all arrays have the ground control points of the first one.
  bool SharesPoints() const;

  std::vector<Member> members_;
};

}  // namespace gdal_zarr
