// SPDX-License-Identifier: MIT
#include <algorithm>
#include <new>
#include <span>
#include <utility>

#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/axis_unit.h"
#include "driver/georeferencing/coordinates/coordinate_values.h"
#include "driver/georeferencing/geolocation.h"
#include "driver/georeferencing/raster_axes.h"
#include "driver/io/advise_read.h"
#include "driver/multidim/dimension.h"
#include "driver/multidim/md_array.h"
#include "driver/raster/band_coordinates.h"
#include "driver/raster/raster_dataset.h"

namespace gdal_zarr {

void RasterDataset::LoadPlace() const {
  place_once_.Run([self = const_cast<RasterDataset*>(this)] {
    self->SetGeoreferencing();
    self->SetAttributes();
  });
}

void RasterDataset::AskAgain() const {
  LoadPlace();
  if (points_) const_cast<RasterDataset*>(this)->points_->Read();
  const auto bands = [this] {
    const std::lock_guard lock(unanswered_bands_mutex_);
    return unanswered_bands_;
  }();
  for (const int band : bands) CheckAllWereRead(ListBandCoordinates(*const_cast<RasterDataset*>(this), band));
  const std::lock_guard lock(unanswered_bands_mutex_);
  unanswered_bands_.clear();
}

void RasterDataset::NoteUnansweredBand(int band) const noexcept {
  unanswered_.Note(kAsksBands, false);
  try {
    const std::lock_guard lock(unanswered_bands_mutex_);
    unanswered_bands_.insert(band);
  } catch (const std::bad_alloc&) {
    // The next read is an error all the same; it does not ask this band again.
  }
}

bool RasterDataset::NeedsPlace(const char* domain) {
  return IsDefaultDomain(domain) || EQUAL(domain, "GEOLOCATION");
}

void RasterDataset::SetGeoreferencing() {
  const auto& dimensions = md_array_->GetDimensions();
  const GeoContext context{*resource_, view_.array(),
                           dimensions.empty() ? nullptr : dimensions[view_.x_dimension()].get()};
  srs_ = ReadSpatialRef(context);
  if (!srs_ && view_.y_dimension() < dimensions.size()) {
    srs_ = ReadSpatialRefOfAxes(*dimensions[view_.x_dimension()], *dimensions[view_.y_dimension()]);
  }
  const RasterAxes axes{view_.x_dimension(), view_.y_dimension()};
  transform_ = ReadGeoTransform(context, axes);
  if (!transform_) points_ = ControlPoints::Find(resource_, view_.array().path());
  if (points_) {
    srs_.reset();  // the points have one of their own
  } else if (!transform_) {
    transform_ = ReadCoordinates();
  }
  if (!transform_ && !points_) transform_ = ReadUndeclaredGeoTransform(context, axes);
  CPLStringList geolocation = MakeGeolocation(*md_array_, view_.array().store().name(), view_.width(), view_.height());
  if (!geolocation.empty()) native_metadata_.SetAll(geolocation, "GEOLOCATION");
  const Registration registration = ReadRegistration(context);
  is_point_ = registration == Registration::kPoints;
  if (is_point_) native_metadata_.Set(GDALMD_AREA_OR_POINT, GDALMD_AOP_POINT);
  if (registration == Registration::kAreas && !native_metadata_.FindItem(GDALMD_AREA_OR_POINT, "")) {
    native_metadata_.Set(GDALMD_AREA_OR_POINT, GDALMD_AOP_AREA);
  }
}

int RasterDataset::GetGCPCount() {
  if (!HasPlace(kAsksControlPoints)) return 0;
  if (const int count = GDALPamDataset::GetGCPCount(); count > 0 || !points_) return count;
  const int count = Guard(-1, [&] { return static_cast<int>(points_->Read().size()); });
  unanswered_.Note(kAsksControlPoints, count >= 0);
  return std::max(0, count);
}

const OGRSpatialReference* RasterDataset::GetGCPSpatialRef() const {
  if (!HasPlace(kAsksControlPoints)) return nullptr;
  const OGRSpatialReference* srs = GDALPamDataset::GetGCPSpatialRef();
  return srs || !points_ ? srs : &points_->srs();
}

const GDAL_GCP* RasterDataset::GetGCPs() {
  return Guard<const GDAL_GCP*>(nullptr, [&]() -> const GDAL_GCP* {
    if (!HasPlace(kAsksControlPoints)) return nullptr;
    if (!points_ || GDALPamDataset::GetGCPCount() > 0) return GDALPamDataset::GetGCPs();
    return GetGCPCount() > 0 ? points_->Read().data() : nullptr;
  });
}

std::optional<RegularAxis> RasterDataset::ReadEdgesAlong(std::size_t dimension) const {
  const auto variable = FindIndexingVariable(*md_array_->GetDimensions()[dimension]);
  if (!variable) return std::nullopt;
  const auto bounds = FindBounds(*variable);
  auto edges = ReadPixelEdges(variable.get(), bounds.get());
  if (!edges) return std::nullopt;
  const double factor = ReadAxisUnitFactor(variable->GetUnit(), srs_.get());
  return RegularAxis{edges->first * factor, edges->step * factor};
}

void RasterDataset::ReadCoordinatesAhead() const {
  if (view_.array().store().capabilities().concurrency == 0) return;
  std::vector<std::shared_ptr<GDALMDArray>> variables;
  for (const std::size_t dimension : {view_.x_dimension(), view_.y_dimension()}) {
    variables.push_back(FindIndexingVariable(*md_array_->GetDimensions()[dimension]));
    if (!variables.back()) return;
  }
  PrefetchBounds(variables);
  for (std::size_t i = variables.size(); i-- > 0;) variables.push_back(FindBounds(*variables[i]));
  std::vector<std::shared_ptr<const zarr::Array>> arrays;
  for (const auto& variable : variables) {
    const auto* own = dynamic_cast<const EditableArray*>(variable.get());
    if (own && !HasTooManyCoordinates(*variable)) arrays.push_back(own->shared_array());
  }
  ReadAheadTogether(arrays);
}

void RasterDataset::PrefetchBounds(std::span<const std::shared_ptr<GDALMDArray>> coordinates) const {
  zarr::ExpectedNodes bounds;
  for (const auto& variable : coordinates) {
    const auto* own = dynamic_cast<const EditableArray*>(variable.get());
    const std::string path = GetPathOfBounds(*variable);
    if (!own || path.empty() || resource_->hierarchy().HasOpened(path)) continue;
    bounds.arrays.push_back(path);
    // Most often the values are small, in one chunk, and stored as those of the coordinates are.
    bounds.chunks.push_back(zarr::JoinKey(path, own->array().metadata().chunk_key_encoding.Format({0, 0})));
  }
  resource_->hierarchy().Prefetch(bounds);
}

std::string RasterDataset::GetPathOfBounds(const GDALMDArray& coordinates) {
  const auto attribute = FindAttribute(coordinates, "bounds");
  const char* name = attribute ? attribute->ReadAsString() : nullptr;
  if (!name || !IsNodeName(name)) return "";
  return zarr::JoinKey(GetParentPath(coordinates.GetFullName().substr(1)), name);
}

std::shared_ptr<GDALMDArray> RasterDataset::FindBounds(const GDALMDArray& coordinates) const {
  const std::string beside = GetPathOfBounds(coordinates);
  const auto path = beside.empty() ? std::nullopt : resource_->FindUpwards(GetParentPath(beside), GetNodeName(beside));
  return path ? MDArray::MakeForValues(resource_, *path) : nullptr;
}

std::optional<GeoTransform> RasterDataset::ReadCoordinates() const {
  if (view_.y_dimension() >= md_array_->GetDimensionCount()) return std::nullopt;
  ReadCoordinatesAhead();
  const auto x = ReadEdgesAlong(view_.x_dimension());
  const auto y = x ? ReadEdgesAlong(view_.y_dimension()) : std::nullopt;
  if (!y) return std::nullopt;
  return GeoTransform{x->first, x->step, 0, y->first, 0, y->step};
}

CPLErr RasterDataset::GetGeoTransform(GeoTransformOut transform) ZARR_CONST_SINCE_GDAL_3_12 {
  if (!HasPlace(kAsksGeoTransform)) return CE_Failure;
  if (!transform_) return GDALPamDataset::GetGeoTransform(transform);
  for (std::size_t i = 0; i < transform_->size(); ++i) transform[i] = (*transform_)[i];
  return CE_None;
}

const OGRSpatialReference* RasterDataset::GetSpatialRef() const {
  if (!HasPlace(kAsksSpatialRef)) return nullptr;
  return srs_ ? srs_.get() : GDALPamDataset::GetSpatialRef();
}

}  // namespace gdal_zarr
