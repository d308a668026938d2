#pragma once

#include <string>

namespace gdal_zarr {

/// What GDAL's network file systems go by besides a path: endpoints, regions, accounts, credentials, headers, proxies;
/// by configuration options, or by those that are set for a path alone (VSISetPathSpecificOption). Two stores of one
/// path that are asked for with other settings may be two.
///
/// A digest of those in force for a path on this thread. It does not tell them: there are secrets among them.
std::string DigestOfSettings(const std::string& path);

/// To be called before GDAL is asked for a path on a network: what GDAL remembers of the server's answers is forgotten
/// if they were given to who asked with other settings, of which GDAL takes no notice. Thread-safe.
void ForgetAnswersToOthers(const std::string& path, const std::string& digest);

/// The part of a path that is on a network, such as "/vsis3/bucket/a.zip" of "/vsizip//vsis3/bucket/a.zip"; "" if there
/// is none.
std::string NetworkPart(const std::string& path);

}  // namespace gdal_zarr
