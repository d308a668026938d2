// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/dataset/shared_resource.h"
#include "zarrlib/base/error.h"
#include "zarrlib/metadata/array_summary.h"

namespace gdal_zarr {

/// An array of a store, with the properties that are needed to choose one.
struct FoundArray {
  std::string path;
  zarr::ArraySummary summary;
  bool numeric = false;
  bool auxiliary = false;  ///< It belongs to other arrays, as coordinates for instance.
  std::string type_name;   ///< GDAL's name, such as "Int16".
  /// The error that prevents the array from being opened. If there is one, only the path and `auxiliary` are known.
  std::optional<zarr::Error> failure = std::nullopt;
};

/// Finds the arrays in a group and its descendants. Warns the user if it stops at Limit::kListedNodes, and of arrays
/// that cannot be opened; if all fail, throws the first error. Throws Error(limit_exceeded) for nodes below
/// Limit::kDepth. Does not open arrays if there is consolidated metadata.
///
/// An array is auxiliary if it has one dimension and its name, or if the CF attribute `bounds`, `climatology`,
/// `coordinates` or `grid_mapping` of another array names it.
std::vector<FoundArray> FindArrays(SharedResource& resource, const std::string& group);

/// Returns true if an array can be a raster of its own: it is numeric, has at least two dimensions, is not an overview
/// ("/ovr_"), and is not auxiliary.
bool CanBeMain(const FoundArray& array);
/// Returns true if an array can be a raster of its own, or might be but cannot be opened.
bool MayBeMain(const FoundArray& array);

/// Returns true if an array that cannot be opened is needed, so that no other array may be chosen instead: it might be
/// a raster, and it cannot be read, or is broken in a dataset in update mode. In read-only datasets, broken arrays are
/// skipped with a warning.
bool IsNeeded(const SharedResource& resource, const FoundArray& array);

/// Chooses the main array of the store: the only array; otherwise the only one that can be a raster; otherwise the
/// largest one if the others are its overviews; otherwise, if none can be a raster, the only numeric array that is not
/// auxiliary. Returns null if that does not decide, or if a needed array cannot be opened.
const FoundArray* FindMainArray(SharedResource& resource, const std::vector<FoundArray>& arrays);

}  // namespace gdal_zarr
