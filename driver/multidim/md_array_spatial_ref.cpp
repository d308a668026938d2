// SPDX-License-Identifier: MIT
#include "driver/dataset/attribute_names.h"
#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/axis_claim.h"
#include "driver/georeferencing/georeferencing.h"
#include "driver/georeferencing/raster_axes.h"
#include "driver/multidim/md_array.h"

namespace gdal_zarr {

std::shared_ptr<OGRSpatialReference> MDArray::GetSpatialRef() const {
  std::shared_ptr<OGRSpatialReference> srs;
  const bool answered = Guard(false, [&] { return srs = FindSpatialRef(), true; });
  unanswered_.Note(kAsksSpatialRef, answered);
  return srs;
}

// Evaluates the conventions again in each call; the array does not cache the CRS.
std::shared_ptr<OGRSpatialReference> MDArray::FindSpatialRef() const {
  CheckNotDeleted(GetFullName());
  const std::size_t rank = dimensions_.size();
  GeoContext context{*resource_, *shared_array()};
  if (rank < 2) return ReadOwnSpatialRef(context);
  const auto known = ChooseRasterAxes(context, dimensions_);
  const RasterAxes axes = known.value_or(RasterAxes{rank - 1, rank - 2});
  if (!known && !MayBeRasterAxes(*this, axes)) return nullptr;
  context.x = dimensions_[axes.x].get();
  context.has_axes = known || AreUnnamed(*array_);
  SpatialRef srs = ReadSpatialRef(context);
  if (!srs) srs = ReadSpatialRefAbove(context);
  if (!srs) srs = ReadSpatialRefOfAxes(*dimensions_[axes.x], *dimensions_[axes.y]);
  if (!srs) return GDALPamMDArray::GetSpatialRef();
  return MapToDimensions(*srs, axes.x, axes.y);
}

bool MDArray::CanHaveSpatialRef(const RasterAxes& axes) const {
  return ChooseRasterAxes({*resource_, *shared_array()}, dimensions_) || MayBeRasterAxes(*this, axes);
}

bool MDArray::MayKeepSpatialRef(const RasterAxes& axes) const {
  // The grid mapping of a copy's source may be meant for other programs.
  const bool is_copied = is_new_ || resource_->edits().group_copy.is_running();
  if (is_copied && FindAttribute(kGridMappingAttribute)) return false;
  CPLError(CE_Warning, CPLE_NotSupported, "%s: GDAL will not find this CRS: neither %s nor %s is an axis of places",
           GetFullName().c_str(), dimensions_[axes.y]->GetFullName().c_str(),
           dimensions_[axes.x]->GetFullName().c_str());
  return true;
}

std::shared_ptr<OGRSpatialReference> MDArray::FindStatedSpatialRef() const {
  const std::size_t rank = dimensions_.size();
  GeoContext context{*resource_, *shared_array()};
  const RasterAxes axes = ChooseRasterAxes(context, dimensions_).value_or(RasterAxes{rank - 1, rank - 2});
  context.x = rank < 2 ? nullptr : dimensions_[axes.x].get();
  context.has_axes = false;
  const ErrorCollector unheard;  // a copy may add the grid mapping later
  SpatialRef srs = ReadSpatialRef(context);
  if (!srs || rank < 2) return srs;
  return MapToDimensions(*srs, axes.x, axes.y);
}

SpatialRef MDArray::ReadSpatialRefAbove(const GeoContext& context) const {
  const NodePlace* above = resource_->finder().FindAbove();
  if (!above) return nullptr;
  const std::string& own = array_->path();
  const auto array = above->resource->finder().FindArray(own.empty() ? above->path : zarr::JoinKey(above->path, own));
  return array ? ReadSpatialRef({*above->resource, *array, context.x, context.has_axes}) : nullptr;
}

}  // namespace gdal_zarr
