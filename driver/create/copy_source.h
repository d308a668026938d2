#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// What a copy of a raster in one array cannot keep, as text for the user: values that the bands of an array have in
/// common, but not those of the source, masks, and, where there can be no side files, what only they keep.
class CopyLosses {
 public:
  /// `one_array`: all bands are to be in one array; else each has its own.
  CopyLosses(GDALDataset& source, bool one_array, bool has_side_files);

  bool none() const { return unlike_.empty() && !masks_ && !points_ && !rpc_; }
  /// Of class `level`, one for each reason.
  void Report(CPLErr level) const;
  /// The source without what is lost, which must not outlive it.
  std::unique_ptr<GDALDataset> Without(GDALDataset& source) const;

 private:
  void ReportOfSideFiles(CPLErr level) const;
  /// A value that is not the same in all bands: its place in the table of such, and where it differs.
  struct Unlike {
    std::size_t row;
    std::string text;
  };

  std::vector<Unlike> unlike_;
  bool masks_ = false;
  bool points_ = false;  // GCPs
  bool rpc_ = false;
};

}  // namespace gdal_zarr
