// SPDX-License-Identifier: MIT
#include "driver/gdal/attribute_value.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

namespace gdal_zarr {
namespace {

/// Fills the blocks of memory that the next small allocations of GDAL get. Blocks that it already has stay.
void FillFreeMemory(std::size_t size, std::byte value) {
  std::array<void*, 32> blocks{};
  for (void*& block : blocks) {
    block = VSIMalloc(size);
    if (block) std::memset(block, std::to_integer<int>(value), size);
  }
  for (void* const block : blocks) VSIFree(block);
}

/// Reads one element over bytes of the value `before`, which what GDAL allocates for it has, too, but for what the
/// allocator puts there. Returns an empty list if it cannot be read.
std::vector<std::byte> ReadOver(const GDALAttribute& attribute, std::byte before) {
  const GDALExtendedDataType& type = attribute.GetDataType();
  std::vector<std::byte> value(type.GetSize(), before);
  FillFreeMemory(value.size(), before);
  if (!attribute.Read(nullptr, nullptr, nullptr, nullptr, type, value.data(), value.data(), value.size()))
    value.clear();
  return value;
}

}  // namespace

bool HasValue(const GDALAttribute& attribute) {
  if (attribute.GetDataType().GetClass() != GEDTC_NUMERIC || attribute.GetDimensionCount() > 0) return true;
  // All results are kept, so that no two reads get the same block of memory, with the allocator's same bytes in it.
  std::vector<std::vector<std::byte>> results;
  for (const int before : {0x00, 0xFF, 0x00, 0xFF})
    results.push_back(ReadOver(attribute, static_cast<std::byte>(before)));
  return std::ranges::all_of(results, [&](const auto& result) { return result == results.front(); });
}

}  // namespace gdal_zarr
