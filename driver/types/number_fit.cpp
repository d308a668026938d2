// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "driver/types/type_map.h"

namespace gdal_zarr {
namespace {

constexpr std::size_t kMostBytes = 16;  // of a number, in GDAL and in an array

struct alignas(16) Element {
  std::array<std::byte, kMostBytes> bytes{};
};

using Parts = std::array<double, 2>;  // real and imaginary

Parts GetParts(const std::byte* element, GDALDataType type) {
  Parts parts{};
  GDALCopyWords64(element, type, 0, parts.data(), GDT_CFloat64, 0, 1);
  return parts;
}

/// Stores an element and reads it back.
Element StoreAndRead(const ElementForm& form, const std::byte* element) {
  Element stored;
  Element again;
  form.pack(element, stored.bytes.data());
  form.expand(stored.bytes.data(), again.bytes.data());
  return again;
}

Parts StoreAndReadLargest(const ElementForm& form, const Parts& signs) {
  constexpr auto kLargest = static_cast<double>(std::numeric_limits<float>::max());
  const GDALDataType type = form.type.GetNumericDataType();
  const Parts largest{std::copysign(kLargest, signs[0]), std::copysign(kLargest, signs[1])};
  Element element;
  GDALCopyWords64(largest.data(), GDT_CFloat64, 0, element.bytes.data(), type, 0, 1);
  return GetParts(StoreAndRead(form, element.bytes.data()).bytes.data(), type);
}

/// Returns true if `kept` results from rounding `wanted`, rather than from clamping it to `largest`.
bool IsRounded(double wanted, double kept, double largest) {
  if (std::isnan(wanted)) return std::isnan(kept);
  if (std::isinf(wanted)) return kept == wanted;
  return std::isfinite(kept) && (kept != largest || std::abs(wanted) <= std::abs(kept));
}

}  // namespace

void ConvertNumber(const void* number, GDALDataType from, void* element, GDALDataType to) {
  const bool rounds = from == GDT_Float64 && (to == GDT_Float32 || to == GDT_CFloat32);
  if (!rounds) {
    GDALCopyWords64(number, from, 0, element, to, 0, 1);
    return;
  }
  double wanted = 0;
  std::memcpy(&wanted, number, sizeof(wanted));
  const auto rounded = static_cast<float>(wanted);
  GDALCopyWords64(&rounded, GDT_Float32, 0, element, to, 0, 1);
}

bool CanHold(GDALDataType to, const void* number, GDALDataType from) {
  Element element;
  double wanted = 0;
  double stored = 0;
  ConvertNumber(number, from, element.bytes.data(), to);
  GDALCopyWords64(number, from, 0, &wanted, GDT_Float64, 0, 1);
  GDALCopyWords64(element.bytes.data(), to, 0, &stored, GDT_Float64, 0, 1);
  if (std::isfinite(wanted) != std::isfinite(stored)) return false;
  if (wanted == stored || (std::isnan(wanted) && std::isnan(stored))) return true;
  // Pixels are rounded in the same way. A difference of more than an ulp of the shortest type is clamping.
  const double rounding = std::max(std::abs(wanted) * 0x1p-10, 0x1p-24);
  return std::isfinite(wanted) && !GDALDataTypeIsInteger(to) && std::abs(wanted - stored) <= rounding;
}

bool KeepsNumber(const ElementForm& form, const std::byte* element) {
  if (form.type.GetClass() != GEDTC_NUMERIC || form.same_bytes) return true;
  const GDALDataType type = form.type.GetNumericDataType();
  const Element again = StoreAndRead(form, element);
  if (GDALDataTypeIsInteger(type)) return std::memcmp(again.bytes.data(), element, form.type.GetSize()) == 0;
  const Parts wanted = GetParts(element, type);
  const Parts kept = GetParts(again.bytes.data(), type);
  const Parts largest = StoreAndReadLargest(form, wanted);
  return IsRounded(wanted[0], kept[0], largest[0]) && IsRounded(wanted[1], kept[1], largest[1]);
}

}  // namespace gdal_zarr
