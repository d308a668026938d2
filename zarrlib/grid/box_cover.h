// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "zarrlib/base/shape.h"

namespace zarr {

/// Returns the smallest box that contains both boxes.
Box GetBoundingBox(const Box& a, const Box& b);
/// Returns the box that consists of the elements of both boxes, or nullopt if these are not a box.
std::optional<Box> JoinExactly(const Box& a, const Box& b);
/// Returns the two of at least two boxes whose bounding box has the fewest elements that are in neither.
std::pair<std::size_t, std::size_t> FindClosest(const std::vector<Box>& boxes);

/// A bounded number of boxes that together contain all boxes that were added. Boxes that form a box are joined; if
/// there are too many, the two closest are replaced by their bounding box.
class BoxCover {
 public:
  static constexpr std::size_t kMostBoxes = 16;

  void Add(Box box);
  const std::vector<Box>& boxes() const { return boxes_; }
  bool empty() const { return boxes_.empty(); }
  void Clear() { boxes_.clear(); }

 private:
  std::vector<Box> boxes_;
};

}  // namespace zarr
