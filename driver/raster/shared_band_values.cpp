// SPDX-License-Identifier: MIT
#include "driver/cf/color_table.h"
#include "driver/cf/value_attributes.h"
#include "driver/raster/band_attributes.h"
#include "driver/raster/raster_dataset.h"

namespace gdal_zarr {

const zarr::JsonNode& RasterDataset::GetBandAttributes() {
  if (picked_from_ != view_.shared_array()) {
    band_attributes_ = PickBandAttributes(view_.array().metadata().attributes);
    picked_from_ = view_.shared_array();
  }
  return band_attributes_;
}

CPLStringList& RasterDataset::GetCategories() {
  if (!categories_) {
    const bool is_integer = GDALDataTypeIsInteger(md_array_->GetDataType().GetNumericDataType());
    categories_ = is_integer ? ReadCategoryNames(GetBandAttributes()) : CPLStringList();
  }
  return *categories_;
}

GDALColorTable& RasterDataset::GetColors() {
  if (!colors_) {
    const bool is_integer = GDALDataTypeIsInteger(md_array_->GetDataType().GetNumericDataType());
    colors_ = is_integer ? ReadColorTable(GetBandAttributes()) : GDALColorTable();
  }
  return *colors_;
}

}  // namespace gdal_zarr
