// SPDX-License-Identifier: MIT
#include "driver/dataset/leftovers.h"

#include <cpl_error.h>

namespace gdal_zarr {

void WarnOfLeftovers(const std::string& store, const zarr::Leftovers& leftovers) {
  if (leftovers.count == 0) return;
  std::string names;
  for (const std::string& example : leftovers.examples) names += (names.empty() ? "" : ", ") + example;
  if (leftovers.count > leftovers.examples.size()) names += ", ...";
  const CPLErr type = CPLGetLastErrorType();
  const CPLErrorNum number = CPLGetLastErrorNo();
  const std::string message = CPLGetLastErrorMsg();
  CPLError(CE_Warning, CPLE_AppDefined, "%s: %llu files or folders were left, because no Zarr metadata name them: %s",
           store.c_str(), static_cast<unsigned long long>(leftovers.count), names.c_str());
  // When GDAL removes a store because a copy failed, this warning must not hide the reason.
  if (type >= CE_Failure) CPLErrorSetState(type, number, message.c_str());
}

}  // namespace gdal_zarr
