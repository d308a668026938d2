// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace gdal_zarr {

/// Lets GDAL find its credentials for a path in an object store, which it keeps. Returns the reason if it has none;
/// "" otherwise, and for other paths.
///
/// Call this before GDAL's debug messages are read: where it looks for a role of the machine, it hides errors of its
/// own by a function that lets debug messages, some with secrets, pass to the user.
std::string FindLackOfCredentials(const std::string& path);

}  // namespace gdal_zarr
