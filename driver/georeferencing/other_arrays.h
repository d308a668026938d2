// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "driver/georeferencing/convention_writers.h"
#include "zarrlib/metadata/array_metadata.h"

namespace gdal_zarr {

/// Returns true if the path of an array of the target's group fits.
bool AnyPath(const GeoTarget& target, const std::function<bool(const std::string& path)>& fits);

/// Returns true if an array of the target's group fits: one that is not in use in this dataset, and not at a path
/// of `but`. An array that cannot be read may fit. In a remote store this takes requests. Throws zarr::Error.
bool HasOther(const GeoTarget& target, const std::vector<std::string>& but,
              const std::function<bool(const zarr::ArrayMetadata& array)>& fits);

/// Returns true if another array of the target's group has a dimension of that name and of another length. In a remote
/// store this takes requests. Throws zarr::Error.
bool HasOtherLength(const GeoTarget& target, const std::string& name, std::uint64_t length);

bool HasDimension(const zarr::ArrayMetadata& array, const std::string& name);

}  // namespace gdal_zarr
