// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace zarr {

/// A value of a JSON document with everything it contains. Copied only by `Copy`.
///
/// nlohmann's values are not used for this: containers allocate memory in their destructors, and if there is none the
/// process ends. These destructors do not allocate. They recurse as deep as values are nested, which is limited for
/// everything that is parsed.
class JsonValue {
 public:
  using Array = std::vector<JsonValue>;
  using Member = std::pair<std::string, JsonValue>;
  using Object = std::vector<Member>;  // in the order of the document

  JsonValue() = default;
  explicit JsonValue(bool value) : content_(value) {}
  explicit JsonValue(std::int64_t value) : content_(value) {}
  explicit JsonValue(std::uint64_t value) : content_(value) {}
  explicit JsonValue(double value) : content_(value) {}
  explicit JsonValue(std::string value) : content_(std::make_unique<std::string>(std::move(value))) {}
  explicit JsonValue(Array items) : content_(std::make_unique<Array>(std::move(items))) {}
  explicit JsonValue(Object members) : content_(std::make_unique<Object>(std::move(members))) {}

  JsonValue Copy() const;

  /// Returns the position of the value's type in the order null, bool, int64, uint64, double, string, array, object.
  std::size_t type_index() const { return content_.index(); }
  /// Returns the content if the value is of that type, otherwise null.
  template <typename T>
  const T* GetIf() const {
    if constexpr (std::is_arithmetic_v<T>) {
      return std::get_if<T>(&content_);
    } else {
      const auto* const content = std::get_if<std::unique_ptr<T>>(&content_);
      return content ? content->get() : nullptr;
    }
  }
  template <typename T>
  T* GetIf() {
    return const_cast<T*>(std::as_const(*this).template GetIf<T>());
  }

  /// Numbers are equal if their values are, regardless of type; NaN is equal to itself. The order of members counts.
  friend bool operator==(const JsonValue& a, const JsonValue& b);

 private:
  // Held by pointer, so that a value takes 16 bytes.
  std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::unique_ptr<std::string>,
               std::unique_ptr<Array>, std::unique_ptr<Object>>
      content_;
};

}  // namespace zarr
