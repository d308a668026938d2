// SPDX-License-Identifier: MIT
#include "driver/raster/raster_georeferencing.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/axis_claim.h"
#include "driver/georeferencing/convention_writers.h"
#include "driver/georeferencing/coordinates/place_sources.h"
#include "driver/georeferencing/geolocation.h"
#include "driver/georeferencing/georeferencing_writer.h"
#include "driver/georeferencing/raster_axes.h"
#include "driver/multidim/md_array.h"
#include "driver/overviews/move_levels.h"
#include "driver/raster/coordinates/raster_coordinates.h"

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
bool AreSame(const std::optional<GeoTransform>& a, const std::optional<GeoTransform>& b, const RasterSize& size) {
  if (!a || !b) return a.has_value() == b.has_value();
  return AreSamePlace(*a, *b, size, {.pixels = 1e-3});
}

}  // namespace

void RasterGeoreferencing::Load() const {
  once_.Run([self = const_cast<RasterGeoreferencing*>(this)] {
    self->Show(self->Read());
    self->hooks_.loaded();
  });
}

void RasterGeoreferencing::TakeExtent(const RasterGeoreferencing& base) {
  once_.Run([&] {
    base.Load();
    if (base.srs_) srs_.reset(base.srs_->Clone());
    transform_ = base.transform_;
    if (!transform_) return;
    const RasterSize all = base.size();
    const RasterSize own = size();
    for (const std::size_t i : {1u, 4u}) (*transform_)[i] *= all.width / own.width;
    for (const std::size_t i : {2u, 5u}) (*transform_)[i] *= all.height / own.height;
  });
}

OverviewBase RasterGeoreferencing::MakeBase(MDArray& array) const {
  return {array, axes(), {srs_.get(), transform_, is_point_}};
}

// --- reading ----------------------------------------------------------------------------------------------------

RasterGeoreferencing::Stored RasterGeoreferencing::Read() const {
  Stored stored;
  const RasterView& view = raster_.view;
  const auto& dimensions = raster_.array->GetDimensions();
  const GeoContext context{*raster_.resource, view.array(), dimensions.empty() ? nullptr : dimensions[axes().x].get(),
                           view.knows_axes()};
  if (CanHaveSpatialRef()) {
    stored.srs = ReadSpatialRef(context, &stored.srs_contradicted);
  }
  if (!stored.srs && axes().y < dimensions.size()) {
    stored.srs = ReadSpatialRefOfAxes(*dimensions[axes().x], *dimensions[axes().y]);
  }
  ReadTransform(context, &stored);
  stored.registration = ReadRegistration(context);
  return stored;
}

bool RasterGeoreferencing::CanHaveSpatialRef() const {
  return raster_.view.knows_axes() || raster_.array->GetDimensions().size() < 2 ||
         MayBeRasterAxes(*raster_.array, axes());
}

void RasterGeoreferencing::ReadTransform(const GeoContext& context, Stored* stored) const {
  std::vector<StatedTransform> stated = ReadStatedTransforms(context, axes());
  if (stated.empty()) stored->points = ControlPoints::Find(raster_.resource, raster_.view.array().path());
  if (stored->points) {
    stored->srs.reset();  // the points have their own SRS
    return;
  }
  const CoordinatePlace coordinates =
      RasterCoordinates(raster_.resource, *raster_.array, axes()).Read(stored->srs.get());
  for (StatedTransform& last : ReadUndeclaredTransforms(context, axes())) stated.push_back(std::move(last));
  stored->transform = ChooseGeoTransform(context, stated, coordinates, size(), &stored->transform_contradicted);
}

void RasterGeoreferencing::Show(Stored stored) {
  srs_ = std::move(stored.srs);
  transform_ = stored.transform;
  srs_contradicted_ = stored.srs_contradicted;
  transform_contradicted_ = stored.transform_contradicted;
  points_ = std::move(stored.points);
  CompareWithSideFile();
  const RasterView& view = raster_.view;
  CPLStringList geolocation = MakeGeolocation(*raster_.array, view.array().store().name(), view.width(), view.height());
  if (!geolocation.empty()) metadata_.SetAll(geolocation, "GEOLOCATION");
  is_point_ = stored.registration == Registration::kPoints;
  if (is_point_) metadata_.Set(GDALMD_AREA_OR_POINT, GDALMD_AOP_POINT);
  if (stored.registration == Registration::kAreas && !metadata_.FindItem(GDALMD_AREA_OR_POINT, "")) {
    metadata_.Set(GDALMD_AREA_OR_POINT, GDALMD_AOP_AREA);
  }
}

void RasterGeoreferencing::CompareWithSideFile() {
  if (!transform_) return;
  const auto other = hooks_.find_side_transform();
  if (!other) return;
  ChooseGeoTransform({*raster_.resource, raster_.view.array()}, {{"the store", *transform_}, *other}, {}, size(),
                     nullptr);
}

// --- changes ----------------------------------------------------------------------------------------------------

bool RasterGeoreferencing::Merge(const std::optional<Part>& set, Stored& stored, bool had_errors) {
  const bool could_be_read = stored.transform || set == Part::kTransform || !had_errors;
  if (stored.points) return true;
  if (set != Part::kSpatialRef && !AreSame(stored.srs.get(), srs_.get())) {
    srs_.reset(stored.srs ? stored.srs->Clone() : nullptr);
  }
  if (set != Part::kTransform && !AreSame(stored.transform, transform_, size())) transform_ = stored.transform;
  // Without a CRS, the numbers of the transform are those of the coordinates, in the coordinates' unit.
  if (set == Part::kSpatialRef && !HoldsOwnTransform(stored) && (!stored.srs || !srs_) && MovesCoordinates(stored)) {
    transform_ = stored.transform = ReadTransformOfCoordinates(srs_.get());
  }
  const bool is_point = stored.registration == Registration::kPoints;
  if (set != Part::kRegistration && stored.registration != Registration::kUnknown && is_point != is_point_) {
    is_point_ = is_point;
    metadata_.Set(GDALMD_AREA_OR_POINT, is_point ? GDALMD_AOP_POINT : GDALMD_AOP_AREA);
  }
  return could_be_read;
}

std::optional<GeoTransform> RasterGeoreferencing::ReadTransformOfCoordinates(const OGRSpatialReference* srs) const {
  const GeoContext context{*raster_.resource, raster_.view.array()};
  const CoordinatePlace coordinates = RasterCoordinates(raster_.resource, *raster_.array, axes()).Read(srs);
  return ChooseGeoTransform(context, {}, coordinates, size(), nullptr);
}

bool RasterGeoreferencing::HoldsOwnTransform(const Stored& stored) const {
  return own_transform_ && AreSame(stored.transform, own_transform_, size());
}

bool RasterGeoreferencing::MovesCoordinates(const Stored& stored) const {
  const bool is_own = HoldsOwnTransform(stored);
  if (is_own && !stored.srs) return true;  // the first CRS gives their unit
  if (!is_own && stored.srs && srs_ && stored.srs->IsGeographic() != srs_->IsGeographic()) return false;
  const ErrorCollector hidden_errors;  // of units that are about to change
  const auto before = ReadTransformOfCoordinates(stored.srs.get());
  const auto after = before ? ReadTransformOfCoordinates(srs_.get()) : std::nullopt;
  return (after || (is_own && before)) && !AreSame(before, after, size());
}

bool RasterGeoreferencing::IsStored(Part set, const Stored& stored) const {
  if (set == Part::kTransform) return AreToldAlike(transform_, stored.transform);
  return set == Part::kSpatialRef && AreToldAlike(srs_.get(), stored.srs.get());
}

bool RasterGeoreferencing::NeedsOwnSpatialRef() const {
  const auto* array = AsOwnMDArray(raster_.array.get());
  return srs_ && array && array->conventions() && !StatesSpatialRef({*raster_.resource, raster_.view.array()});
}

CPLErr RasterGeoreferencing::Change(const std::optional<Part>& set, const ChangeBase& change) {
  return ChangeAndShow(raster_, [&](MDArray& array) {
    ChangePlaceInTurn(array, axes(), [&](bool is_read_again) {
      raster_.view.Replace(array.shared_array());
      const std::optional<GeoTransform> known = transform_;
      std::optional<Stored> stored;
      bool could_be_read = true;
      if (is_read_again) {
        const ErrorCollector hidden_errors;  // they were reported when the georeferencing was read first
        stored.emplace(Read());
        could_be_read = Merge(set, *stored, !hidden_errors.GetText().empty());
      }
      const OverviewBase base = MakeBase(array);
      if (!could_be_read) transform_ = known;  // the stored transform stays, whatever it is
      change(base, stored ? &*stored : nullptr);
    });
  });
}

CPLErr RasterGeoreferencing::Save(const std::optional<Part>& set) {
  return Change(set, [&](const OverviewBase& base, const Stored* stored) {
    if (set && stored && IsStored(*set, *stored) && !(set == Part::kSpatialRef && NeedsOwnSpatialRef())) return;
    // A transform that was not set now and cannot be read stays as it is stored: coordinates may be broken.
    const bool with_transform = base.place.transform || !set || set == Part::kTransform;
    const bool keeps_numbers =
        set == Part::kSpatialRef && stored && ((stored->srs && srs_) || HoldsOwnTransform(*stored));
    const bool moves = !set || set == Part::kTransform || !stored || !IsStored(Part::kTransform, *stored) ||
                       (keeps_numbers && MovesCoordinates(*stored));
    WriteGeoreferencing(base.array, base.axes, base.place, with_transform, moves);
    MoveLevels(base);
    if (!set || set == Part::kSpatialRef) GetOwnArray(raster_).SaveEpoch(srs_.get());
    if (set) hooks_.remove_from_side_file(*set);
  });
}

CPLErr RasterGeoreferencing::SaveAfter(Part set) {
  // In a remote store, the georeferencing of a new array is saved at once: GDAL sets its parts one after another.
  const auto* array = AsOwnMDArray(raster_.array.get());
  if (!array || !array->is_new() || !raster_.resource->is_on_network()) return Save(set);
  const CPLErr result = ChangeAndShow(raster_, [this](MDArray& changed) {
    CheckGeoreferencing(changed, axes(), {srs_.get(), transform_, is_point_});
  });
  if (result == CE_None) setter_ = std::this_thread::get_id();
  return result;
}

CPLErr RasterGeoreferencing::SaveWaiting() {
  if (setter_.load() == std::thread::id()) return CE_None;
  const CPLErr result = Save(std::nullopt);
  if (result == CE_None) setter_ = std::thread::id();
  return result;
}

CPLErr RasterGeoreferencing::SaveBeforeWriting() {
  return setter_.load() == std::this_thread::get_id() ? SaveWaiting() : CE_None;
}

CPLErr RasterGeoreferencing::TakeStored() {
  return Change(std::nullopt, [](const OverviewBase&, const Stored*) {});
}

CPLErr RasterGeoreferencing::MoveLevelsToStored() {
  Load();
  return Change(std::nullopt, [](const OverviewBase& base, const Stored*) { MoveLevels(base); });
}

CPLErr RasterGeoreferencing::SetTransform(const std::optional<GeoTransform>& transform) {
  auto* const array = AsOwnMDArray(raster_.array.get());
  if (array && !array->is_new() && !AreToldAlike(transform, transform_)) CheckAreOfPlaces({*array, axes(), true});
  const std::optional<GeoTransform> before = std::exchange(transform_, transform);
  Stored shown;
  shown.transform = before;
  const bool is_known = raster_.resource->is_on_network() && IsStored(Part::kTransform, shown);
  if (is_known || SaveAfter(Part::kTransform) == CE_None) {
    own_transform_ = transform;
    return CE_None;
  }
  transform_ = before;
  return CE_Failure;
}

CPLErr RasterGeoreferencing::SetSpatialRef(const OGRSpatialReference* srs) {
  if (srs && !srs->IsEmpty() && !CanHaveSpatialRef()) {
    CPLError(CE_Warning, CPLE_NotSupported, "%s: GDAL will not find this CRS: its axes are not those of places",
             raster_.array->GetFullName().c_str());
  }
  SpatialRef fresh(srs && !srs->IsEmpty() ? srs->Clone() : nullptr);
  std::swap(srs_, fresh);
  const std::optional<GeoTransform> before = transform_;
  Stored shown;
  shown.srs.reset(fresh ? fresh->Clone() : nullptr);
  if (raster_.resource->is_on_network() && IsStored(Part::kSpatialRef, shown)) return CE_None;
  if (SaveAfter(Part::kSpatialRef) == CE_None) {
    // Coordinates that other arrays use keep the unit of the removed CRS. It is not that of the next one.
    if (fresh && !srs_ && transform_ == before) own_transform_ = transform_;
    return CE_None;
  }
  std::swap(srs_, fresh);
  transform_ = before;
  return CE_Failure;
}

CPLErr RasterGeoreferencing::SetRegistration(bool is_point) {
  const bool before = std::exchange(is_point_, is_point);
  if (SaveAfter(Part::kRegistration) == CE_None) return CE_None;
  is_point_ = before;
  return CE_Failure;
}

CPLErr RasterGeoreferencing::AddConventions(const WriteConventions& added) {
  return Change(std::nullopt, [&](const OverviewBase& base, const Stored*) {
    gdal_zarr::AddConventions(base.array, base.axes, base.place, added);
  });
}

}  // namespace gdal_zarr
