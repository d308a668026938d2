// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

/// Arithmetic of integers that tells an overflow: each function returns true if the exact result does not fit in
/// `*result`, which is then that result without its upper bits.
namespace zarr {

/// For compilers without functions of their own for it.
namespace portable {

/// Computes without overflow: the smaller types would be promoted to a signed one.
template <typename T>
using Wrapping = std::common_type_t<std::make_unsigned_t<T>, unsigned>;

template <typename T>
constexpr bool AddOverflows(T a, T b, T* result) {
  *result = static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
  if constexpr (std::is_unsigned_v<T>) return *result < a;
  return b < 0 ? *result > a : *result < a;
}

template <typename T>
constexpr bool SubtractOverflows(T a, T b, T* result) {
  *result = static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
  if constexpr (std::is_unsigned_v<T>) return a < b;
  return b < 0 ? *result < a : *result > a;
}

template <typename T>
constexpr bool MultiplyOverflows(T a, T b, T* result) {
  *result = static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
  if (b == 0) return false;
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return a != 0 && *result == a;  // a division would overflow too
  return *result / b != a;
}

}  // namespace portable

#if defined(__GNUC__) || defined(__clang__)

template <typename T>
constexpr bool AddOverflows(T a, T b, T* result) {
  return __builtin_add_overflow(a, b, result);
}

template <typename T>
constexpr bool SubtractOverflows(T a, T b, T* result) {
  return __builtin_sub_overflow(a, b, result);
}

template <typename T>
constexpr bool MultiplyOverflows(T a, T b, T* result) {
  return __builtin_mul_overflow(a, b, result);
}

#else

using portable::AddOverflows;
using portable::MultiplyOverflows;
using portable::SubtractOverflows;

#endif

}  // namespace zarr
