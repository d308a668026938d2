// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// A view of a raster whose pixels are never read: reading leaves the buffer as it is. A multidimensional dataset is
/// shown as it is.
class ValuesHidden {
 public:
  /// `source` must outlive the object.
  explicit ValuesHidden(GDALDataset& source);
  ~ValuesHidden();
  ValuesHidden(const ValuesHidden&) = delete;
  ValuesHidden& operator=(const ValuesHidden&) = delete;

  GDALDataset& dataset() const { return view_ ? *view_ : source_; }

 private:
  GDALDataset& source_;
  std::unique_ptr<GDALDataset> view_;
};

}  // namespace gdal_zarr
