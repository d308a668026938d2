// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/near_names.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

namespace zarr {
namespace {

constexpr std::size_t kMostNames = 5;

bool IsSameLetter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

/// Counts the characters to insert, remove or replace (the Levenshtein distance).
std::size_t CountChanges(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (IsSameLetter(from[i], to[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> ChooseNearNames(std::vector<std::string> names, std::string_view wanted) {
  // Names are short; a longer one is not what anybody typed, and would take long to compare.
  constexpr std::size_t kLongest = 100;
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (std::string& name : names) {
    const std::size_t changes =
        name.size() > kLongest || wanted.size() > kLongest ? kLongest : CountChanges(wanted, name);
    ranked.emplace_back(changes, std::move(name));
  }
  std::ranges::stable_sort(ranked, {}, [](const auto& item) { return item.first; });
  if (ranked.size() > kMostNames) ranked.resize(kMostNames);
  std::vector<std::string> nearest;
  for (auto& [changes, name] : ranked) nearest.push_back(std::move(name));
  return nearest;
}

}  // namespace zarr
