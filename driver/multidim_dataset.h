#pragma once

#include <memory>
#include <utility>

#include "driver/gdal_compat.h"

namespace gdal_zarr {

/// What GDAL gets for OF_MULTIDIM_RASTER: the holder of a root group.
class MultidimDataset final : public GDALDataset {
 public:
  explicit MultidimDataset(std::shared_ptr<GDALGroup> root) : root_(std::move(root)) {}
  std::shared_ptr<GDALGroup> GetRootGroup() const override { return root_; }

 private:
  std::shared_ptr<GDALGroup> root_;
};

}  // namespace gdal_zarr
