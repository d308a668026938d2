// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace gdal_zarr {

/// A request to make references to several files, which are parts of one dataset.
struct StackRequest {
  /// The dimension along which files follow each other. If the first file has it, its arrays with this dimension are
  /// stacked; otherwise all arrays of two or more dimensions get it as their first one.
  std::string along;
  std::vector<std::string> files;  ///< Multidimensional datasets of GDAL, in their order.
  std::string output;              ///< As for FORMAT=KERCHUNK.
  std::function<bool(double)> progress;
  std::function<void(const std::string&)> warn;
};

/// Makes references to files as one dataset. Arrays that are not stacked are those of the first file; `warn` is called
/// for those that differ in other files, and for attributes that do. Throws zarr::Error, which names the file and the
/// array, if they cannot be stacked. On failure, nothing is changed. Reports other errors to GDAL, and throws then,
/// too.
void StackReferences(const StackRequest& request);

}  // namespace gdal_zarr
