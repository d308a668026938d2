// SPDX-License-Identifier: MIT
#include "driver/create/plane_names.h"

#include "driver/georeferencing/raster_axes.h"
#include "driver/raster/raster_dataset.h"

namespace gdal_zarr {

PlaneNames FindPlaneNames(GDALDataset& source) {
  const auto* own = AsRasterDataset(&source);
  if (!own) return {};
  const RasterView& view = own->parts().view;
  const auto& names = view.array().metadata().dimension_names;
  if (view.y_dimension() >= names.size() || view.x_dimension() >= names.size()) return {};
  const PlaneNames found{names[view.x_dimension()].value_or(""), names[view.y_dimension()].value_or("")};
  return AreNamesOfAxes(found.x, found.y) ? found : PlaneNames();
}

}  // namespace gdal_zarr
