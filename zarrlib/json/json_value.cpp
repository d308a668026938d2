// SPDX-License-Identifier: MIT
#include "zarrlib/json/json_value.h"

#include <cmath>
#include <optional>

namespace zarr {
namespace {

bool AreEqual(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

bool AreEqual(std::int64_t a, std::uint64_t b) {
  return std::cmp_equal(a, b);
}

bool AreEqual(std::int64_t a, double b) {
  return static_cast<double>(a) == b;
}

bool AreEqual(std::uint64_t a, double b) {
  return static_cast<double>(a) == b;
}

/// Compares one value of type A with one of type B, in either order. Returns nullopt if the values are of other types.
template <typename A, typename B>
std::optional<bool> CompareAs(const JsonValue& a, const JsonValue& b) {
  if (a.GetIf<A>() && b.GetIf<B>()) return AreEqual(*a.GetIf<A>(), *b.GetIf<B>());
  if (a.GetIf<B>() && b.GetIf<A>()) return AreEqual(*b.GetIf<A>(), *a.GetIf<B>());
  return std::nullopt;
}

bool AreEqualNumbers(const JsonValue& a, const JsonValue& b) {
  auto equal = CompareAs<std::int64_t, std::uint64_t>(a, b);
  if (!equal) equal = CompareAs<std::int64_t, double>(a, b);
  if (!equal) equal = CompareAs<std::uint64_t, double>(a, b);
  return equal.value_or(false);
}

/// Both values must be of type T.
template <typename T>
bool AreEqualAs(const JsonValue& a, const JsonValue& b) {
  return a.GetIf<T>() == b.GetIf<T>() || *a.GetIf<T>() == *b.GetIf<T>();
}

}  // namespace

bool operator==(const JsonValue& a, const JsonValue& b) {
  using LongNumber = JsonValue::LongNumber;
  if (a.type_index() != b.type_index()) return AreEqualNumbers(a, b);
  if (a.GetIf<bool>()) return AreEqualAs<bool>(a, b);
  if (a.GetIf<std::int64_t>()) return AreEqualAs<std::int64_t>(a, b);
  if (a.GetIf<std::uint64_t>()) return AreEqualAs<std::uint64_t>(a, b);
  if (a.GetIf<LongNumber>() && b.GetIf<LongNumber>()) return a.GetIf<LongNumber>()->text == b.GetIf<LongNumber>()->text;
  if (a.GetIf<double>()) return AreEqual(*a.GetIf<double>(), *b.GetIf<double>());
  if (a.GetIf<std::string>()) return AreEqualAs<std::string>(a, b);
  if (a.GetIf<JsonValue::Array>()) return AreEqualAs<JsonValue::Array>(a, b);
  if (a.GetIf<JsonValue::Object>()) return AreEqualAs<JsonValue::Object>(a, b);
  return true;
}

}  // namespace zarr
