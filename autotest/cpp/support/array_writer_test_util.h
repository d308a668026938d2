// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "autotest/cpp/support/array_test_util.h"
#include "zarrlib/array/array_writer.h"

namespace zarr::test {

/// An int32 array in memory, to which tests write the same elements as to an array in a store.
class Model {
 public:
  explicit Model(const Shape& shape, std::int32_t fill = -1)
      : shape_(shape), values_(static_cast<std::size_t>(ComputeProduct(shape)), fill) {}

  const Shape& shape() const { return shape_; }
  const std::vector<std::int32_t>& values() const { return values_; }

  /// `values` are in C order of the selection.
  void Write(const Selection& selection, const std::vector<std::int32_t>& values) {
    std::size_t next = 0;
    for (const std::size_t number : FindNumbers(selection)) values_[number] = values[next++];
  }
  std::vector<std::int32_t> Read(const Selection& selection) const {
    std::vector<std::int32_t> values;
    for (const std::size_t number : FindNumbers(selection)) values.push_back(values_[number]);
    return values;
  }

 private:
  std::vector<std::size_t> FindNumbers(const Selection& selection) const {
    std::vector<std::size_t> numbers;
    Shape position(shape_.size(), 0);
    do {
      std::uint64_t number = 0;
      for (std::size_t i = 0; i < shape_.size(); ++i) {
        number = number * shape_[i] + selection.start[i] + position[i] * selection.step[i];
      }
      numbers.push_back(static_cast<std::size_t>(number));
    } while (AdvanceIndex(selection.count, &position));
    return numbers;
  }

  Shape shape_;
  std::vector<std::int32_t> values_;
};

/// Returns a random selection; on average, one of `whole` is the whole array.
inline Selection RandomSelection(const Shape& shape, std::mt19937* random, unsigned whole = 10) {
  const auto pick = [&](std::uint64_t low, std::uint64_t high) { return low + (*random)() % (high - low + 1); };
  if (pick(1, whole) == 1) return Selection::FromBox({Shape(shape.size(), 0), shape});
  Selection selection;
  for (const std::uint64_t length : shape) {
    const std::uint64_t start = pick(0, length - 1);
    const std::uint64_t step = pick(0, 3) == 0 ? pick(1, 3) : 1;
    selection.start.push_back(start);
    selection.step.push_back(step);
    selection.count.push_back(pick(1, (length - 1 - start) / step + 1));
  }
  return selection;
}

inline ElementSource SourceOf(const std::vector<std::int32_t>& values, const Selection& selection) {
  return {reinterpret_cast<const std::byte*>(values.data()),
          GetContiguousStrides(selection.count, sizeof(std::int32_t)), nullptr};
}

/// Returns random values; sometimes all are the fill value.
inline std::vector<std::int32_t> RandomValues(const Selection& selection, std::mt19937* random) {
  std::vector<std::int32_t> values(CountOf(selection), -1);
  if ((*random)() % 8 == 0) return values;
  for (std::int32_t& value : values) value = static_cast<std::int32_t>((*random)() % 1000) - 1;
  return values;
}

inline void WriteAll(ArrayWriter* writer, const Selection& selection, const std::vector<std::int32_t>& values,
                     std::size_t threads = 1, bool defer = false) {
  WriteOptions options;
  options.threads = threads;
  options.defer = defer;
  ASSERT_TRUE(writer->Write(selection, SourceOf(values, selection), options));
}

/// Returns the values of a selection with those that are pending.
inline std::vector<std::int32_t> ReadThrough(ArrayWriter* writer, const Selection& selection) {
  std::vector<std::int32_t> values(CountOf(selection));
  EXPECT_TRUE(writer->Read(selection, {reinterpret_cast<std::byte*>(values.data()),
                                       GetContiguousStrides(selection.count, sizeof(std::int32_t)), nullptr}));
  return values;
}

/// Returns the stored bytes, or nothing.
inline std::optional<Bytes> StoredAt(const Store& store, std::string_view key) {
  Bytes value;
  return store.Get(key, &value, nullptr, UINT64_MAX) ? std::optional(value) : std::nullopt;
}

}  // namespace zarr::test
