// SPDX-License-Identifier: MIT
#include <utility>
#include <vector>

#include "driver/cf/unsigned_attribute.h"
#include "driver/georeferencing/georeferencing_writer.h"
#include "driver/io/progress.h"
#include "driver/multidim/md_array.h"
#include "driver/overviews/move_levels.h"
#include "driver/raster/raster_band.h"
#include "driver/raster/raster_dataset.h"
#include "driver/types/type_map.h"

namespace gdal_zarr {
void RasterDataset::EnableUpdate() {
  eAccess = GA_Update;
  for (int band = 1; band <= nBands; ++band) static_cast<RasterBand*>(GetRasterBand(band))->EnableUpdate();
}

MDArray& RasterDataset::array_object() const {
  auto* array = AsOwnMDArray(md_array_.get());
  if (!array) throw zarr::Error(zarr::ErrorKind::kReadOnly, "this dataset is a view that cannot be changed");
  return *array;
}

// --- georeferencing ---------------------------------------------------------------------------------------------

CPLErr RasterDataset::SaveGeoreferencing(PlacePart set) {
  // In a remote store, the georeferencing of a new array is saved at once: GDAL sets its parts one after another.
  const auto* array = AsOwnMDArray(md_array_.get());
  if (!array || !array->is_new() || !resource_->is_on_network()) return SavePlace(set);
  const CPLErr result = Change([this](MDArray& changed) {
    CheckGeoreferencing(changed, {view_.x_dimension(), view_.y_dimension()}, {srs_.get(), transform_, is_point_});
  });
  if (result == CE_None) place_setter_ = std::this_thread::get_id();
  return result;
}

CPLErr RasterDataset::SaveWaitingPlace() {
  if (place_setter_.load() == std::thread::id()) return CE_None;
  const CPLErr result = SavePlace(std::nullopt);
  if (result == CE_None) place_setter_ = std::thread::id();
  return result;
}

OverviewBase RasterDataset::MakeBase(MDArray& array) const {
  return {array, {view_.x_dimension(), view_.y_dimension()}, {srs_.get(), transform_, is_point_}};
}

CPLErr RasterDataset::ChangePlace(const std::optional<PlacePart>& set, const PlaceChange& change) {
  return Change([&](MDArray& array) {
    ChangePlaceInTurn(array, {view_.x_dimension(), view_.y_dimension()}, [&](bool is_read_again) {
      view_.Replace(array.shared_array());
      const std::optional<GeoTransform> known = transform_;
      std::optional<StoredPlace> stored;
      bool could_be_read = true;
      if (is_read_again) {
        const ErrorCollector hidden_errors;  // they were reported when the georeferencing was read first
        stored.emplace(ReadPlace());
        could_be_read = MergePlace(set, *stored, !hidden_errors.GetText().empty());
      }
      const OverviewBase base = MakeBase(array);
      if (!could_be_read) transform_ = known;  // the stored transform stays, whatever it is
      change(base, stored ? &*stored : nullptr);
    });
  });
}

CPLErr RasterDataset::SavePlace(const std::optional<PlacePart>& set) {
  return ChangePlace(set, [&](const OverviewBase& base, const StoredPlace* stored) {
    if (set && stored && IsStored(*set, *stored)) return;
    // A transform that was not set now and cannot be read stays as it is stored: coordinates may be broken.
    const bool with_transform = base.place.transform || !set || set == PlacePart::kTransform;
    WriteGeoreferencing(base.array, base.axes, base.place, with_transform);
    MoveLevels(base);
    if (!set || set == PlacePart::kSpatialRef) array_object().SaveEpoch(srs_.get());
    if (set) RemoveFromSideFile(*set);
  });
}

CPLErr RasterDataset::TakeStoredPlace() {
  return ChangePlace(std::nullopt, [](const OverviewBase&, const StoredPlace*) {});
}

CPLErr RasterDataset::SetGeoTransform(GeoTransformIn transform) {
  return GuardChange([&] {
    GeoTransform numbers;
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = transform[i];
    // GDAL's programs set this transform for a raster without georeferencing, to remove the transform.
    constexpr GeoTransform kNone = {0, 1, 0, 0, 0, 1};
    const auto wanted = numbers == kNone ? std::nullopt : std::optional(numbers);
    const std::optional<GeoTransform> before = std::exchange(transform_, wanted);
    StoredPlace shown;
    shown.transform = before;
    if (resource_->is_on_network() && IsStored(PlacePart::kTransform, shown)) return CE_None;
    if (SaveGeoreferencing(PlacePart::kTransform) == CE_None) return CE_None;
    transform_ = before;
    return CE_Failure;
  });
}

CPLErr RasterDataset::SetSpatialRef(const OGRSpatialReference* srs) {
  return GuardChange([&] {
    SpatialRef fresh(srs && !srs->IsEmpty() ? srs->Clone() : nullptr);
    std::swap(srs_, fresh);
    StoredPlace shown;
    shown.srs.reset(fresh ? fresh->Clone() : nullptr);
    if (resource_->is_on_network() && IsStored(PlacePart::kSpatialRef, shown)) return CE_None;
    if (SaveGeoreferencing(PlacePart::kSpatialRef) == CE_None) return CE_None;
    std::swap(srs_, fresh);
    return CE_Failure;
  });
}

CPLErr RasterDataset::AddConventions(const WriteConventions& added) {
  return ChangePlace(std::nullopt, [&](const OverviewBase& base, const StoredPlace*) {
    gdal_zarr::AddConventions(base.array, base.axes, base.place, added);
  });
}

// --- saving -----------------------------------------------------------------------------------------------------

FlushResult RasterDataset::FlushCache(bool at_closing) {
  return ToFlushResult(SaveAll(at_closing));
}

CPLErr RasterDataset::SaveAll(bool at_closing) {
  CPLErr result = GuardChange([this] { return SaveSideFile(); });
  if (FlushBase<GDALPamDataset>(this, at_closing) != CE_None) result = CE_Failure;
  if (at_closing && !TryChange([this] { band_values_.WarnOfUneven(); })) result = CE_Failure;
  if (levels_.FlushBlocks() != CE_None) result = CE_Failure;
  if (SaveWaitingPlace() != CE_None) result = CE_Failure;
  if (at_closing && last_change_ && result == CE_None) result = MakeLastChange();
  if (eAccess == GA_Update) {
    const CPLErr stored =
        GuardChange([this] { return resource_->Flush(), resource_->edits().saving.CheckComplete(), CE_None; });
    if (stored != CE_None) result = stored;
    band_values_.NoteFlush();
  }
  return result;
}

CPLErr RasterDataset::MakeLastChange() {
  return GuardChange([this] {
    resource_->edits().saving.Attempt(std::exchange(last_change_, nullptr));
    view_.Replace(array_object().shared_array());
    return CE_None;
  });
}

CPLErr RasterDataset::FinishStore() {
  if (eAccess != GA_Update) return CE_None;
  return GuardChange([this] { return resource_->Finish(), CE_None; });
}

CPLErr RasterDataset::Close(ZARR_CLOSE_ARGUMENTS) {
  return CloseDataset(this);
}

}  // namespace gdal_zarr
