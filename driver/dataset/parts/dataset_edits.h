// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "driver/dataset/chunk_plans.h"
#include "driver/dataset/dimension_sources.h"
#include "driver/dataset/live_objects.h"
#include "driver/dataset/parts/array_objects.h"
#include "driver/dataset/parts/created_dimensions.h"
#include "driver/dataset/parts/dimension_objects.h"
#include "driver/dataset/parts/group_copy.h"
#include "driver/dataset/parts/save_state.h"
#include "driver/dataset/parts/stale_marks.h"
#include "driver/dataset/writer_pool.h"

namespace gdal_zarr {

/// The state of a dataset in update mode, in addition to its store. Each part is thread-safe.
struct DatasetEdits {
  WriterPool writers;
  ChunkPlans chunk_plans;
  SaveState saving;
  ArrayObjects objects;
  GroupCopy group_copy;
  CreatedDimensions dimensions;
  DimensionObjects dimension_objects;
  DimensionSources dimension_sources;
  StaleMarks stale;
  std::atomic<std::uint64_t> flushes = 0;  ///< Others may write to new arrays that have been saved.
  LiveObjects live_objects;                ///< Groups, arrays, dimensions and attributes in use.
  bool has_none_above = false;             ///< No consolidated metadata of a larger store list what is changed here.
  std::vector<std::string> untold_above;   ///< Changed nodes that such metadata do not have because of a failure.

  /// Renames a dimension that was created.
  void RenameDimension(const std::string& full_name, std::uint64_t size, const std::string& name);
  /// Drops the state of a removed node and its descendants.
  void Forget(std::string_view path);
  /// Moves the state of a node and its descendants to another path.
  void Move(std::string_view from, std::string_view to);
};

}  // namespace gdal_zarr
