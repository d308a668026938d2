// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <new>
#include <span>
#include <utility>

#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/axis_claim.h"
#include "driver/georeferencing/convention_writers.h"
#include "driver/georeferencing/coordinates/place_sources.h"
#include "driver/georeferencing/geolocation.h"
#include "driver/georeferencing/raster_axes.h"
#include "driver/multidim/md_array.h"
#include "driver/raster/band_coordinates.h"
#include "driver/raster/raster_coordinates.h"
#include "driver/raster/raster_dataset.h"

namespace gdal_zarr {
namespace {

/// Returns true if both are equal, as far as conventions can express them: no convention has an epoch.
bool AreSame(const OGRSpatialReference* a, const OGRSpatialReference* b) {
  if (!a || !b) return a == b;
  const char* const options[] = {"IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES", "IGNORE_COORDINATE_EPOCH=YES", nullptr};
  return a->IsSame(b, options) != FALSE;
}

/// Returns true if both are equal when formatted with 15 digits.
bool AreToldAlike(const std::optional<GeoTransform>& a, const std::optional<GeoTransform>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  const auto tell = [](double number) { return std::string(CPLSPrintf("%.15g", number)); };
  return std::ranges::equal(*a, *b, [&](double x, double y) { return x == y || tell(x) == tell(y); });
}

/// Returns true if both are equal in everything that can be stored.
bool AreToldAlike(const OGRSpatialReference* a, const OGRSpatialReference* b) {
  if (!a || !b) return a == b;
  const std::string wkt = ToWkt(*a, "WKT2_2019");
  return !wkt.empty() && wkt == ToWkt(*b, "WKT2_2019") && a->GetCoordinateEpoch() == b->GetCoordinateEpoch();
}

/// Returns true if both give the corners the same position within a thousandth of a pixel: coordinates are rounded.
bool AreSame(const std::optional<GeoTransform>& a, const std::optional<GeoTransform>& b, const RasterView& view) {
  if (!a || !b) return a.has_value() == b.has_value();
  const RasterSize size{static_cast<double>(view.width()), static_cast<double>(view.height())};
  return AreSamePlace(*a, *b, size, {.pixels = 1e-3});
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
  for (const int band : bands) CheckAllWereRead(const_cast<RasterDataset*>(this)->ListBandCoordinates(band));
  const std::lock_guard lock(unanswered_bands_mutex_);
  unanswered_bands_.clear();
}

void RasterDataset::NoteUnansweredBand(int band) const noexcept {
  unanswered_.Note(kAsksBands, false);
  try {
    const std::lock_guard lock(unanswered_bands_mutex_);
    unanswered_bands_.insert(band);
  } catch (const std::bad_alloc&) {
    // The next read still is an error; it just does not read this band's coordinates again.
  }
}

bool RasterDataset::NeedsPlace(const char* domain) {
  return IsDefaultDomain(domain) || EQUAL(domain, "GEOLOCATION");
}

RasterDataset::StoredPlace RasterDataset::ReadPlace() const {
  StoredPlace place;
  const auto& dimensions = md_array_->GetDimensions();
  const RasterAxes axes{view_.x_dimension(), view_.y_dimension()};
  const GeoContext context{*resource_, view_.array(), dimensions.empty() ? nullptr : dimensions[axes.x].get(),
                           view_.knows_axes()};
  if (view_.knows_axes() || dimensions.size() < 2 || MayBeRasterAxes(*md_array_, axes)) {
    place.srs = ReadSpatialRef(context, &place.srs_contradicted);
  }
  if (!place.srs && axes.y < dimensions.size()) {
    place.srs = ReadSpatialRefOfAxes(*dimensions[axes.x], *dimensions[axes.y]);
  }
  ReadTransform(context, &place);
  place.registration = ReadRegistration(context);
  return place;
}

void RasterDataset::ReadTransform(const GeoContext& context, StoredPlace* place) const {
  const RasterAxes axes{view_.x_dimension(), view_.y_dimension()};
  std::vector<StatedTransform> stated = ReadStatedTransforms(context, axes);
  if (stated.empty()) place->points = ControlPoints::Find(resource_, view_.array().path());
  if (place->points) {
    place->srs.reset();  // the points have their own SRS
  } else {
    const CoordinatePlace coordinates = RasterCoordinates(resource_, *md_array_, axes).Read(place->srs.get());
    for (StatedTransform& last : ReadUndeclaredTransforms(context, axes)) stated.push_back(std::move(last));
    const RasterSize size{static_cast<double>(view_.width()), static_cast<double>(view_.height())};
    place->transform = ChooseGeoTransform(context, stated, coordinates, size, &place->transform_contradicted);
  }
}

void RasterDataset::SetGeoreferencing() {
  StoredPlace place = ReadPlace();
  srs_ = std::move(place.srs);
  transform_ = place.transform;
  srs_contradicted_ = place.srs_contradicted;
  transform_contradicted_ = place.transform_contradicted;
  points_ = std::move(place.points);
  CompareWithSideFile();
  CPLStringList geolocation = MakeGeolocation(*md_array_, view_.array().store().name(), view_.width(), view_.height());
  if (!geolocation.empty()) native_metadata_.SetAll(geolocation, "GEOLOCATION");
  is_point_ = place.registration == Registration::kPoints;
  if (is_point_) native_metadata_.Set(GDALMD_AREA_OR_POINT, GDALMD_AOP_POINT);
  if (place.registration == Registration::kAreas && !native_metadata_.FindItem(GDALMD_AREA_OR_POINT, "")) {
    native_metadata_.Set(GDALMD_AREA_OR_POINT, GDALMD_AOP_AREA);
  }
}

void RasterDataset::CompareWithSideFile() {
  GeoTransformNumbers numbers;
  if (!transform_ || GDALPamDataset::GetGeoTransform(numbers) != CE_None) return;
  GeoTransform other;
  for (std::size_t i = 0; i < other.size(); ++i) other[i] = numbers[i];
  const RasterSize size{static_cast<double>(view_.width()), static_cast<double>(view_.height())};
  const std::string file = psPam && psPam->pszPamFilename ? psPam->pszPamFilename : "the side file";
  ChooseGeoTransform({*resource_, view_.array()}, {{"the store", *transform_}, {file, other}}, {}, size, nullptr);
}

bool RasterDataset::MergePlace(const std::optional<PlacePart>& set, const StoredPlace& stored, bool had_errors) {
  const bool could_be_read = stored.transform || set == PlacePart::kTransform || !had_errors;
  if (stored.points) return true;
  if (set != PlacePart::kSpatialRef && !AreSame(stored.srs.get(), srs_.get())) {
    srs_.reset(stored.srs ? stored.srs->Clone() : nullptr);
  }
  if (set != PlacePart::kTransform && !AreSame(stored.transform, transform_, view_)) transform_ = stored.transform;
  const bool is_point = stored.registration == Registration::kPoints;
  if (set != PlacePart::kRegistration && stored.registration != Registration::kUnknown && is_point != is_point_) {
    is_point_ = is_point;
    native_metadata_.Set(GDALMD_AREA_OR_POINT, is_point ? GDALMD_AOP_POINT : GDALMD_AOP_AREA);
  }
  return could_be_read;
}

bool RasterDataset::IsStored(PlacePart set, const StoredPlace& stored) {
  if (set == PlacePart::kTransform) return AreToldAlike(transform_, stored.transform);
  return set == PlacePart::kSpatialRef && AreToldAlike(srs_.get(), stored.srs.get());
}

void RasterDataset::RemoveFromSideFile(PlacePart set) {
  if (set == PlacePart::kTransform && psPam && psPam->bHaveGeoTransform) {
    psPam->bHaveGeoTransform = false;
    MarkPamDirty();
  }
  if (set == PlacePart::kSpatialRef && GDALPamDataset::GetSpatialRef()) GDALPamDataset::SetSpatialRef(nullptr);
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
