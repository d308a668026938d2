// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Arrays whose chunks depend on coordinates that are not written yet, because GDAL copies arrays before their
/// coordinates. Their chunk grids are recomputed once the coordinates are available. Thread-safe.
class ChunkPlans {
 public:
  struct Plan {
    std::string array;  ///< The array's path.
    CPLStringList options;
    GDALExtendedDataType type;
  };

  void Add(Plan plan);
  void Remove(const std::string& array);
  /// Removes the plans of all arrays at and below a deleted path.
  void RemoveBelow(std::string_view path);
  /// Updates the plans of arrays at and below a renamed path.
  void Move(std::string_view from, std::string_view to);
  std::vector<Plan> List() const;

 private:
  mutable std::mutex mutex_;
  std::vector<Plan> plans_;
};

/// Throws zarr::Error(invalid_argument) if any plan was not carried out.
void CheckChunkPlans(const ChunkPlans& plans);

}  // namespace gdal_zarr
