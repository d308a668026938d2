// SPDX-License-Identifier: MIT
#include "driver/gdal/attribute_value.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

#include "driver/gdal/gdal_error.h"

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

/// Reads one element, as a type, over bytes of the value `before`, which what GDAL allocates for it has, too, but for
/// what the allocator puts there. Returns an empty list if it cannot be read.
std::vector<std::byte> ReadOver(const GDALAttribute& attribute, const GDALExtendedDataType& type, std::byte before) {
  std::vector<std::byte> value(type.GetSize(), before);
  FillFreeMemory(value.size(), before);
  if (!attribute.Read(nullptr, nullptr, nullptr, nullptr, type, value.data(), value.data(), value.size()))
    value.clear();
  return value;
}

double ToDouble(const std::vector<std::byte>& value, GDALDataType type) {
  double number = 0;
  GDALCopyWords64(value.data(), type, 0, &number, GDT_Float64, 0, 1);
  return number;
}

/// Returns false if an attribute, read as another type, has another number: what the memory held is not converted.
bool IsSameAsOtherType(const GDALAttribute& attribute, const std::vector<std::byte>& value) {
  const GDALDataType own = attribute.GetDataType().GetNumericDataType();
  if (GDALDataTypeIsComplex(own)) return true;
  const GDALDataType other = own == GDT_Float64 ? GDT_Float32 : GDT_Float64;
  const ErrorCollector quiet;
  const auto converted = ReadOver(attribute, GDALExtendedDataType::Create(other), std::byte{0});
  if (converted.empty()) return true;
  double expected = ToDouble(value, own);
  if (other == GDT_Float32) expected = static_cast<double>(static_cast<float>(expected));
  const double got = ToDouble(converted, other);
  return got == expected || (std::isnan(got) && std::isnan(expected));
}

}  // namespace

bool HasValue(const GDALAttribute& attribute) {
  if (attribute.GetDataType().GetClass() != GEDTC_NUMERIC || attribute.GetDimensionCount() > 0) return true;
  // All results are kept, so that no two reads get the same block of memory, with the allocator's same bytes in it.
  std::vector<std::vector<std::byte>> results;
  for (const int before : {0x00, 0xFF, 0x00, 0xFF})
    results.push_back(ReadOver(attribute, attribute.GetDataType(), static_cast<std::byte>(before)));
  if (results.front().empty()) return true;
  const bool are_same = std::ranges::all_of(results, [&](const auto& result) { return result == results.front(); });
  return are_same && IsSameAsOtherType(attribute, results.front());
}

}  // namespace gdal_zarr
