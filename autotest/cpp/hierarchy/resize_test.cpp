// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/resize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "autotest/cpp/support/array_writer_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"

namespace zarr {
namespace {

using namespace test;

constexpr int kNever = 1 << 20;

/// A store with data of 4 x 3 elements in chunks of 3 x 2, and the coordinates of the first dimension.
struct ArraysOfADimension {
  std::shared_ptr<CountingStore> store = std::make_shared<CountingStore>();
  std::shared_ptr<EditableHierarchy> hierarchy = EditableHierarchy::Create(store, ZarrFormat::kV3);
  std::atomic<int> writes{0};  // the writer stores chunks in parallel
  int failing = kNever;        // from this write on
  int failing_until = kNever;

  ArraysOfADimension() {
    // The coordinates are in the middle, so that neither the order of names nor that of the list puts them first.
    Fill(*hierarchy->CreateArray("a_data", MetadataOf({4, 3}, "[3, 2]")), 1);
    Fill(*hierarchy->CreateArray("time", MetadataOf({4}, "[3]")), 5);
    store->OnWrite([this](const std::string& key) {
      const int number = writes++;
      if (number < failing || number >= failing_until) return;
      throw Error(ErrorKind::kIo, store->name(), key, "", "no space left on device");
    });
  }
  static ArrayMetadata MetadataOf(const Shape& shape, const std::string& chunk) {
    return ParseArrayV3(Json(Metadata(shape, chunk, kPlain)));
  }
  void Fill(const Array& array, std::int32_t value) const {
    const auto opened = hierarchy->OpenArray(array.path());
    const auto writer = ArrayWriter::Make(opened);
    WriteAll(writer.get(), WholeOf(*opened), std::vector<std::int32_t>(ComputeProduct(opened->shape()), value));
    writer->Flush();
  }
  void Resize(std::uint64_t length) const {
    const bool resized = ResizeArrays(
        *hierarchy, {{hierarchy->OpenArray("a_data"), {length, 3}}, {hierarchy->OpenArray("time"), {length}}});
    EXPECT_TRUE(resized);
  }
  /// Opens the store as a later process does.
  std::uint64_t LengthOf(const std::string& path) const {
    return EditableHierarchy::Open(store)->OpenArray(path)->shape()[0];
  }
  std::vector<std::int32_t> ValuesOf(const std::string& path) const {
    const auto array = EditableHierarchy::Open(store)->OpenArray(path);
    return Read(*array, WholeOf(*array));
  }
};

int WritesOfResize(std::uint64_t length) {
  const ArraysOfADimension f;
  f.Resize(length);
  return f.writes;
}

TEST(ResizeArrays, AtEachInstantCoordinatesAreAtLeastAsLong) {
  for (const std::uint64_t length : {1u, 2u, 3u, 7u}) {
    const int all = WritesOfResize(length);
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
    for (int number = 0; number < all; ++number) {
      ArraysOfADimension f;
      f.failing = number;  // a process that is killed there undoes nothing
      EXPECT_THROW(f.Resize(length), Error);
      seen.emplace(f.LengthOf("time"), f.LengthOf("a_data"));
      EXPECT_GE(f.LengthOf("time"), f.LengthOf("a_data")) << length << ", write " << number;
    }
    EXPECT_GE(seen.size(), 2u);  // the old lengths, and some in between
  }
}

TEST(ResizeArrays, WhatFailsIsTakenBackWithAllElements) {
  for (const std::uint64_t length : {1u, 2u, 3u, 7u}) {
    for (int number = 0; number < 2; ++number) {  // each array's metadata
      ArraysOfADimension f;
      f.failing = number;
      f.failing_until = number + 1;
      EXPECT_EQ(ErrorOf([&] { f.Resize(length); }).kind(), ErrorKind::kIo);
      EXPECT_EQ(f.ValuesOf("a_data"), std::vector<std::int32_t>(12, 1));
      EXPECT_EQ(f.ValuesOf("time"), std::vector<std::int32_t>(4, 5));
    }
  }
}

TEST(ResizeArrays, WhatCannotBeTakenBackIsNamed) {
  ArraysOfADimension f;
  f.failing = 1;
  try {
    f.Resize(7);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no space left"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("time may have the shape [7], and not [4] as before"), std::string::npos)
        << error.what();
  }
}

TEST(ResizeArrays, WhatCannotBeRemovedIsTold) {
  const int all = WritesOfResize(1);
  for (int number = 2; number < all; ++number) {
    ArraysOfADimension f;
    f.failing = number;
    f.failing_until = number + 1;
    try {
      f.Resize(1);
      FAIL() << number;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(" has its new shape, but elements beyond it"), std::string::npos)
          << error.what();
    }
    EXPECT_EQ(f.ValuesOf("a_data"), std::vector<std::int32_t>(3, 1));
    EXPECT_EQ(f.ValuesOf("time"), std::vector<std::int32_t>(1, 5));
  }
}

TEST(ResizeArrays, WhatWasCutOffDoesNotComeBack) {
  for (const std::uint64_t length : {0u, 1u, 2u, 3u}) {
    const ArraysOfADimension f;
    f.Resize(length);
    f.Resize(7);
    std::vector<std::int32_t> expected(21, -1);
    std::fill_n(expected.begin(), 3 * length, 1);
    EXPECT_EQ(f.ValuesOf("a_data"), expected);
  }
}

TEST(ResizeArrays, SomeDimensionsMayGrowWhileOthersShrink) {
  const ArraysOfADimension f;
  EXPECT_TRUE(
      ResizeArrays(*f.hierarchy, {{f.hierarchy->OpenArray("a_data"), {2, 5}}, {f.hierarchy->OpenArray("time"), {2}}}));
  EXPECT_EQ(f.ValuesOf("a_data"), (std::vector<std::int32_t>{1, 1, 1, -1, -1, 1, 1, 1, -1, -1}));
}

TEST(ResizeArrays, ChangesNothingIfAnotherHandleHasResizedOne) {
  const ArraysOfADimension f;
  const auto data = f.hierarchy->OpenArray("a_data");
  const auto time = f.hierarchy->OpenArray("time");
  const auto other = EditableHierarchy::Open(f.store);
  ResizeArray(*other, other->OpenArray("time"), {6});
  EXPECT_FALSE(ResizeArrays(*f.hierarchy, {{data, {5, 3}}, {time, {5}}}));
  EXPECT_EQ(f.LengthOf("a_data"), 4u);
  EXPECT_EQ(f.LengthOf("time"), 6u);
}

}  // namespace
}  // namespace zarr
