// SPDX-License-Identifier: MIT
#include "zarrlib/array/selection_check.h"

#include "autotest/cpp/support/array_test_util.h"

namespace zarr {
namespace {

using namespace test;

class SelectionCheckTest : public testing::Test {
 protected:
  void Check(const Selection& selection, const Strides& strides = {1, 1}) const {
    CheckSelection(*array_, selection, strides);
  }
  void ExpectRefused(const Selection& selection, std::string_view part, const Strides& strides = {1, 1}) const {
    ExpectError([&] { Check(selection, strides); }, ErrorKind::kInvalidArgument, "", part);
    ExpectError([&] { Check(selection, strides); }, ErrorKind::kInvalidArgument, "", array_->path());
  }

  std::shared_ptr<const Array> array_ =
      MakeArray(std::make_shared<CountingStore>(), Metadata({10, 20}, "[5, 5]", kPlain), "folder/name");
};

TEST_F(SelectionCheckTest, TakesWhatIsInTheArray) {
  Check({{0, 0}, {10, 20}, {1, 1}});
  Check({{9, 19}, {1, 1}, {1, 1}});
  Check({{0, 1}, {4, 10}, {3, 2}});  // up to 9 and 19
}

TEST_F(SelectionCheckTest, RefusesWhatReachesBeyondTheArray) {
  ExpectRefused({{0, 0}, {11, 20}, {1, 1}}, "below 10 along dimension 0");
  ExpectRefused({{0, 0}, {10, 21}, {1, 1}}, "below 20 along dimension 1");
  ExpectRefused({{10, 0}, {1, 1}, {1, 1}}, "dimension 0");
  ExpectRefused({{0, 2}, {4, 10}, {3, 2}}, "2 and 10 with step 2");
}

TEST_F(SelectionCheckTest, RefusesWhatGoesAroundTheEndOfTheNumbers) {
  ExpectRefused({{0, 0}, {1, 3}, {1, UINT64_MAX / 2 + 1}}, "dimension 1");
  ExpectRefused({{5, 0}, {2, 1}, {UINT64_MAX - 2, 1}}, "dimension 0");
  ExpectRefused({{UINT64_MAX, 0}, {1, 1}, {1, 1}}, "dimension 0");
  ExpectRefused({{0, 0}, {UINT64_MAX, 1}, {UINT64_MAX, 1}}, "dimension 0");
}

TEST_F(SelectionCheckTest, TakesAnyPlaceForNoElements) {
  Check({{0, 1000}, {10, 0}, {1, 0}});
  Check({{UINT64_MAX, 0}, {0, 0}, {UINT64_MAX, 1}});
  ExpectRefused({{10, 1000}, {1, 0}, {1, 0}}, "dimension 0");
}

TEST_F(SelectionCheckTest, RefusesStepsOfZero) {
  ExpectRefused({{0, 0}, {1, 2}, {1, 0}}, "steps of at least 1");
  ExpectRefused({{0, 0}, {1, 1}, {0, 1}}, "steps of at least 1");
}

TEST_F(SelectionCheckTest, RefusesAnotherRank) {
  ExpectRefused({{0}, {1}, {1}}, "2 dimensions, got 1");
  ExpectRefused({{0, 0, 0}, {1, 1, 1}, {1, 1, 1}}, "2 dimensions, got 3");
  ExpectRefused({{0, 0}, {1}, {1, 1}}, "2 dimensions");
  ExpectRefused({{0, 0}, {1, 1}, {1}}, "2 dimensions");
  ExpectRefused({{0, 0}, {1, 1}, {1, 1}}, "2 dimensions", {1});
}

TEST(SelectionCheck, TakesTheOneElementOfAScalar) {
  const auto array = MakeArray(std::make_shared<CountingStore>(), Metadata({}, "[]", kPlain));
  CheckSelection(*array, {}, {});
}

}  // namespace
}  // namespace zarr
