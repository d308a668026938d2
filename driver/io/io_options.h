// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/array/array.h"
#include "zarrlib/base/executor.h"

namespace gdal_zarr {

/// Copies the thread-local configuration options of the thread that made this hook to pool threads. GDAL's messages on
/// pool threads do not reach the user: errors come from the calling thread, as zarr::Error.
class ConfigurationHook final : public zarr::WorkerHook {
 public:
  ConfigurationHook();
  std::shared_ptr<void> Enter() const override;

 private:
  CPLStringList options_;
};

/// Reads the configuration options for reading arrays: GDAL_NUM_THREADS (a number, or ALL_CPUS, the default) and
/// ZARR_ALLOW_BIG_TILE_SIZE, which removes the limit on a chunk's size. `hook` must outlive the result.
zarr::ReadOptions MakeReadOptions(const ConfigurationHook& hook);

/// Parses a number of threads: at least 1, or ALL_CPUS, for which it returns 0.
std::size_t ParseThreadCount(const char* text);

/// Sets the limit of the process's chunk cache from ZARR_CACHE_SIZE (bytes, or with a unit KB, MB, GB). The default is
/// the smaller of GDAL_CACHEMAX and 512 MB.
void ApplyCacheLimit();
/// Sets the process-wide limits (zarrlib/base/limits.h) from the configuration options of the same names. Throws
/// zarr::Error(invalid_argument).
void ApplyLimits();

}  // namespace gdal_zarr
