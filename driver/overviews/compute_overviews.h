// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// The arguments of GDALDataset::BuildOverviews.
struct OverviewRequest {
  std::string resampling;     ///< GDAL's name of the method; "NONE" creates levels without data.
  std::vector<int> factors;   ///< If empty, all levels are removed.
  std::vector<int> bands;     ///< Counted from 1.
  int bands_at_once = 1;      ///< Number of bands that are computed together.
  CSLConstList options;       ///< GDAL's options for computing levels.
  GDALProgressFunc progress;  ///< Never null.
  void* progress_data;
};

/// Checks the arguments as far as possible without the dataset, sorts the factors and drops duplicates. Throws
/// zarr::Error(invalid_argument).
OverviewRequest MakeOverviewRequest(const char* resampling, int factor_count, const int* factors, int band_count,
                                    const int* bands, GDALProgressFunc progress, void* progress_data,
                                    CSLConstList options);

/// Returns GDAL's usual name of a resampling method: "NEAREST" for "near"; "" for a method that GDAL does not know.
std::string GetMethodName(const std::string& method);

/// Returns false if levels are created, but not filled: the method is "NONE".
bool ComputesPixels(const OverviewRequest& request);

/// Returns true if only a region of the levels is computed, as GDAL's options for that say.
bool HasRegion(const OverviewRequest& request);

/// Computes the pixels of the levels, which are ordered from the largest: the first from `base`, each other level from
/// the preceding one. Failures have been reported to GDAL.
CPLErr ComputeLevels(GDALDataset& base, const std::vector<GDALDataset*>& levels, const OverviewRequest& request);

}  // namespace gdal_zarr
