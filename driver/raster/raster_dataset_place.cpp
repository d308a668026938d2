// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
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
namespace {

/// Whether both say the same, as far as conventions can: none has an epoch.
bool AreSame(const OGRSpatialReference* a, const OGRSpatialReference* b) {
  if (!a || !b) return a == b;
  const char* const options[] = {"IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES", "IGNORE_COORDINATE_EPOCH=YES", nullptr};
  return a->IsSame(b, options) != FALSE;
}

/// Whether both give the corners the same position, to a thousandth of a pixel: coordinates are rounded.
bool AreSame(const std::optional<GeoTransform>& a, const std::optional<GeoTransform>& b, const RasterView& view) {
  if (!a || !b) return a.has_value() == b.has_value();
  constexpr double kTolerance = 1e-3;
  for (const std::size_t axis : {0u, 3u}) {
    const double pixel = std::max(std::abs((*b)[axis + 1]), std::abs((*b)[axis + 2]));
    for (const auto& [x, y] : {std::pair(0, 0), {view.width(), 0}, {0, view.height()}}) {
      const auto difference = [&](std::size_t i) { return (*a)[axis + i] - (*b)[axis + i]; };
      if (!(std::abs(difference(0) + x * difference(1) + y * difference(2)) <= kTolerance * pixel)) return false;
    }
  }
  return true;
}

}  // namespace

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

RasterDataset::StoredPlace RasterDataset::ReadPlace() const {
  StoredPlace place;
  const auto& dimensions = md_array_->GetDimensions();
  const GeoContext context{*resource_, view_.array(),
                           dimensions.empty() ? nullptr : dimensions[view_.x_dimension()].get()};
  place.srs = ReadSpatialRef(context);
  if (!place.srs && view_.y_dimension() < dimensions.size()) {
    place.srs = ReadSpatialRefOfAxes(*dimensions[view_.x_dimension()], *dimensions[view_.y_dimension()]);
  }
  const RasterAxes axes{view_.x_dimension(), view_.y_dimension()};
  place.transform = ReadGeoTransform(context, axes);
  if (!place.transform) place.points = ControlPoints::Find(resource_, view_.array().path());
  if (place.points) {
    place.srs.reset();  // the points have one of their own
  } else if (!place.transform) {
    place.transform = ReadCoordinates(place.srs.get());
  }
  if (!place.transform && !place.points) place.transform = ReadUndeclaredGeoTransform(context, axes);
  place.registration = ReadRegistration(context);
  return place;
}

void RasterDataset::SetGeoreferencing() {
  StoredPlace place = ReadPlace();
  srs_ = std::move(place.srs);
  transform_ = place.transform;
  points_ = std::move(place.points);
  CPLStringList geolocation = MakeGeolocation(*md_array_, view_.array().store().name(), view_.width(), view_.height());
  if (!geolocation.empty()) native_metadata_.SetAll(geolocation, "GEOLOCATION");
  is_point_ = place.registration == Registration::kPoints;
  if (is_point_) native_metadata_.Set(GDALMD_AREA_OR_POINT, GDALMD_AOP_POINT);
  if (place.registration == Registration::kAreas && !native_metadata_.FindItem(GDALMD_AREA_OR_POINT, "")) {
    native_metadata_.Set(GDALMD_AREA_OR_POINT, GDALMD_AOP_AREA);
  }
}

bool RasterDataset::MergePlace(const std::optional<PlacePart>& set) {
  const ErrorCollector hidden_errors;  // they were told when the place was read first
  StoredPlace stored = ReadPlace();
  const bool could_be_read = stored.transform || set == PlacePart::kTransform || hidden_errors.GetText().empty();
  if (stored.points) return true;
  if (set != PlacePart::kSpatialRef && !AreSame(stored.srs.get(), srs_.get())) srs_ = std::move(stored.srs);
  if (set != PlacePart::kTransform && !AreSame(stored.transform, transform_, view_)) transform_ = stored.transform;
  const bool is_point = stored.registration == Registration::kPoints;
  if (set != PlacePart::kRegistration && stored.registration != Registration::kUnknown && is_point != is_point_) {
    is_point_ = is_point;
    native_metadata_.Set(GDALMD_AREA_OR_POINT, is_point ? GDALMD_AOP_POINT : GDALMD_AOP_AREA);
  }
  return could_be_read;
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

std::optional<RegularAxis> RasterDataset::ReadEdgesAlong(std::size_t dimension, const OGRSpatialReference* srs) const {
  const auto variable = FindIndexingVariable(*md_array_->GetDimensions()[dimension]);
  if (!variable) return std::nullopt;
  const auto bounds = FindBounds(*variable);
  auto edges = ReadPixelEdges(variable.get(), bounds.get());
  if (!edges) return std::nullopt;
  const double factor = ReadAxisUnitFactor(variable->GetUnit(), srs);
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

std::optional<GeoTransform> RasterDataset::ReadCoordinates(const OGRSpatialReference* srs) const {
  if (view_.y_dimension() >= md_array_->GetDimensionCount()) return std::nullopt;
  ReadCoordinatesAhead();
  const auto x = ReadEdgesAlong(view_.x_dimension(), srs);
  const auto y = x ? ReadEdgesAlong(view_.y_dimension(), srs) : std::nullopt;
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
