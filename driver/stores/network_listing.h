// SPDX-License-Identifier: MIT
#pragma once

#include <cpl_vsi.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdal_zarr {

/// An object or a folder in a listing.
struct ListedEntry {
  std::string name;  ///< Relative to the listed folder, without a trailing "/".
  bool is_folder = false;
};

/// Returns true if a path is in an object store, where folders exist only as parts of keys.
bool IsInObjectStore(const std::string& path);

/// Returns true for the reason of a failure, of GDAL or ours, by which a server denies access to a file.
bool TellsOfRefusal(std::string_view reason);

/// Returns true if a status means that the server does not list: it refuses, or does not support listings.
bool MeansNoListing(int status);

/// Lists a folder in a remote store. Returns the direct entries, limited to names that begin with `start` if it is
/// given; with `recursive`, returns all objects below the folder. An empty folder in an object store, which is unknown
/// to the store, gives an empty list. Returns nullopt if the server does not list here (MeansNoListing), or if its page
/// is not a list. Throws zarr::Error(io), with the URL and the status, for any other failure, after the retries set by
/// GDAL's options.
///
/// GDAL's results do not distinguish an empty folder or the end of a listing from a failed request. But in all versions
/// since 3.6, object stores report failures in a debug message, and libcurl's messages contain the status. Messages
/// about credentials and regions are raised only once, so a listing with such a message is repeated. GDAL caches the
/// page of a web server for later calls, but does not record failures.
std::optional<std::vector<ListedEntry>> ListOnNetwork(const std::string& path, bool recursive,
                                                      const std::string& start = {});

/// Lists all objects below a folder of an object store. Returns nullopt if there are more than `most`, or if the
/// listing fails for any reason.
std::optional<std::vector<ListedEntry>> ListAllOnNetwork(const std::string& path, std::size_t most);

/// Like ListOnNetwork, not recursive. Does not send a request if this thread has found the folder empty a moment ago,
/// and this process has not changed any remote store since: GDAL checks several times whether the target exists before
/// it lets a driver create a dataset.
std::optional<std::vector<ListedEntry>> ListNewPlace(const std::string& path);
/// Records that this process has changed a remote store.
void NoteChangeOnNetwork();

/// Removes objects, with one request if the server supports that. Returns for each object whether its removal is known
/// to have succeeded.
std::vector<bool> UnlinkObjects(const std::vector<std::string>& paths);

}  // namespace gdal_zarr
