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

/// Everything that the configuration options of this thread say about requests.
struct HttpSettings {
  CPLStringList options;  ///< For CPLHTTPSetOptions.
  /// Configuration options that are set for the path alone. CPLHTTPSetOptions reads some of them only from the thread's
  /// configuration, and which ones depends on its version.
  std::vector<std::pair<const char*, std::string>> of_path;
  RetryRule retry;
  bool path_verbatim = false;      ///< GDAL_HTTP_PATH_VERBATIM
  std::size_t most_in_flight = 1;  ///< GetMostRequests
};

/// Reads GDAL's options for HTTP: those set for the path alone (VSISetPathSpecificOption), else those of this thread or
/// of the process. `path` is that of a virtual file, such as "/vsis3/bucket/a.zarr/zarr.json".
HttpSettings ReadHttpSettings(const std::string& path);

/// The number of requests worth having in flight at once: ZARR_HTTP_REQUESTS, between 1 and 256.
std::size_t GetMostRequests(const std::string& path);

/// For how long metadata documents on the web are taken as valid without asking the server: ZARR_HTTP_METADATA_AGE, in
/// seconds; by default 0.
std::chrono::duration<double> GetMetadataAge(const std::string& path);

/// Whether the driver sends requests itself: ZARR_HTTP_CLIENT is not "GDAL". Throws zarr::Error(invalid_argument) for
/// values that it does not know.
bool UsesOwnRequests();

}  // namespace gdal_zarr
