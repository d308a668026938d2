// SPDX-License-Identifier: MIT
#include "zarrlib/grid/box_cover.h"

#include <algorithm>
#include <limits>

namespace zarr {
namespace {

/// Of huge arrays, the number need not be exact.
double CountElements(const Box& box) {
  double count = 1;
  for (const std::uint64_t length : box.shape) count *= static_cast<double>(length);
  return count;
}

/// Returns the number of elements of the bounding box that are in neither box; less than it if they overlap.
double CountGap(const Box& a, const Box& b) {
  return CountElements(GetBoundingBox(a, b)) - CountElements(a) - CountElements(b);
}

}  // namespace

Box GetBoundingBox(const Box& a, const Box& b) {
  Box bounding = a;
  for (std::size_t axis = 0; axis < a.rank(); ++axis) {
    bounding.origin[axis] = std::min(a.origin[axis], b.origin[axis]);
    bounding.shape[axis] = std::max(a.end(axis), b.end(axis)) - bounding.origin[axis];
  }
  return bounding;
}

std::optional<Box> JoinExactly(const Box& a, const Box& b) {
  if (Contains(a, b)) return a;
  if (Contains(b, a)) return b;
  bool differs = false;
  for (std::size_t axis = 0; axis < a.rank(); ++axis) {
    if (a.origin[axis] == b.origin[axis] && a.shape[axis] == b.shape[axis]) continue;
    const bool touches = a.origin[axis] <= b.end(axis) && b.origin[axis] <= a.end(axis);
    if (differs || !touches) return std::nullopt;
    differs = true;
  }
  return GetBoundingBox(a, b);
}

std::pair<std::size_t, std::size_t> FindClosest(const std::vector<Box>& boxes) {
  std::pair<std::size_t, std::size_t> closest{0, 1};
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = i + 1; j < boxes.size(); ++j) {
      const double gap = CountGap(boxes[i], boxes[j]);
      if (gap >= smallest) continue;
      smallest = gap;
      closest = {i, j};
    }
  }
  return closest;
}

void BoxCover::Add(Box box) {
  if (box.empty()) return;
  for (auto other = boxes_.begin(); other != boxes_.end();) {
    const std::optional<Box> joined = JoinExactly(*other, box);
    if (!joined) {
      ++other;
      continue;
    }
    box = *joined;
    boxes_.erase(other);
    other = boxes_.begin();  // the larger box may join with one that the smaller did not join with
  }
  boxes_.push_back(box);
  if (boxes_.size() <= kMostBoxes) return;
  const auto [first, second] = FindClosest(boxes_);
  const Box bounding = GetBoundingBox(boxes_[first], boxes_[second]);
  boxes_.erase(boxes_.begin() + static_cast<std::ptrdiff_t>(second));
  boxes_.erase(boxes_.begin() + static_cast<std::ptrdiff_t>(first));
  Add(bounding);
}

}  // namespace zarr
