// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <span>
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

/// A type that holds all values of T and is quick to compute with. Between two types of elements, values take this
/// form: code is then compiled for each type, and not for each pair of types.
template <typename T>
using WideOf =
    std::conditional_t<kIsFloat<T>, std::conditional_t<std::is_same_v<T, double>, double, float>,
                       std::conditional_t<std::is_same_v<T, std::uint64_t>, std::uint64_t,
                                          std::conditional_t<(sizeof(T) < 4 || std::is_same_v<T, std::int32_t>),
                                                             std::int32_t, std::int64_t>>>;

/// Calls `visitor` with a value of WideOf the elements' type. Throws like VisitNumber.
template <typename Visitor>
auto VisitWide(const DataType& type, Visitor&& visitor) {
  return VisitNumber(type, [&](auto element) { return visitor(WideOf<decltype(element)>()); });
}

/// So many values are computed before they are stored; they stay in the processor's fastest memory.
inline constexpr std::size_t kElementBlock = 512;

/// Stores wide values as packed elements, cast as by CastLikeNumPy.
template <typename Wide>
using StoreElements = void (*)(std::span<const Wide> values, std::byte* elements);
/// Loads packed elements as wide values. `Wide` has to be WideOf their type.
template <typename Wide>
using LoadElements = void (*)(const std::byte* elements, std::span<Wide> values);

/// Return the loops for elements of `type`. Throw like VisitNumber.
template <typename Wide>
StoreElements<Wide> GetStoreElements(const DataType& type);
template <typename Wide>
LoadElements<Wide> GetLoadElements(const DataType& type);

/// Calls `compute(i)` for each element of `to`, in order, and stores the results.
template <typename Wide, typename Compute>
void ComputeElements(StoreElements<Wide> store, std::size_t element_size, MutableByteSpan to, Compute&& compute) {
  std::array<Wide, kElementBlock> block;
  const std::size_t count = to.size() / element_size;
  for (std::size_t begin = 0; begin < count; begin += kElementBlock) {
    const std::size_t in_block = std::min(kElementBlock, count - begin);
    for (std::size_t i = 0; i < in_block; ++i) block[i] = static_cast<Wide>(compute(begin + i));
    store(std::span<const Wide>(block.data(), in_block), to.data() + begin * element_size);
  }
}

/// Loads elements block by block, and calls `use(values, i)` for each block, where i is the index of its first element.
template <typename Wide, typename Use>
void LoadBlocks(LoadElements<Wide> load, std::size_t element_size, ByteSpan elements, Use&& use) {
  std::array<Wide, kElementBlock> block;
  const std::size_t count = elements.size() / element_size;
  for (std::size_t begin = 0; begin < count; begin += kElementBlock) {
    const std::span<Wide> values(block.data(), std::min(kElementBlock, count - begin));
    load(elements.data() + begin * element_size, values);
    use(std::span<const Wide>(values), begin);
  }
}

/// Makes a loop that computes `function(x)` for each x, a From, and casts it to elements of type `to` as by
/// CastLikeNumPy. Throws like VisitNumber.
template <typename From, typename Function>
ElementLoop MakeCastingLoop(Function function, const DataType& to) {
  using Wide = WideOf<std::invoke_result_t<Function, From>>;
  return [function, store = GetStoreElements<Wide>(to), size = to.size](ByteSpan elements, MutableByteSpan results) {
    ComputeElements<Wide>(store, size, results,
                          [&](std::size_t i) { return function(LoadElement<From>(elements, i)); });
  };
}

/// Makes a loop that casts elements of type `from` to those of type `to` as by CastLikeNumPy. Throws like VisitNumber.
ElementLoop MakeCast(const DataType& from, const DataType& to);

}  // namespace zarr
