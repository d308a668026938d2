#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/gdal/gdal_compat.h"
#include "driver/raster/raster_dataset.h"

namespace gdal_zarr {

/// Arrays that are alike as one raster: the bands of the first, those of the second, and so on. Georeferencing is that
/// of the first; all else, such as nodata, unit, overviews and side files, each band has from its own array.
class BandStack final : public GDALDataset {
 public:
  struct Member {
    std::string name;  ///< What its bands are called; with several, their number follows.
    std::unique_ptr<RasterDataset> dataset;
  };

  /// Of one member or more, of equal sizes.
  explicit BandStack(std::vector<Member> members);
  ~BandStack() override;

  CPLErr GetGeoTransform(GeoTransformOut transform) ZARR_CONST_SINCE_GDAL_3_12 override;
  const OGRSpatialReference* GetSpatialRef() const override;
  FlushResult FlushCache(bool at_closing) override;
  CPLErr Close(ZARR_CLOSE_ARGUMENTS) ZARR_OVERRIDE_SINCE_GDAL_3_7;
  using GDALDataset::nOpenFlags;
  /// All arrays are in one store.
  CPLErr FinishStore() { return members_.front().dataset->FinishStore(); }
  /// As those of RasterDataset.
  CPLErr SaveAll(bool at_closing);
  CPLErr Complete() { return SaveAll(false) == CE_None ? FinishStore() : CE_Failure; }
  void Abandon() { members_.front().dataset->Abandon(); }

  /// Lets the datasets be written to: what is set is set for each array.
  void EnableUpdate();
  CPLErr SetGeoTransform(GeoTransformIn transform) override;
  CPLErr SetSpatialRef(const OGRSpatialReference* srs) override;
  CPLErr SetMetadata(MetadataList metadata, const char* domain) override;
  CPLErr SetMetadataItem(const char* name, const char* value, const char* domain) override;

 private:
  template <typename Function>
  CPLErr ForEach(Function&& function);

  std::vector<Member> members_;
};

}  // namespace gdal_zarr
