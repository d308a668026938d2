// SPDX-License-Identifier: MIT
#include "driver/stores/credentials.h"

#include <cpl_vsi.h>
#include <cpl_vsi_error.h>

#include "driver/gdal/gdal_error.h"
#include "driver/stores/network_listing.h"

namespace gdal_zarr {

std::string FindLackOfCredentials(const std::string& path) {
  if (!IsInObjectStore(path)) return "";
  const ErrorCollector errors;
  VSIErrorReset();
  const std::string inside = path + "/";  // GDAL's function expects more than a bucket
  const char* const url = VSIGetActualURL(inside.c_str());
  if (url && url != inside) return "";  // without credentials, it is the path itself
  const std::string reason = errors.GetText();
  return reason.empty() ? VSIGetLastErrorMsg() : reason;
}

}  // namespace gdal_zarr
