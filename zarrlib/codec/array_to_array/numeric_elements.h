// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <type_traits>

#include "zarrlib/base/bytes.h"
#include "zarrlib/base/error.h"
#include "zarrlib/base/float16.h"
#include "zarrlib/metadata/data_type.h"

/// Loops over packed numbers of a type that is only known at run time.
namespace zarr {

/// Numbers in memory that C++ does not have types for. They are converted to float or an integer for computing, and
/// rounded when they are constructed.
struct Half {
  std::uint16_t bits = 0;
  Half() = default;
  explicit Half(double value) : bits(ConvertDoubleToHalf(value)) {}
  operator float() const { return ConvertHalfToFloat(bits); }
};
struct Bfloat16 {
  std::uint16_t bits = 0;
  Bfloat16() = default;
  explicit Bfloat16(double value) : bits(ConvertDoubleToBfloat16(value)) {}
  operator float() const { return ConvertBfloat16ToFloat(bits); }
};
struct Boolean {
  std::uint8_t byte = 0;
  Boolean() = default;
  explicit Boolean(bool value) : byte(value ? 1 : 0) {}
  operator int() const { return byte != 0 ? 1 : 0; }
};

template <typename T>
inline constexpr bool kIsFloat = std::is_floating_point_v<T> || std::is_same_v<T, Half> || std::is_same_v<T, Bfloat16>;
template <typename T>
inline constexpr bool kIsInteger = std::is_integral_v<T>;

/// Returns true if elements are integers or floats that VisitReal supports.
inline bool IsReal(const DataType& type) {
  using Kind = DataType::Kind;
  return type.kind == Kind::kInt || type.kind == Kind::kUint || type.kind == Kind::kFloat ||
         type.kind == Kind::kBfloat16;
}

/// Returns true if elements are numbers of whole bytes that both C++ and NumPy have.
inline bool IsNumber(const DataType& type) {
  return (IsReal(type) && type.bits == 0) || type.kind == DataType::Kind::kBool;
}

namespace internal {

template <typename T1, typename T2, typename T4, typename T8, typename Visitor>
auto VisitSize(std::size_t size, Visitor&& visitor) {
  switch (size) {
    case 1:  // NOLINT(bugprone-branch-clone): T1 and T2 may be one type
      return visitor(T1());
    case 2:
      return visitor(T2());
    case 4:
      return visitor(T4());
    default:
      return visitor(T8());
  }
}

}  // namespace internal

/// Calls `visitor` with a value of the elements' C++ type; for integers narrower than a byte, with one of the byte's
/// type. Throws Error(unsupported) for a type that is not real.
template <typename Visitor>
auto VisitReal(const DataType& type, Visitor&& visitor) {
  switch (type.kind) {
    case DataType::Kind::kInt:
      return internal::VisitSize<std::int8_t, std::int16_t, std::int32_t, std::int64_t>(type.size, visitor);
    case DataType::Kind::kUint:
      return internal::VisitSize<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(type.size, visitor);
    case DataType::Kind::kFloat:
      return internal::VisitSize<Half, Half, float, double>(type.size, visitor);
    case DataType::Kind::kBfloat16:
      return visitor(Bfloat16());
    default:
      throw Error(ErrorKind::kUnsupported, FormatExpectedGot("integers or floats", "data type \"" + type.name + "\""));
  }
}

/// Calls `visitor` like VisitReal; also supports booleans.
template <typename Visitor>
auto VisitNumber(const DataType& type, Visitor&& visitor) {
  if (type.kind == DataType::Kind::kBool) return visitor(Boolean());
  return VisitReal(type, visitor);
}

template <typename T>
T LoadElement(ByteSpan elements, std::size_t index) {
  T value;
  std::memcpy(&value, elements.data() + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
void WriteElement(MutableByteSpan elements, std::size_t index, T value) {
  std::memcpy(elements.data() + index * sizeof(T), &value, sizeof(T));
}

/// Converts packed elements to the same number of other elements.
using ElementLoop = std::function<void(ByteSpan from, MutableByteSpan to)>;

/// Makes a loop that stores `function(x)`, a To, for each x, a From. Buffers may be unaligned.
template <typename From, typename To, typename Function>
ElementLoop MakeElementLoop(Function function) {
  return [function](ByteSpan from, MutableByteSpan to) {
    const std::size_t count = to.size() / sizeof(To);
    for (std::size_t i = 0; i < count; ++i) WriteElement<To>(to, i, function(LoadElement<From>(from, i)));
  };
}

namespace internal {

/// Truncates `value`. NaN and values beyond 64 bits become the lowest value, as on x86 and thus in NumPy.
inline std::int64_t TruncateToInt64(double value) {
  return value >= -0x1p63 && value < 0x1p63 ? static_cast<std::int64_t>(value)
                                            : std::numeric_limits<std::int64_t>::min();
}

template <typename To>
To ConvertFloatToInteger(double value) {
  if constexpr (std::is_same_v<To, std::uint64_t>) {
    if (value >= 0x1p63) return value < 0x1p64 ? static_cast<To>(value) : To{};
  }
  const std::int64_t integer = TruncateToInt64(value);
  if constexpr (std::is_same_v<To, std::int32_t>) {
    constexpr auto kLowest = std::numeric_limits<To>::min();
    return integer < kLowest || integer > std::numeric_limits<To>::max() ? kLowest : static_cast<To>(integer);
  }
  return static_cast<To>(integer);
}

}  // namespace internal

/// Casts like NumPy's `astype`: integers wrap around, floats are truncated when cast to integers, and any number except
/// zero is true. Values without an equal integer (NaN, too large ones) become what NumPy returns on x86, without a
/// guarantee.
template <typename To, typename From>
To CastLikeNumPy(From value) {
  if constexpr (std::is_same_v<To, Boolean>) {
    return Boolean(value != From());
  } else if constexpr (kIsInteger<To> && kIsFloat<From>) {
    return internal::ConvertFloatToInteger<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace zarr
