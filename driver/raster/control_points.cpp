// SPDX-License-Identifier: MIT
#include "driver/raster/control_points.h"

#include <cmath>
#include <utility>

#include "driver/georeferencing/coordinates/coordinate_values.h"
#include "driver/multidim/md_array.h"
#include "zarrlib/base/limits.h"

namespace gdal_zarr {
namespace {

constexpr char kMeasurements[] = "measurements";

/// Returns the path of the group that contains the group `measurements`. Returns nullopt if the array is not in such a
/// group.
std::optional<std::string> FindProduct(const std::string& array) {
  const std::string steps = "/" + array;
  const std::size_t found = steps.rfind("/" + std::string(kMeasurements) + "/");
  if (found == std::string::npos) return std::nullopt;
  return found == 0 ? "" : steps.substr(1, found - 1);
}

/// Throws zarr::Error(limit_exceeded) if an array has too many points.
void CheckPointCount(const MDArray& array) {
  std::uint64_t count = 1;
  for (const auto& dimension : array.GetDimensions()) {
    count = zarr::MultiplyChecked(count, dimension->GetSize()).value_or(UINT64_MAX);
  }
  if (count <= zarr::GetLimit(zarr::Limit::kControlPoints)) return;
  throw zarr::Error(zarr::ErrorKind::kLimitExceeded, array.array().store().name(), array.array().path(), "",
                    zarr::FormatExpectedGot(zarr::FormatAtMost(zarr::Limit::kControlPoints, "ground control points"),
                                            std::to_string(count)));
}

/// Coordinates of points in rows and columns or, in newer products, in a list.
class PointGrid {
 public:
  PointGrid(const std::shared_ptr<SharedResource>& resource, std::string group)
      : resource_(resource), group_(std::move(group)) {}

  /// Reads the array `name`, for points of `rows` times `columns`. `along_rows`: a one-dimensional array has a value
  /// for each row; otherwise for each column. Returns nullopt if the shape does not match.
  std::optional<std::vector<double>> Read(const char* name, bool along_rows = false) {
    const auto array = MDArray::Make(resource_, group_ + "/" + name);
    if (!array) return std::nullopt;
    CheckPointCount(*array);
    const CoordinateValues values = CoordinateValues::Read(*array);
    const auto& dimensions = array->GetDimensions();
    if (rows_ == 0 && !dimensions.empty() && dimensions.size() <= 2) {
      is_list_ = dimensions.size() == 1;
      rows_ = dimensions[0]->GetSize();
      columns_ = is_list_ ? 1 : dimensions[1]->GetSize();
    }
    const bool is_grid = values.size() == rows_ * columns_ && dimensions.size() == (is_list_ ? 1u : 2u);
    const bool is_line = dimensions.size() == 1 && values.size() == (along_rows ? rows_ : columns_);
    if (columns_ == 0 || values.size() == 0 || (!is_grid && !is_line)) return std::nullopt;
    std::vector<double> result(rows_ * columns_);
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] = values[is_grid ? i : along_rows ? i / columns_ : i % columns_];
    }
    return result;
  }

 private:
  const std::shared_ptr<SharedResource>& resource_;
  std::string group_;
  std::size_t rows_ = 0;  // known once the first array has been read
  std::size_t columns_ = 0;
  bool is_list_ = false;
};

}  // namespace

ControlPoints::ControlPoints(std::shared_ptr<SharedResource> resource, std::string group)
    : resource_(std::move(resource)), group_(std::move(group)), srs_(std::make_unique<OGRSpatialReference>()) {
  srs_->SetFromUserInput("EPSG:4326");
  srs_->SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
}

std::optional<ControlPoints> ControlPoints::Find(std::shared_ptr<SharedResource> resource, const std::string& array) {
  const auto product = FindProduct(array);
  if (!product) return std::nullopt;
  std::string group = *product + (product->empty() ? "" : "/") + "conditions/gcp";
  for (const char* name : {"latitude", "longitude", "line", "pixel"}) {
    if (!resource->finder().FindArray(group + "/" + name)) return std::nullopt;
  }
  return ControlPoints(std::move(resource), std::move(group));
}

std::vector<ControlPoints::Point> ControlPoints::ReadArrays() const {
  PointGrid grid(resource_, group_);
  const auto latitude = grid.Read("latitude");
  const auto longitude = latitude ? grid.Read("longitude") : std::nullopt;
  const auto line = longitude ? grid.Read("line", true) : std::nullopt;
  const auto pixel = line ? grid.Read("pixel") : std::nullopt;
  if (!pixel) {
    resource_->WarnOnce(group_ +
                        ": the ground control points are ignored: the shapes of latitude, longitude, line and "
                        "pixel do not fit");
    return {};
  }
  const bool has_height = resource_->finder().FindArray(group_ + "/height") != nullptr;
  const auto height = has_height ? grid.Read("height") : std::nullopt;
  std::vector<Point> points;
  for (std::size_t i = 0; i < latitude->size(); ++i) {
    if (!std::isfinite((*latitude)[i]) || !std::isfinite((*longitude)[i])) continue;
    const double z = height && std::isfinite((*height)[i]) ? (*height)[i] : 0;
    // Indices of lines and pixels refer to their centres, and GDAL counts from the corner.
    points.push_back({std::to_string(i + 1), (*pixel)[i] + 0.5, (*line)[i] + 0.5, (*longitude)[i], (*latitude)[i], z});
  }
  return points;
}

const std::vector<GDAL_GCP>& ControlPoints::Read() {
  if (gcps_) return *gcps_;
  try {
    points_ = ReadArrays();
  } catch (const zarr::Error& error) {
    if (error.kind() != zarr::ErrorKind::kLimitExceeded) throw;
    resource_->WarnOnce(error.what());
  }
  std::vector<GDAL_GCP> gcps;
  static char no_text[] = "";
  for (Point& point : points_) {
    gcps.push_back({point.id.data(), no_text, point.pixel, point.line, point.x, point.y, point.z});
  }
  gcps_ = std::move(gcps);
  return *gcps_;
}

}  // namespace gdal_zarr
