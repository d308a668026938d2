// SPDX-License-Identifier: MIT
#pragma once

#include <cpl_vsi.h>

#include <optional>
#include <string>
#include <vector>

namespace gdal_zarr {

/// An object or a folder in a listing.
struct ListedEntry {
  std::string name;  ///< Relative to the folder that is listed, without a "/" at its end.
  bool is_folder = false;
};

/// Whether a path is in an object store, whose folders are parts of names and not things of their own.
bool IsInObjectStore(const std::string& path);

/// Whether a status, given for a listing, says that the server lists nothing here: it refuses, or knows no listings.
bool MeansNoListing(int status);

/// Lists a folder on a network: the entries directly in it, if `start` is given only those whose names start so; or
/// with `recursive` all objects below it. A folder of an object store with nothing in it, which the store does not
/// know, gives an empty list. Returns nothing if the server does not list here (MeansNoListing), or if its page is no
/// list. Throws zarr::Error(io), with the URL and the status, for any other failure, after the retries that GDAL's
/// options ask for.
///
/// GDAL tells neither an empty folder nor the end of a listing from a failed request by its result, but object stores
/// say so in a debug message, and libcurl's messages tell the status, in all versions from 3.6 on. Messages about
/// credentials and regions come once only, so a listing in which there was one is asked for once more. GDAL keeps the
/// page of a web server, and nothing of a failure, for later calls.
std::optional<std::vector<ListedEntry>> ListOnNetwork(const std::string& path, bool recursive,
                                                      const std::string& start = {});

/// Lists all objects below a folder of an object store. Returns nothing if there are more than `most`, or if the
/// listing fails for whatever reason.
std::optional<std::vector<ListedEntry>> ListAllOnNetwork(const std::string& path, std::size_t most);

/// As ListOnNetwork, not recursive. If this thread has seen a moment ago that the folder is empty, and this process has
/// changed nothing on a network since, takes no request: GDAL asks several times whether there is something before it
/// lets a driver make a dataset.
std::optional<std::vector<ListedEntry>> ListNewPlace(const std::string& path);
/// Says that this process has changed something on a network.
void NoteChangeOnNetwork();

/// Removes objects, by one request where the server has such requests. Tells of each whether that is known to have
/// worked.
std::vector<bool> UnlinkObjects(const std::vector<std::string>& paths);

}  // namespace gdal_zarr
