// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "zarrlib/store/store.h"

namespace gdal_zarr {

/// Returns true if a path's server can compare and replace a value in one step: S3, Azure, and Google Cloud Storage.
bool TakesConditions(const std::string& path);

/// Returns what a path's server can compare with the present state of a value: an entity tag, or a generation. Returns
/// "" if the stamp has none.
std::string GetComparedPart(const std::string& path, const zarr::VersionStamp& stamp);

/// Makes the header for a request on the condition that a value has a stamp, or, if that is null, that there is none.
std::string MakeCondition(const std::string& path, const zarr::VersionStamp* known);

/// Returns the most bytes that GDAL sends in one request.
std::size_t GetMostInOneRequest(const std::string& path);

/// Asks the server for the entity tag or the generation of a value, and makes GDAL forget what it knows of the value.
/// Returns "" if there is none, or if the request fails.
std::string ReadComparedPart(const std::string& path);

}  // namespace gdal_zarr
