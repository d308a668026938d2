// SPDX-License-Identifier: MIT
#include "zarrlib/base/compiler/checked_arithmetic.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace zarr {
namespace {

template <typename T>
class CheckedArithmetic : public testing::Test {};

using Types = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                             std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(CheckedArithmetic, Types);

/// Numbers near those at which results overflow.
template <typename T>
std::vector<T> GetNumbers() {
  constexpr T kLeast = std::numeric_limits<T>::min();
  constexpr T kMost = std::numeric_limits<T>::max();
  constexpr T kRoot = static_cast<T>(T{1} << std::numeric_limits<T>::digits / 2);
  std::vector<T> numbers;
  for (const T base : {T{0}, kLeast, kMost, kRoot, static_cast<T>(kMost / 2), static_cast<T>(kLeast / 2)}) {
    for (int step = -3; step <= 3; ++step) {
      numbers.emplace_back();
      portable::AddOverflows(base, static_cast<T>(step), &numbers.back());  // at the ends, it wraps
    }
  }
  return numbers;
}

/// The functions for compilers that have none of their own give what the compiler's do.
TYPED_TEST(CheckedArithmetic, ThePortableFunctionsAreThoseOfTheCompiler) {
  using T = TypeParam;
  const auto expect_same = [](const char* name, auto portable, auto own, T a, T b) {
    T result{};
    T expected{};
    EXPECT_EQ(portable(a, b, &result), own(a, b, &expected)) << +a << name << +b;
    EXPECT_EQ(result, expected) << +a << name << +b;
  };
  for (const T a : GetNumbers<T>()) {
    for (const T b : GetNumbers<T>()) {
      expect_same(" + ", portable::AddOverflows<T>, AddOverflows<T>, a, b);
      expect_same(" - ", portable::SubtractOverflows<T>, SubtractOverflows<T>, a, b);
      expect_same(" * ", portable::MultiplyOverflows<T>, MultiplyOverflows<T>, a, b);
    }
  }
}

TYPED_TEST(CheckedArithmetic, TellsWhatDoesNotFit) {
  using T = TypeParam;
  constexpr T kLeast = std::numeric_limits<T>::min();
  constexpr T kMost = std::numeric_limits<T>::max();
  T result{};
  EXPECT_FALSE(AddOverflows<T>(kMost, 0, &result));
  EXPECT_EQ(result, kMost);
  EXPECT_TRUE(AddOverflows<T>(kMost, 1, &result));
  EXPECT_EQ(result, kLeast);
  EXPECT_TRUE(SubtractOverflows<T>(kLeast, 1, &result));
  EXPECT_EQ(result, kMost);
  EXPECT_FALSE(MultiplyOverflows<T>(kMost / 3, 3, &result));
  EXPECT_TRUE(MultiplyOverflows<T>(kMost / 3 + 1, 3, &result));
}

}  // namespace
}  // namespace zarr
