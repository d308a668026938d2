// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace gdal_zarr {

/// Returns a digest of the settings that GDAL's network file systems apply to a path on this thread: endpoints,
/// regions, accounts, credentials, headers and proxies, set by configuration options or for this path only
/// (VSISetPathSpecificOption). With other settings, the path may refer to another store. The digest does not reveal the
/// settings, which include secrets.
std::string MakeDigestOfSettings(const std::string& path);

/// Call this before GDAL accesses a path in a remote store. GDAL caches a server's answers regardless of the settings
/// of the request; this drops them if the last request used other settings. Thread-safe.
void ForgetAnswersToOthers(const std::string& path, const std::string& digest);

/// Returns the remote part of a path, such as "/vsis3/bucket/a.zip" for "/vsizip//vsis3/bucket/a.zip", or "" if the
/// path is local.
std::string FindNetworkPart(const std::string& path);

}  // namespace gdal_zarr
