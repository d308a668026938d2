// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "driver/dataset/parts/group_copy.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// The array that GDAL reads for the source of a copy, with its dataset, which may be null.
struct OriginalArray {
  GDALDataset* dataset = nullptr;
  const GDALMDArray* array = nullptr;
  std::shared_ptr<GDALDataset> opened;  // keep what the pointers may refer to
  std::shared_ptr<GDALMDArray> opened_array;
};

/// The same for a group.
struct OriginalGroup {
  GDALDataset* dataset = nullptr;
  const GDALGroup* group = nullptr;
  std::shared_ptr<GDALDataset> opened;
  std::shared_ptr<GDALGroup> opened_group;
};

/// Returns the source itself, unless it is an array of a virtual dataset that reads one array of a local file, of those
/// drivers of GDAL that misread some: gdalmdimtranslate makes such a virtual dataset for its options. `dataset` may be
/// null.
OriginalArray FindOriginal(GroupCopy& copy, GDALDataset* dataset, const GDALMDArray& source);
/// The same for a group: the one that has the originals of arrays in it, if they are of one file.
OriginalGroup FindOriginal(GroupCopy& copy, GDALDataset* dataset, const GDALGroup& source);

/// Removes the attributes of an original that a virtual dataset shows with another type or shape, because it gives them
/// values of its own.
void KeepShown(const GDALIHasAttribute& source, std::vector<std::shared_ptr<GDALAttribute>>* attributes);

}  // namespace gdal_zarr
