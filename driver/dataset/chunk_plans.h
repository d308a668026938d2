#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Arrays that are made before the coordinates by which their chunks are to be, in the order in which GDAL copies:
/// their chunks are made anew when the coordinates are there. Thread-safe.
class ChunkPlans {
 public:
  struct Plan {
    std::string array;  ///< Its path.
    CPLStringList options;
    GDALExtendedDataType type;
  };

  void Add(Plan plan);
  void Remove(const std::string& array);
  std::vector<Plan> List() const;

 private:
  mutable std::mutex mutex_;
  std::vector<Plan> plans_;
};

/// Throws zarr::Error(invalid_argument) if there are plans that have not been carried out.
void CheckChunkPlans(const ChunkPlans& plans);

}  // namespace gdal_zarr
