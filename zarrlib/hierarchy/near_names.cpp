// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/near_names.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <deque>
#include <utility>

#include "zarrlib/base/text.h"
#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/metadata/node_path.h"

namespace zarr {
namespace {

constexpr std::size_t kMostNames = 5;

bool IsSameLetter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

/// Returns the Levenshtein distance: the number of characters to insert, remove or replace.
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

/// How many groups are searched for a node of the wanted name.
constexpr std::size_t kMostGroups = 100;

/// Finds the nodes of a name in the groups below a group, the nearest ones first.
std::vector<std::string> FindBelow(const Hierarchy& hierarchy, const std::string& group, std::string_view name) {
  std::vector<std::string> found;
  std::deque<std::string> groups{""};
  for (std::size_t count = 0; count < kMostGroups && !groups.empty() && found.size() < kMostNames; ++count) {
    const std::string inner = std::move(groups.front());
    groups.pop_front();
    for (const Hierarchy::Child& child : hierarchy.List(inner.empty() ? group : JoinKey(group, inner))) {
      const std::string path = JoinKey(inner, child.name);
      if (!inner.empty() && child.name == name) found.push_back(path);
      if (child.kind == NodeKind::kGroup) groups.push_back(path);
    }
  }
  return found;
}

/// A list that costs a request is not worthwhile.
bool IsListFree(const Hierarchy& hierarchy) {
  return hierarchy.consolidated() || !hierarchy.store()->info().is_on_network();
}

}  // namespace

std::vector<std::string> FindNearNodes(const Hierarchy& hierarchy, std::string_view path) {
  std::string group(ParentPath(path));
  std::vector<Hierarchy::Child> children = hierarchy.List(group);
  while (children.empty() && !group.empty()) {
    group = ParentPath(group);
    children = hierarchy.List(group);
  }
  std::string_view missing = path.substr(group.empty() ? 0 : group.size() + 1);
  missing = missing.substr(0, missing.find('/'));
  std::vector<std::string> near = FindBelow(hierarchy, group, path.substr(path.rfind('/') + 1));
  std::vector<std::string> names;
  for (Hierarchy::Child& child : children) names.push_back(std::move(child.name));
  for (std::string& name : ChooseNearNames(std::move(names), missing)) near.push_back(std::move(name));
  if (near.size() > kMostNames) near.resize(kMostNames);
  return near;
}

Error MakeMissingNodeError(const Hierarchy& hierarchy, std::string_view path, std::string_view expected) {
  std::vector<std::string> names;
  try {
    if (!path.empty() && IsListFree(hierarchy)) names = FindNearNodes(hierarchy, path);
  } catch (const Error&) {
    names.clear();  // the node is missing anyway
  }
  std::string message = FormatExpectedGot(expected, "none");
  for (const std::string& name : names) {
    message += (&name == &names.front() ? "; nodes that are there: " : ", ") + name;
  }
  return Error(ErrorKind::kNotFound, hierarchy.store()->name(), std::string(path), "", message);
}

std::vector<std::string> ChooseNearNames(std::vector<std::string> names, std::string_view wanted) {
  // Names are short; a longer one is not something that a user typed, and would take long to compare.
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
