// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#ifdef _MSC_VER
#include <cstdlib>
#endif

namespace zarr {

/// Returns a number with its bytes in reverse order. Compilers know these functions as one instruction each.
#if defined(__GNUC__) || defined(__clang__)
inline std::uint16_t ReverseBytes(std::uint16_t value) {
  return __builtin_bswap16(value);
}
inline std::uint32_t ReverseBytes(std::uint32_t value) {
  return __builtin_bswap32(value);
}
inline std::uint64_t ReverseBytes(std::uint64_t value) {
  return __builtin_bswap64(value);
}
#elif defined(_MSC_VER)
inline std::uint16_t ReverseBytes(std::uint16_t value) {
  return _byteswap_ushort(value);
}
inline std::uint32_t ReverseBytes(std::uint32_t value) {
  return _byteswap_ulong(value);
}
inline std::uint64_t ReverseBytes(std::uint64_t value) {
  return _byteswap_uint64(value);
}
#else
#error "this compiler needs functions that reverse bytes"
#endif

}  // namespace zarr
