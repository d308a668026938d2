#include "driver/create/pending_addition.h"

#include <string>
#include <vector>

#include "driver/gdal/gdal_error.h"

namespace gdal_zarr {
namespace {

thread_local PendingAddition* pending = nullptr;

}  // namespace

PendingAddition::PendingAddition() {
  pending = this;
}

PendingAddition::~PendingAddition() {
  pending = nullptr;
}

void PendingAddition::SetResource(const std::shared_ptr<SharedResource>& resource) {
  if (pending) pending->resource_ = resource;
}

void PendingAddition::TakeBack() {
  if (!resource_) return;
  const std::vector<std::string> nodes = resource_->hierarchy().CreatedNodes();
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) TryChange([&] { resource_->DeleteNode(*node); });
  TryChange([&] { resource_->Change().WriteConsolidated(); });
  resource_.reset();
}

}  // namespace gdal_zarr
