// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/dataset/shared_resource.h"
#include "zarrlib/base/error.h"
#include "zarrlib/metadata/array_summary.h"

namespace gdal_zarr {

/// An array of a store, with the properties that matter for choosing one.
struct FoundArray {
  std::string path;
  zarr::ArraySummary summary;
  bool numeric = false;
  bool auxiliary = false;  ///< It serves other arrays, as coordinates for instance.
  std::string type_name;   ///< GDAL's name, such as "Int16".
  /// The error that keeps the array from being opened. If there is one, only the path and `auxiliary` are known.
  std::optional<zarr::Error> failure = std::nullopt;
};

/// Finds the arrays in a group and below it. Warns the user if it stops at Limit::kListedNodes, and of arrays that
/// cannot be opened; if all fail, throws the first error. Throws Error(limit_exceeded) for nodes below Limit::kDepth.
/// Opens no array if there are consolidated metadata.
///
/// An array is auxiliary if it has one dimension and its name, or if the CF attribute `bounds`, `climatology`,
/// `coordinates` or `grid_mapping` of another array names it.
std::vector<FoundArray> FindArrays(SharedResource& resource, const std::string& group);

/// Whether an array can be a raster of its own: it is numeric, has at least two dimensions, is not an overview
/// ("/ovr_"), and not auxiliary.
bool CanBeMain(const FoundArray& array);
/// Whether an array can be a raster of its own, or might be but cannot be opened.
bool MayBeMain(const FoundArray& array);

/// Whether an array that cannot be opened is needed, so that no other one may be chosen in its place: it might be a
/// raster, and it cannot be read, or is broken in a dataset in update mode. For reading, broken arrays are skipped with
/// a warning.
bool IsNeeded(const SharedResource& resource, const FoundArray& array);

/// Chooses the array that the store is about: the only one; else the only one that can be a raster; else the largest
/// one if the others are its overviews; else the only numeric array that is not auxiliary, if none can be a raster.
/// Returns nullptr if that does not decide, or if a needed array cannot be opened.
const FoundArray* FindMainArray(SharedResource& resource, const std::vector<FoundArray>& arrays);

}  // namespace gdal_zarr
