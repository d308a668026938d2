// SPDX-License-Identifier: MIT
#include "driver/dataset/chunk_plans.h"

#include <utility>

#include "driver/dataset/live_objects.h"
#include "driver/dataset/node_paths.h"
#include "zarrlib/base/error.h"

namespace gdal_zarr {

void ChunkPlans::Add(Plan plan) {
  const std::lock_guard lock(mutex_);
  plans_.push_back(std::move(plan));
}

void ChunkPlans::Remove(const std::string& array) {
  const std::lock_guard lock(mutex_);
  std::erase_if(plans_, [&](const Plan& plan) { return plan.array == array; });
}

void ChunkPlans::RemoveBelow(std::string_view path) {
  const std::lock_guard lock(mutex_);
  std::erase_if(plans_, [&](const Plan& plan) { return IsAtOrBelow(plan.array, path); });
}

void ChunkPlans::Move(std::string_view from, std::string_view to) {
  const std::lock_guard lock(mutex_);
  for (Plan& plan : plans_) {
    if (auto moved = GetMovedPath(plan.array, from, to)) plan.array = *std::move(moved);
  }
}

std::vector<ChunkPlans::Plan> ChunkPlans::List() const {
  const std::lock_guard lock(mutex_);
  return plans_;
}

void CheckChunkPlans(const ChunkPlans& plans) {
  const auto left = plans.List();
  if (left.empty()) return;
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                    left.front().array + ": creation option CHUNK_EDGES: " +
                        zarr::FormatExpectedGot("coordinates, or a source, that determine its chunks", "none") +
                        ": its chunks all have one length");
}

}  // namespace gdal_zarr
