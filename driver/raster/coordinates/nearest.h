// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdal_zarr {

/// A coordinate to choose from, and its index.
template <typename Key>
struct Candidate {
  std::uint64_t index = 0;
  Key key;
};

/// The result of a search for the nearest coordinate.
template <typename Key>
struct Nearest {
  Candidate<Key> found;  ///< The first of equally near coordinates.
  Key lowest;
  Key highest;
  /// True if the wanted value is between the lowest and the highest coordinate, or outside by at most the distance of
  /// the outermost coordinate from its neighbour.
  bool is_within = false;
};

/// Returns the distance from a key to the nearest different key, or nullopt if all are equal.
template <typename Key, typename GetDistance>
auto FindStep(const std::vector<Candidate<Key>>& candidates, const Key& key, GetDistance&& get_distance) {
  std::optional<decltype(get_distance(key, key))> step;
  for (const Candidate<Key>& other : candidates) {
    if (!(other.key < key) && !(key < other.key)) continue;
    const auto distance = get_distance(key, other.key);
    if (!step || distance < *step) step = distance;
  }
  return step;
}

/// Finds the coordinate nearest to `wanted`. `get_distance(a, b)` returns an ordered value, and `is_at_most(distance,
/// step)` compares two of them. Returns nullopt if there are no candidates.
template <typename Key, typename GetDistance, typename IsAtMost>
std::optional<Nearest<Key>> FindNearest(const std::vector<Candidate<Key>>& candidates, const Key& wanted,
                                        GetDistance&& get_distance, IsAtMost&& is_at_most) {
  if (candidates.empty()) return std::nullopt;
  const auto is_nearer = [&](const auto& a, const auto& b) {
    return get_distance(a.key, wanted) < get_distance(b.key, wanted);
  };
  const auto is_lower = [](const auto& a, const auto& b) { return a.key < b.key; };
  const auto [lowest, highest] = std::minmax_element(candidates.begin(), candidates.end(), is_lower);
  Nearest<Key> result{*std::min_element(candidates.begin(), candidates.end(), is_nearer), lowest->key, highest->key};
  result.is_within = !(wanted < lowest->key) && !(highest->key < wanted);
  if (result.is_within) return result;
  const auto step = FindStep(candidates, result.found.key, get_distance);
  result.is_within = step && is_at_most(get_distance(result.found.key, wanted), *step);
  return result;
}

}  // namespace gdal_zarr
