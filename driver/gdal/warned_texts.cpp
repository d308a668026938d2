// SPDX-License-Identifier: MIT
#include "driver/gdal/warned_texts.h"

#include <cpl_error.h>

namespace gdal_zarr {

void WarnedTexts::Warn(const std::string& text) {
  {
    const std::lock_guard lock(mutex_);
    if (!texts_.insert(text).second) return;
  }
  CPLError(CE_Warning, CPLE_AppDefined, "%s", text.c_str());
}

}  // namespace gdal_zarr
