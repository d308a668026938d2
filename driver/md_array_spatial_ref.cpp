#include "driver/gdal_error.h"
#include "driver/georeferencing/georeferencing.h"
#include "driver/md_array.h"

namespace gdal_zarr {
namespace {

std::size_t DimensionOfType(const std::vector<std::shared_ptr<GDALDimension>>& dimensions, const char* type,
                            std::size_t otherwise) {
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    if (dimensions[i]->GetType() == type) return i;
  }
  return otherwise;
}

}  // namespace

// The conventions that tell a coordinate reference system are looked for here, and nowhere else in the array.
std::shared_ptr<OGRSpatialReference> MDArray::GetSpatialRef() const {
  return Guard<std::shared_ptr<OGRSpatialReference>>(nullptr, [this]() -> std::shared_ptr<OGRSpatialReference> {
    const std::size_t rank = dimensions_.size();
    if (rank < 2) return nullptr;
    const SpatialRef srs = ReadSpatialRef({context_->hierarchy(), *array_});
    if (!srs) return nullptr;
    const std::size_t x = DimensionOfType(dimensions_, GDAL_DIM_TYPE_HORIZONTAL_X, rank - 1);
    const std::size_t y = DimensionOfType(dimensions_, GDAL_DIM_TYPE_HORIZONTAL_Y, rank - 2);
    return ForDimensions(*srs, x, y);
  });
}

}  // namespace gdal_zarr
