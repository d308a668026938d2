#pragma once

#include <memory>
#include <vector>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/array/array.h"
#include "zarrlib/base/executor.h"

namespace gdal_zarr {

/// Gives threads of the pool the thread-local configuration options of the thread that made this, and keeps what GDAL
/// says there from the user: errors come from the calling thread, as zarr::Error.
class ConfigurationHook final : public zarr::WorkerHook {
 public:
  ConfigurationHook();
  std::shared_ptr<void> Enter() const override;

 private:
  CPLStringList options_;
};

/// How the configuration wants arrays to be read: GDAL_NUM_THREADS (a number or ALL_CPUS, which is the default) and
/// ZARR_ALLOW_BIG_TILE_SIZE, which lifts the limit on a chunk's size. `hook` must outlive the result.
zarr::ReadOptions MakeReadOptions(const ConfigurationHook& hook);

/// Sets the limit of the process's chunk cache: ZARR_CACHE_SIZE (bytes, or with a unit KB, MB, GB), by default the
/// smaller of GDAL_CACHEMAX and 512 MB.
void ApplyCacheLimit();

}  // namespace gdal_zarr
