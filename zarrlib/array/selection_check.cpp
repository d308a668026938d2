// SPDX-License-Identifier: MIT
#include "zarrlib/array/selection_check.h"

namespace zarr {

void CheckSelection(const Array& array, const Selection& selection, const Strides& strides) {
  const std::size_t rank = array.rank();
  const auto fail = [&](const std::string& message) {
    throw Error(ErrorKind::kInvalidArgument, message).At(array.store().name(), array.path());
  };
  if (selection.start.size() != rank || selection.count.size() != rank || selection.step.size() != rank ||
      strides.size() != rank) {
    fail(FormatExpectedGot("a selection of " + std::to_string(rank) + " dimensions", std::to_string(selection.rank())));
  }
  for (std::size_t i = 0; i < rank; ++i) {
    if (selection.count[i] == 0) continue;
    if (selection.step[i] == 0) fail("expected steps of at least 1, got 0");
    const auto reach = MultiplyChecked(selection.count[i] - 1, selection.step[i]);
    const auto last = reach ? AddChecked(selection.start[i], *reach) : std::nullopt;
    if (!last || *last >= array.shape()[i]) {
      fail(FormatExpectedGot(
          "elements below " + std::to_string(array.shape()[i]) + " along dimension " + std::to_string(i),
          std::to_string(selection.start[i]) + " and " + std::to_string(selection.count[i]) + " with step " +
              std::to_string(selection.step[i])));
    }
  }
}

}  // namespace zarr
