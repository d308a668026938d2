#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/dataset/shared_resource.h"
#include "zarrlib/base/error.h"
#include "zarrlib/metadata/array_summary.h"

namespace gdal_zarr {

/// An array of a store, and what the choice among several needs.
struct FoundArray {
  std::string path;
  zarr::ArraySummary summary;
  bool numeric = false;
  bool auxiliary = false;  ///< Only there for other arrays.
  std::string type_name;   ///< As GDAL says it, "Int16" for instance.
  /// Why it cannot be opened; all else but the path and `auxiliary` is not known then.
  std::optional<zarr::Error> failure = std::nullopt;
};

/// The arrays in a group and below it, at most 32 levels deep and 10,000 in number, of which the user is warned, and so
/// of those that cannot be opened. If nothing else is there, the error of the first of these is thrown. Where there are
/// consolidated metadata, no array is opened for this.
///
/// Auxiliary are one-dimensional arrays that have the name of a dimension, and the arrays that others name by the CF
/// attributes `bounds`, `climatology`, `coordinates` and `grid_mapping`.
std::vector<FoundArray> FindArrays(SharedResource& resource, const std::string& group);

/// Whether an array can be shown as a raster by itself: numbers, two dimensions or more, not an overview ("/ovr_"), not
/// auxiliary.
bool CanBeMain(const FoundArray& array);
/// The same, but of one that cannot be opened, whether it may be such an array.
bool MayBeMain(const FoundArray& array);

/// Whether it is an array that may be a main one and cannot be opened, for which no other one is a substitute: it
/// cannot be read, or is broken in a dataset that is to be changed. For reading, what is broken is passed over with a
/// warning.
bool IsNeeded(const SharedResource& resource, const FoundArray& array);

/// The array that the store is about: the only one, or the only one that may be, or the largest one if all the others
/// that can be are its overviews; else nullptr, also where one that is needed cannot be opened. Where none can be, the
/// only one of numbers that is not auxiliary.
const FoundArray* MainArray(SharedResource& resource, const std::vector<FoundArray>& arrays);

}  // namespace gdal_zarr
