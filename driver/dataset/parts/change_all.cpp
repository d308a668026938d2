// SPDX-License-Identifier: MIT
#include "driver/dataset/parts/change_all.h"

#include "zarrlib/base/error.h"

namespace gdal_zarr {

void ChangeAll(const std::vector<Step>& steps) {
  std::size_t done = 0;
  try {
    for (; done < steps.size(); ++done) steps[done](false);
  } catch (...) {
    for (std::size_t i = 0; i <= done; ++i) {
      try {
        steps[i](true);
      } catch (const zarr::Error&) {
        // The first error is reported.
      }
    }
    throw;
  }
}

}  // namespace gdal_zarr
