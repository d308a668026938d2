// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "zarrlib/base/bytes.h"

/// Tables for 32-bit checksums that are polynomial remainders over GF(2), lowest bit first.
namespace zarr {

/// Table k holds the remainder of each byte followed by k zero bytes, so that eight bytes are looked up at once.
using CrcTables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr CrcTables MakeCrcTables(std::uint32_t polynomial) {
  CrcTables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit) remainder = (remainder >> 1) ^ ((remainder & 1) != 0 ? polynomial : 0);
    tables[0][byte] = remainder;
  }
  for (std::size_t k = 1; k < tables.size(); ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[k - 1][byte];
      tables[k][byte] = (before >> 8) ^ tables[0][before & 0xFF];
    }
  }
  return tables;
}

inline std::uint32_t ComputeCrc(const CrcTables& tables, ByteSpan bytes) {
  std::uint32_t state = ~std::uint32_t{0};
  const std::byte* p = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, p += 8) {
    const std::uint64_t word = LoadLittleEndian<std::uint64_t>(p) ^ state;
    state = 0;
    for (std::size_t i = 0; i < 8; ++i) state ^= tables[7 - i][(word >> (8 * i)) & 0xFF];
  }
  for (; left > 0; --left, ++p) state = (state >> 8) ^ tables[0][(state ^ std::to_integer<std::uint32_t>(*p)) & 0xFF];
  return ~state;
}

}  // namespace zarr
