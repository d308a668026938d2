#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "driver/gdal_compat.h"

namespace gdal_zarr {

class NodeContext;

/// The creation option CHUNK_EDGES with its plans replaced by edges: `time:MONTHS` has a chunk for each calendar month
/// of the coordinates of dimension `time`, which must be stored by then. Throws zarr::Error(invalid_argument).
std::string ExpandChunkPlans(const std::string& edges, const std::vector<std::shared_ptr<GDALDimension>>& dimensions);

/// Whether there is a plan in it for a dimension whose coordinates are not there yet, or have not been written.
bool AwaitsCoordinates(const std::string& edges, const std::vector<std::shared_ptr<GDALDimension>>& dimensions);

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

/// Makes the chunks of the arrays whose plans can be carried out by now. Throws zarr::Error.
void ApplyChunkPlans(const std::shared_ptr<NodeContext>& context);
/// Throws zarr::Error(invalid_argument) if there are plans that have not been carried out.
void CheckChunkPlans(const ChunkPlans& plans);

/// Options of CreateCopy with CHUNK_EDGES=SOURCE replaced by the blocks of the source's first band, as BLOCKSIZE.
CPLStringList ExpandSourcePlan(CSLConstList options, GDALDataset& source);

}  // namespace gdal_zarr
