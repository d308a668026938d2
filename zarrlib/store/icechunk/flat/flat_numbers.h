// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "zarrlib/base/bytes.h"

namespace zarr {

/// Appends a number as buffers store it, in little-endian byte order.
template <typename T>
void AppendFlatNumber(T number, std::string* bytes) {
  number = ToOrFromLittleEndian(number);
  bytes->append(AsText(std::as_bytes(std::span(&number, 1))));
}

/// Returns the items of a vector of numbers as buffers store them.
inline std::string MakeFlatVector(std::span<const std::uint32_t> numbers) {
  std::string bytes;
  bytes.reserve(numbers.size_bytes());
  for (const std::uint32_t number : numbers) AppendFlatNumber(number, &bytes);
  return bytes;
}

}  // namespace zarr
