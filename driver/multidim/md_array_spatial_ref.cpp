// SPDX-License-Identifier: MIT
#include <algorithm>
#include <span>

#include "driver/dataset/attribute_names.h"
#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/axis_claim.h"
#include "driver/georeferencing/cf/cf_projection.h"
#include "driver/georeferencing/cf/usual_mapping.h"
#include "driver/georeferencing/convention_writers.h"
#include "driver/georeferencing/georeferencing.h"
#include "driver/georeferencing/georeferencing_writer.h"
#include "driver/georeferencing/raster_axes.h"
#include "driver/georeferencing/same_spatial_ref.h"
#include "driver/multidim/md_array.h"

namespace gdal_zarr {
namespace {

/// Returns true if the CRS has an axis without a corresponding dimension, as GDAL reports for the CRS of a slice.
/// Of an array that has both axes of places, a height may be missing.
bool LacksAxes(const OGRSpatialReference& srs, std::size_t rank) {
  const std::vector<int>& axes = srs.GetDataAxisToSRSAxisMapping();
  const std::size_t count = rank < 2 ? axes.size() : std::min<std::size_t>(2, axes.size());
  return std::ranges::count(std::span(axes).first(count), 0) > 0;
}

/// Returns true for the CRS of an array with more dimensions, which older versions of GDAL pass on to copies of slices.
bool IsOfMoreDimensions(const OGRSpatialReference& srs, std::size_t rank) {
  return std::ranges::any_of(srs.GetDataAxisToSRSAxisMapping(),
                             [rank](int axis) { return axis > 0 && static_cast<std::size_t>(axis) > rank; });
}

}  // namespace

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

bool MDArray::SetSpatialRef(const OGRSpatialReference* srs) {
  const std::size_t rank = dimensions_.size();
  // GDAL's copying of slices calls this too, so it is not a user error. A slice at one longitude needs no CRS.
  if (srs && LacksAxes(*srs, rank)) return true;
  if (!resource_->writable() && resource_->pam()) return GDALPamMDArray::SetSpatialRef(srs);
  bool may_move_levels = false;
  const bool saved = TryChange([&] {
    CheckNotDeleted(GetFullName());
    const bool only_seems_to = srs && conventions_ && !is_new_ && HasUsualSpatialRef(*this);
    if (!only_seems_to && IsShown(srs, is_new_)) return resource_->CheckWritable();
    if (is_new_ && !AreConventionsAskedFor() && srs && PostponeSpatialRef(*srs)) return;
    if (rank < 2) {
      SaveAttributes(WithSpatialRef(attributes(), srs));
    } else {
      const RasterAxes axes = FindHorizontalAxes(dimensions_).value_or(RasterAxes{rank - 1, rank - 2});
      if (srs && !CanHaveSpatialRef(axes) && (IsOfMoreDimensions(*srs, rank) || !MayKeepSpatialRef(axes))) return;
      WriteSpatialRef(*this, axes, srs);
      may_move_levels = !is_new_;
    }
    SaveEpoch(srs);
  });
  return saved && (!may_move_levels || MoveLevels());
}

/// Parts of a group that are copied later, such as a grid mapping for all of its arrays, may define the CRS.
bool MDArray::PostponeSpatialRef(const OGRSpatialReference& srs) {
  // Postponing would write the document once more in a remote store, if nothing else defines the CRS.
  if (resource_->is_on_network() && !FindAttribute(kGridMappingAttribute)) return false;
  const auto self = GetSelf();
  const std::shared_ptr<OGRSpatialReference> kept(srs.Clone());
  return resource_->edits().group_copy.DoAfter([self, kept] {
    if (!self->deleted()) self->SetSpatialRefAfterCopy(kept.get());
  });
}

void MDArray::SetSpatialRefAfterCopy(const OGRSpatialReference* srs) {
  if (IsShown(srs, false)) return;
  if (!IsStated(*srs)) {
    SetSpatialRef(srs);
  } else {
    SaveEpoch(srs);
  }
}

bool MDArray::IsStated(const OGRSpatialReference& srs) const {
  const auto stated = FindStatedSpatialRef();
  if (!stated) return false;
  // GDAL derived this CRS from the source's grid mapping, whatever its form.
  if (has_mapping_of_source_) return true;
  return !srs.IsCompound() && !stated->IsCompound() && AreSameSpatialRef(srs, *stated);
}

}  // namespace gdal_zarr
