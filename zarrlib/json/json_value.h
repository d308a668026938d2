// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace zarr {

/// A value that its copies share. It may be changed only before it is copied. Thread-safe like a shared pointer, of
/// which it takes half the space.
template <typename T>
class SharedContent {
 public:
  explicit SharedContent(T content) : block_(new Block{std::move(content)}) {}
  SharedContent(const SharedContent& other) noexcept : block_(other.block_) {
    block_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  SharedContent(SharedContent&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  SharedContent& operator=(SharedContent other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~SharedContent() {
    if (block_ && block_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete block_;
  }

  const T* get() const { return &block_->content; }

 private:
  struct Block {
    T content;
    std::atomic<std::size_t> owners = 1;
  };
  Block* block_;
};

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
  /// An integer beyond 64 bits, or a number too large for a double: a double for its readers, but written as it was
  /// read.
  struct LongNumber {
    std::string text;
    double value = 0;
  };

  JsonValue() = default;
  explicit JsonValue(bool value) : content_(value) {}
  explicit JsonValue(std::int64_t value) : content_(value) {}
  explicit JsonValue(std::uint64_t value) : content_(value) {}
  explicit JsonValue(double value) : content_(value) {}
  explicit JsonValue(LongNumber value) : content_(SharedContent(std::move(value))) {}
  explicit JsonValue(std::string value) : content_(SharedContent(std::move(value))) {}
  explicit JsonValue(Array items) : content_(SharedContent(std::move(items))) {}
  explicit JsonValue(Object members) : content_(SharedContent(std::move(members))) {}
  JsonValue(JsonValue&&) noexcept = default;
  JsonValue& operator=(JsonValue&&) noexcept = default;
  ~JsonValue() = default;

  /// Returns a copy, in constant time: both share what the value contains.
  JsonValue Copy() const { return JsonValue(*this); }

  /// Returns the position of the value's type in the order null, bool, int64, uint64, double, string, array, object.
  std::size_t type_index() const {
    constexpr std::size_t kDouble = 4;
    return GetIf<double>() ? kDouble : content_.index();
  }
  /// Returns the content if the value is of that type, otherwise null.
  template <typename T>
  const T* GetIf() const {
    if constexpr (std::is_same_v<T, double>) {
      const auto* const number = GetIf<LongNumber>();
      return number ? &number->value : std::get_if<double>(&content_);
    } else if constexpr (std::is_arithmetic_v<T>) {
      return std::get_if<T>(&content_);
    } else {
      const auto* const content = std::get_if<SharedContent<T>>(&content_);
      return content ? content->get() : nullptr;
    }
  }
  /// For a value that has not been copied.
  template <typename T>
  T* GetIf() {
    return const_cast<T*>(std::as_const(*this).template GetIf<T>());
  }

  /// Numbers are equal if their values are, regardless of type; NaN is equal to itself. The order of members counts.
  friend bool operator==(const JsonValue& a, const JsonValue& b);

 private:
  JsonValue(const JsonValue&) = default;

  // Held by pointer, so that a value takes 16 bytes.
  std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, SharedContent<std::string>,
               SharedContent<Array>, SharedContent<Object>, SharedContent<LongNumber>>
      content_;
};

}  // namespace zarr
