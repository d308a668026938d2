// SPDX-License-Identifier: MIT
#include "zarrlib/array/write/element_mask.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>

namespace zarr {
namespace {

using Runs = std::vector<std::pair<std::size_t, std::size_t>>;

Runs GapsOf(const ElementMask& mask) {
  Runs runs;
  mask.ForEachGap([&](std::size_t begin, std::size_t end) { runs.emplace_back(begin, end); });
  return runs;
}

Runs MarkedOf(const ElementMask& mask) {
  Runs runs;
  mask.ForEachMarked([&](std::size_t begin, std::size_t end) { runs.emplace_back(begin, end); });
  return runs;
}

/// The set as one character per element.
std::string TextOf(const ElementMask& mask, std::size_t size) {
  std::string text(size, '.');
  mask.ForEachMarked([&](std::size_t begin, std::size_t end) { text.replace(begin, end - begin, end - begin, 'x'); });
  return text;
}

TEST(ElementMask, HasAllElementsOrNone) {
  for (const std::size_t size : {1, 63, 64, 65, 128, 200}) {
    SCOPED_TRACE(size);
    const ElementMask none(size, false);
    EXPECT_FALSE(none.all());
    EXPECT_EQ(GapsOf(none), (Runs{{0, size}}));
    EXPECT_EQ(MarkedOf(none), Runs());
    const ElementMask all(size, true);
    EXPECT_TRUE(all.all());
    EXPECT_EQ(GapsOf(all), Runs());
    EXPECT_EQ(MarkedOf(all), (Runs{{0, size}}));
    EXPECT_EQ(all.memory_size(), (size + 63) / 64 * 8);
  }
}

TEST(ElementMask, IsCompleteWithoutElements) {
  for (const bool all : {false, true}) {
    const ElementMask empty(0, all);
    EXPECT_TRUE(empty.all());
    EXPECT_EQ(GapsOf(empty), Runs());
    EXPECT_EQ(MarkedOf(empty), Runs());
  }
}

TEST(ElementMask, GivesRunsAcrossWords) {
  ElementMask mask(200, false);
  mask.Mark({60}, {10}, {1}, {1});
  mask.Mark({128}, {64}, {1}, {1});
  mask.Mark({199}, {1}, {1}, {1});
  EXPECT_EQ(MarkedOf(mask), (Runs{{60, 70}, {128, 192}, {199, 200}}));
  EXPECT_EQ(GapsOf(mask), (Runs{{0, 60}, {70, 128}, {192, 199}}));
}

TEST(ElementMask, JoinsRunsThatTouch) {
  ElementMask mask(200, false);
  mask.Mark({0}, {64}, {1}, {1});
  mask.Mark({64}, {64}, {1}, {1});
  mask.Mark({100}, {50}, {1}, {1});
  EXPECT_EQ(MarkedOf(mask), (Runs{{0, 150}}));
  EXPECT_EQ(GapsOf(mask), (Runs{{150, 200}}));
}

TEST(ElementMask, CountsElementsThatAreMarkedTwiceOnce) {
  ElementMask mask(4, false);
  mask.Mark({0}, {3}, {1}, {1});
  mask.Mark({0}, {3}, {1}, {1});
  EXPECT_FALSE(mask.all());
  mask.Mark({1}, {3}, {1}, {1});
  EXPECT_TRUE(mask.all());
}

TEST(ElementMask, MarksEveryStepThElement) {
  ElementMask mask(10, false);
  mask.Mark({1}, {3}, {4}, {1});
  EXPECT_EQ(TextOf(mask, 10), ".x...x...x");
  mask.Mark({0}, {5}, {2}, {1});
  EXPECT_EQ(TextOf(mask, 10), "xxx.xxx.xx");
}

TEST(ElementMask, MarksABoxOfRows) {
  ElementMask mask(15, false);  // 3 rows of 5
  mask.Mark({1, 2}, {2, 3}, {1, 1}, {5, 1});
  EXPECT_EQ(TextOf(mask, 15), ".......xxx..xxx");
}

TEST(ElementMask, MarksABoxThatIsLaidOutInColumns) {
  ElementMask mask(15, false);  // 3 rows of 5, one column after the other
  mask.Mark({1, 2}, {2, 3}, {1, 1}, {1, 3});
  EXPECT_EQ(TextOf(mask, 15), ".......xx.xx.xx");
}

TEST(ElementMask, MarksStepsAlongBothAxes) {
  ElementMask mask(20, false);  // 4 rows of 5
  mask.Mark({1, 0}, {2, 3}, {2, 2}, {5, 1});
  EXPECT_EQ(TextOf(mask, 20), ".....x.x.x.....x.x.x");
}

TEST(ElementMask, MarksTheOneElementOfAScalar) {
  ElementMask mask(1, false);
  mask.Mark({}, {}, {}, {});
  EXPECT_TRUE(mask.all());
}

TEST(ElementMask, MarksNothingIfACountIsZero) {
  ElementMask mask(6, false);
  mask.Mark({0, 0}, {2, 0}, {1, 1}, {3, 1});
  mask.Mark({0, 0}, {0, 3}, {1, 1}, {3, 1});
  EXPECT_EQ(MarkedOf(mask), Runs());
}

TEST(ElementMask, MarksOneElementWhateverItsStep) {
  ElementMask mask(6, false);
  mask.Mark({1, 1}, {1, 1}, {1000, 1000}, {3, 1});
  EXPECT_EQ(TextOf(mask, 6), "....x.");
}

TEST(ElementMask, AddsWhatAnotherOneLacks) {
  ElementMask other(130, false);
  other.Mark({10}, {100}, {1}, {1});
  ElementMask mask(130, false);
  mask.MarkAllBut(other);
  EXPECT_EQ(MarkedOf(mask), (Runs{{0, 10}, {110, 130}}));
  mask.MarkAllBut(ElementMask(130, true));
  EXPECT_FALSE(mask.all());
  mask.MarkAllBut(mask);
  EXPECT_TRUE(mask.all());
}

TEST(ElementMask, AgreesWithASimpleModel) {
  std::mt19937 random(5);
  const auto pick = [&](std::uint64_t low, std::uint64_t high) { return low + random() % (high - low + 1); };
  for (int round = 0; round < 300; ++round) {
    const Shape shape = {pick(1, 5), pick(1, 9), pick(1, 9)};
    const auto size = static_cast<std::size_t>(ComputeProduct(shape));
    // Either in C order, or with the last two axes exchanged.
    const auto a = static_cast<std::ptrdiff_t>(shape[1]);
    const auto b = static_cast<std::ptrdiff_t>(shape[2]);
    const Strides strides = pick(0, 1) == 0 ? Strides{a * b, b, 1} : Strides{a * b, 1, a};
    ElementMask mask(size, false);
    std::string model(size, '.');
    for (int mark = 0; mark < 4; ++mark) {
      Shape first, count, step;
      for (const std::uint64_t edge : shape) {
        const std::uint64_t start = pick(0, edge - 1);
        const std::uint64_t every = pick(1, 3);
        first.push_back(start);
        step.push_back(every);
        count.push_back(pick(1, (edge - 1 - start) / every + 1));
      }
      mask.Mark(first, count, step, strides);
      Shape index(3, 0);
      do {
        std::size_t at = 0;
        for (std::size_t i = 0; i < 3; ++i)
          at += (first[i] + index[i] * step[i]) * static_cast<std::size_t>(strides[i]);
        model[at] = 'x';
      } while (AdvanceIndex(count, &index));
      ASSERT_EQ(TextOf(mask, size), model);
      ASSERT_EQ(mask.all(), model.find('.') == std::string::npos);
    }
  }
}

}  // namespace
}  // namespace zarr
