// SPDX-License-Identifier: MIT
#include "driver/create/common_type.h"

#include <algorithm>

namespace gdal_zarr {
namespace {

/// GDAL unites integers of 64 bits with types that cannot hold them to Float64, which has 53 bits for a number.
bool Rounds(GDALDataType common, GDALDataType type) {
  return common != type && (type == GDT_Int64 || type == GDT_UInt64);
}

}  // namespace

std::vector<GDALDataType> ListBandTypes(GDALDataset& source) {
  std::vector<GDALDataType> types;
  for (int band = 1; band <= source.GetRasterCount(); ++band) {
    types.push_back(source.GetRasterBand(band)->GetRasterDataType());
  }
  return types;
}

GDALDataType FindCommonType(const std::vector<GDALDataType>& types) {
  GDALDataType common = types.empty() ? GDT_Unknown : types[0];
  for (const GDALDataType type : types) common = GDALDataTypeUnion(common, type);
  return common;
}

std::string DescribeCommonType(const std::vector<GDALDataType>& types) {
  const auto other = std::ranges::find_if(types, [&](GDALDataType type) { return type != types[0]; });
  if (other == types.end()) return "";
  const GDALDataType common = FindCommonType(types);
  std::string text = std::string(GDALGetDataTypeName(common)) + " (" + GDALGetDataTypeName(types[0]) + " in band 1, " +
                     GDALGetDataTypeName(*other) + " in band " + std::to_string(other - types.begin() + 1) + ")";
  const auto rounded = std::ranges::find_if(types, [&](GDALDataType type) { return Rounds(common, type); });
  if (rounded == types.end()) return text;
  return text + ", which rounds large numbers of " + GDALGetDataTypeName(*rounded);
}

}  // namespace gdal_zarr
