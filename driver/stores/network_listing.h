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

/// Lists a folder of an object store: the entries directly in it, if `start` is given only those whose names start so;
/// or with `recursive` all objects below it. A folder with nothing in it, which an object store does not know, gives an
/// empty list. Returns nothing if the server does not let the caller list, or if any of the requests fails.
///
/// GDAL tells neither an empty folder nor the end of a listing from a failed request by its result, but says so in a
/// debug message, in all versions from 3.6 on. Messages about credentials and regions come once only, so a listing in
/// which there was a message is asked for once more.
std::optional<std::vector<ListedEntry>> ListOnNetwork(const std::string& path, bool recursive,
                                                      const std::string& start = {});

/// As ListOnNetwork with `recursive`. Returns nothing if there are more than `most` objects, too.
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
