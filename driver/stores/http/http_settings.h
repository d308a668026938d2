// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <cpl_string.h>

#include "driver/stores/http/retry_rule.h"

namespace gdal_zarr {

/// The settings of this thread's configuration options for requests.
struct HttpSettings {
  CPLStringList options;  ///< For CPLHTTPSetOptions.
  /// Configuration options that are set for this path only. CPLHTTPSetOptions reads some of them only from the thread's
  /// configuration; which ones depends on its version.
  std::vector<std::pair<const char*, std::string>> of_path;
  RetryRule retry;
  bool path_verbatim = false;      ///< GDAL_HTTP_PATH_VERBATIM
  std::size_t most_in_flight = 1;  ///< GetMostRequests
};

/// Reads GDAL's options for HTTP: those set for this path (VSISetPathSpecificOption), otherwise those of this thread or
/// of the process. `path` is that of a virtual file, such as "/vsis3/bucket/a.zarr/zarr.json".
HttpSettings ReadHttpSettings(const std::string& path);

/// Returns the maximum useful number of requests in flight: ZARR_HTTP_REQUESTS, between 1 and 256.
std::size_t GetMostRequests(const std::string& path);

/// Returns how long metadata documents from a web server are valid without asking the server: ZARR_HTTP_METADATA_AGE,
/// in seconds; 0 by default.
std::chrono::duration<double> GetMetadataAge(const std::string& path);

/// Returns true if the driver sends requests itself, that is, if ZARR_HTTP_CLIENT is not "GDAL". Throws
/// zarr::Error(invalid_argument) for unknown values.
bool UsesOwnRequests();

}  // namespace gdal_zarr
