// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Determines which parts of a raster a copy cannot keep, and reports them to the user: values and types that
/// differ between bands although an array has only one for all of them, nodata values that their type cannot hold,
/// masks, and data that needs PAM files if they cannot be written.
class CopyLosses {
 public:
  /// `one_array`: all bands are copied to one array; otherwise, each band gets its own.
  CopyLosses(GDALDataset& source, bool one_array, bool has_side_files);

  bool none() const { return !fails_if_strict() && items_.empty() && !hides_sign_; }
  /// Returns true if a strict copy fails. Metadata items that GDAL has functions for do not make it fail: many rasters
  /// have them.
  bool fails_if_strict() const {
    return !unlike_.empty() || !common_type_.empty() || !unfit_.empty() || masks_ || points_ || rpc_;
  }
  /// Reports each loss as a warning or, if it makes a strict copy fail, as an error of class `level`.
  void Report(CPLErr level) const;
  /// Returns a view of the source without the lost parts, in which bands of one array have one type. The source must
  /// outlive the view.
  std::unique_ptr<GDALDataset> Without(GDALDataset& source) const;

 private:
  void ReportSideFiles(CPLErr level) const;

  /// A value that differs between bands: its row in the table, and a description of the difference.
  struct Unlike {
    std::size_t row;
    std::string text;
  };

  std::vector<GDALDataType> types_;  // of the copies of the bands
  std::vector<Unlike> unlike_;
  std::string items_;        // the names of metadata items that are lost; empty if there are none
  bool hides_sign_ = false;  // an item `_Unsigned` that the type of the bands expresses, too
  std::string common_type_;  // describes the type of an array for bands of several types; empty if they have one
  std::map<int, std::string> unfit_;  // the nodata values that do not fit the type of their array, by band number
  bool masks_ = false;
  bool points_ = false;  // GCPs
  bool rpc_ = false;
};

}  // namespace gdal_zarr
