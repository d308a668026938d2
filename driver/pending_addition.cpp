#include "driver/pending_addition.h"

#include <string>
#include <vector>

#include "driver/gdal_error.h"

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

void PendingAddition::SetContext(const std::shared_ptr<NodeContext>& context) {
  if (pending) pending->context_ = context;
}

void PendingAddition::TakeBack() {
  if (!context_) return;
  const std::vector<std::string> nodes = context_->hierarchy().CreatedNodes();
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) Changes([&] { context_->DeleteNode(*node); });
  Changes([&] { context_->Change().WriteConsolidated(); });
  context_.reset();
}

}  // namespace gdal_zarr
