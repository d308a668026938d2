// SPDX-License-Identifier: MIT
#include "driver/dataset/parts/dataset_edits.h"

namespace gdal_zarr {

void DatasetEdits::RenameDimension(const std::string& full_name, std::uint64_t size, const std::string& name) {
  dimension_sources.Forget();
  dimensions.Rename(full_name, size, name);
}

void DatasetEdits::Forget(std::string_view path) {
  writers.Drop(path);
  chunk_plans.RemoveBelow(path);
  objects.Drop(path);
  dimensions.Drop(path);
  stale.Drop(path);
  group_copy.Drop(path);
  dimension_sources.Forget();
  live_objects.Delete(path);
}

void DatasetEdits::Move(std::string_view from, std::string_view to) {
  writers.Move(from, to);
  chunk_plans.Move(from, to);
  objects.Move(from, to);
  dimensions.Move(from, to);
  stale.Move(from, to);
  group_copy.Move(from, to);
  dimension_sources.Forget();
  live_objects.Move(from, to);
}

}  // namespace gdal_zarr
