// SPDX-License-Identifier: MIT
#include "driver/multidim/coordinates/computed_coordinates.h"

#include <optional>
#include <string>
#include <utility>

#include "driver/georeferencing/georeferencing.h"
#include "driver/georeferencing/raster_axes.h"
#include "driver/multidim/dimension.h"

namespace gdal_zarr {
namespace {

/// What is known of an array's dimensions. They own this object, so it does not own them.
struct Described {
  struct Axis {
    std::string name;
    std::string type;
    std::string direction;
    std::uint64_t size = 0;
    bool has_coordinates = false;
  };
  std::shared_ptr<SharedResource> resource;
  std::shared_ptr<const zarr::Array> array;
  std::vector<Axis> axes;
};

std::optional<RasterAxes> FindAxes(const GeoContext& context, const Described& described) {
  std::vector<std::shared_ptr<GDALDimension>> dimensions;
  for (const Described::Axis& axis : described.axes) {
    dimensions.push_back(
        std::make_shared<GDALDimensionWeakIndexingVar>("", axis.name, axis.type, axis.direction, axis.size));
  }
  return ChooseRasterAxes(context, dimensions);
}

/// Returns the coordinates of the dimension with that index; null if there are none.
std::shared_ptr<GDALMDArray> Compute(const Described& described, std::size_t index,
                                     const std::shared_ptr<GDALDimension>& dimension) {
  const GeoContext context{*described.resource, *described.array};
  const auto axes = FindAxes(context, described);
  if (!axes || (index != axes->x && index != axes->y)) return nullptr;
  if (described.axes[axes->x].has_coordinates || described.axes[axes->y].has_coordinates) return nullptr;
  const std::vector<StatedTransform> stated = ReadStatedTransforms(context, *axes);
  if (stated.empty()) return nullptr;
  const GeoTransform& place = stated.front().transform;
  if (place[2] != 0 || place[4] != 0) return nullptr;
  const std::size_t first = index == axes->x ? 0 : 3;
  const double step = place[index == axes->x ? 1 : 5];
  constexpr double kCenter = 0.5;  // of a pixel
  return GDALMDArrayRegularlySpaced::Create(MakeGdalFullName(GetParentPath(described.array->path())),
                                            dimension->GetName(), dimension, place[first], step, kCenter);
}

}  // namespace

void ComputeCoordinates(const std::shared_ptr<SharedResource>& resource,
                        const std::shared_ptr<const zarr::Array>& array,
                        const std::vector<std::shared_ptr<GDALDimension>>& dimensions) {
  if (!kTakesComputedCoordinates || resource->writable() || dimensions.size() < 2) return;
  const auto described = std::make_shared<Described>(Described{resource, array, {}});
  for (const auto& dimension : dimensions) {
    const Dimension* const own = AsOwnDimension(dimension.get());
    if (!own) return;
    described->axes.push_back({dimension->GetName(), dimension->GetType(), dimension->GetDirection(),
                               dimension->GetSize(), own->has_coordinates()});
  }
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    if (described->axes[i].has_coordinates) continue;
    std::static_pointer_cast<Dimension>(dimensions[i])
        ->SetComputer([described, i](const std::shared_ptr<GDALDimension>& dimension) {
          return Compute(*described, i, dimension);
        });
  }
}

}  // namespace gdal_zarr
