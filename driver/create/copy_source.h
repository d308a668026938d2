// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Determines which parts of a raster a copy cannot keep, and reports them to the user: values that differ between
/// bands although an array has only one for all of them, nodata values that their type cannot hold, masks, and data
/// that needs PAM files if they cannot be written.
class CopyLosses {
 public:
  /// `one_array`: all bands are copied to one array; otherwise, each band gets its own.
  CopyLosses(GDALDataset& source, bool one_array, bool has_side_files);

  bool none() const { return !fails_if_strict() && items_.empty(); }
  /// Returns true if a strict copy fails. Metadata items that GDAL has functions for do not make it fail: many rasters
  /// have them.
  bool fails_if_strict() const { return !unlike_.empty() || !unfit_.empty() || masks_ || points_ || rpc_; }
  /// Reports each loss as a warning or, if it makes a strict copy fail, as an error of class `level`.
  void Report(CPLErr level) const;
  /// Returns a view of the source without the lost parts. The source must outlive the view.
  std::unique_ptr<GDALDataset> Without(GDALDataset& source) const;

 private:
  void ReportSideFiles(CPLErr level) const;
  /// A value that differs between bands: its row in the table, and a description of the difference.
  struct Unlike {
    std::size_t row;
    std::string text;
  };

  std::vector<Unlike> unlike_;
  std::string items_;  // the names of metadata items that are lost; empty if there are none
  std::string unfit_;  // describes a nodata value that does not fit its band's type; empty if there is none
  bool masks_ = false;
  bool points_ = false;  // GCPs
  bool rpc_ = false;
};

}  // namespace gdal_zarr
