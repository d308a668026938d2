// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/dataset/shared_resource.h"
#include "zarrlib/array/array.h"

namespace gdal_zarr {

/// An overview of an array.
struct FoundOverview {
  std::shared_ptr<const zarr::Array> array;
  std::string method;  ///< The resampling method in the layout; "" if it does not tell one.
};

/// How many groups above an array may declare its overviews. Each costs a lookup in the store.
inline constexpr int kMostGroupsAbove = 3;

/// Returns the overviews of an array, the largest first. They are declared by the array's group, or one of the two
/// groups above it, with the GeoZarr convention `multiscales`, or the list of that name of OME-NGFF and ndpyramid. A
/// level is an array, or a group that contains an array of the same name.
///
/// Coordinates next to the base of a pyramid have no overviews. Coordinates in a group that is a level have those in
/// the groups of smaller levels. Leaves out levels that are missing, cannot be opened, have another rank or data type,
/// or have a longer axis. For an invalid layout, warns and returns an empty list. Never throws zarr::Error.
std::vector<FoundOverview> FindOverviews(SharedResource& resource, const zarr::Array& array);

/// Returns the overviews of an array, by the rules of FindOverviews but whatever their lengths; none if it is itself an
/// overview of a larger array. Throws zarr::Error(io).
std::vector<std::shared_ptr<const zarr::Array>> FindLevelsOfBase(SharedResource& resource, const zarr::Array& array);

/// Returns true if a group, or one above it, may declare overviews of the group's arrays.
bool DeclaresOverviews(SharedResource& resource, const std::string& group);

/// Returns true if FindOverviews finds overviews that a group above the array's own group declares, or OME-NGFF. Throws
/// zarr::Error(io).
bool HasLevelsOfOthers(SharedResource& resource, const zarr::Array& array);

}  // namespace gdal_zarr
