// SPDX-License-Identifier: MIT
#include "driver/create/copy_in_progress.h"

#include <string>
#include <utility>
#include <vector>

#include "driver/gdal/gdal_error.h"
#include "zarrlib/hierarchy/editing/waiting_changes.h"

namespace gdal_zarr {
namespace {

thread_local CopyInProgress* current = nullptr;

std::string JoinPaths(const std::vector<std::string>& paths) {
  std::string list;
  for (const std::string& path : paths) list += (list.empty() ? "" : ", ") + path;
  return list;
}

}  // namespace

CopyInProgress::CopyInProgress(std::vector<BandDimension> band_dimensions, PlaneNames plane_names,
                               std::string source_name, std::vector<GDALDataType> band_types)
    : band_dimensions_(std::move(band_dimensions)),
      plane_names_(std::move(plane_names)),
      source_name_(std::move(source_name)),
      band_types_(std::move(band_types)),
      outer_(current) {
  current = this;
}

CopyInProgress::~CopyInProgress() {
  current = outer_;
}

bool CopyInProgress::IsAwaited() {
  return current && !current->has_target_;
}

std::vector<BandDimension> CopyInProgress::GetBandDimensions() {
  return IsAwaited() ? current->band_dimensions_ : std::vector<BandDimension>();
}

PlaneNames CopyInProgress::GetPlaneNames() {
  return IsAwaited() ? current->plane_names_ : PlaneNames();
}

std::string CopyInProgress::GetSourceName() {
  return IsAwaited() ? current->source_name_ : "";
}

std::vector<GDALDataType> CopyInProgress::GetBandTypes() {
  return IsAwaited() ? current->band_types_ : std::vector<GDALDataType>();
}

bool CopyInProgress::SetTarget(const std::shared_ptr<SharedResource>& resource, bool is_new) {
  // A callback of the copy may create another store.
  if (!current || std::exchange(current->has_target_, true)) return false;
  current->target_ = resource;
  current->has_made_store_ = is_new;
  if (!is_new) current->added_to_ = resource;
  resource->edits().saving.BeginCopy();
  resource->Change().waiting().Defer();
  return true;
}

bool CopyInProgress::IsRunning() {
  return current != nullptr;
}

bool CopyInProgress::HasAllNodes() const {
  if (!refused_.unread().empty()) {
    CPLError(CE_Failure, CPLE_AppDefined,
             "Zarr: the copy is not made, because nodes of the source cannot be read: %s; a copy of the other arrays "
             "names them (gdalmdimtranslate -array)",
             JoinPaths(refused_.unread()).c_str());
    return false;
  }
  if (refused_.paths().empty()) return true;
  CPLError(CE_Failure, CPLE_AppDefined,
           "Zarr: the copy is not made, because nodes of the source cannot be written: %s; a copy of the other arrays "
           "names them (gdalmdimtranslate -array)",
           JoinPaths(refused_.paths()).c_str());
  return false;
}

bool CopyInProgress::ChangeTarget(const std::function<void(SharedResource& target)>& change) {
  const auto target = target_.lock();
  return !target || TryChange([&] { change(*target); });
}

void CopyInProgress::AllowFinish() {
  if (const auto target = target_.lock()) target->edits().saving.EndCopy();
}

bool CopyInProgress::Complete() {
  const auto target = target_.lock();
  return !target || TryChange([&] { target->Change().waiting().EndDeferring(); });
}

void CopyInProgress::PutWaiting() {
  const auto target = target_.lock();
  if (target && target->is_on_network()) TryChange([&] { target->Change().waiting().Put(); });
}

void CopyInProgress::TakeBack() {
  if (!added_to_) return;
  const std::vector<std::string> nodes = added_to_->Change().CreatedNodes();
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) TryChange([&] { added_to_->DeleteNode(*node); });
  TryChange([&] { added_to_->Change().WriteConsolidated(); });
  added_to_.reset();
}

}  // namespace gdal_zarr
