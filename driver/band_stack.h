#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/gdal_compat.h"
#include "driver/raster_dataset.h"

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

 private:
  std::vector<Member> members_;
};

}  // namespace gdal_zarr
