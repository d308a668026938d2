#pragma once

#include <string>
#include <vector>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// What GDALDataset::BuildOverviews was asked for.
struct OverviewRequest {
  std::string resampling;     ///< As GDAL names it; "NONE": the levels are made, their data are not.
  std::vector<int> factors;   ///< None: what is there is removed.
  std::vector<int> bands;     ///< From 1.
  int bands_at_once = 1;      ///< Computed together.
  CSLConstList options;       ///< GDAL's, for how the levels are computed.
  GDALProgressFunc progress;  ///< Never null.
  void* progress_data;
};

/// Checks what can be said without looking at the dataset, and puts the factors into order, each once. Throws
/// zarr::Error(invalid_argument).
OverviewRequest MakeOverviewRequest(const char* resampling, int factor_count, const int* factors, int band_count,
                                    const int* bands, GDALProgressFunc progress, void* progress_data,
                                    CSLConstList options);

/// Computes the pixels of the levels, the largest of which comes first, each from the one before and the first from
/// `base`. What goes wrong has been reported to GDAL.
CPLErr ComputeLevels(GDALDataset& base, const std::vector<GDALDataset*>& levels, const OverviewRequest& request);

}  // namespace gdal_zarr
