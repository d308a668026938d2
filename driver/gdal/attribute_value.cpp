// SPDX-License-Identifier: MIT
#include "driver/gdal/attribute_value.h"

#include <cstddef>
#include <vector>

namespace gdal_zarr {
namespace {

/// Reads one element over bytes of the value `before`. Returns an empty list if it cannot be read.
std::vector<std::byte> ReadOver(const GDALAttribute& attribute, std::byte before) {
  const GDALExtendedDataType& type = attribute.GetDataType();
  std::vector<std::byte> value(type.GetSize(), before);
  if (!attribute.Read(nullptr, nullptr, nullptr, nullptr, type, value.data(), value.data(), value.size()))
    value.clear();
  return value;
}

}  // namespace

bool HasValue(const GDALAttribute& attribute) {
  if (attribute.GetDataType().GetClass() != GEDTC_NUMERIC || attribute.GetDimensionCount() > 0) return true;
  return ReadOver(attribute, std::byte{0}) == ReadOver(attribute, std::byte{0xFF});
}

}  // namespace gdal_zarr
