// SPDX-License-Identifier: MIT
#include "zarrlib/tools/check/checks.h"

namespace zarr::tools {
namespace {

std::string GetName(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::string MakeText(std::string_view name, std::uint64_t here, const std::string& other, std::uint64_t there) {
  return "the dimension \"" + std::string(name) + "\" has the length " + std::to_string(here) + " here, and " +
         std::to_string(there) + " in /" + other;
}

}  // namespace

void DimensionCheck::Add(const Array& array) {
  const auto& names = array.metadata().dimension_names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names[i] || names[i]->empty()) continue;
    Dimension& dimension = dimensions_[*names[i]];
    const Use use{array.path(), array.shape()[i]};
    if (names.size() == 1 && GetName(array.path()) == *names[i]) {
      dimension.coordinates = use;
    } else {
      dimension.uses.push_back(use);
    }
  }
}

const DimensionCheck::Use* DimensionCheck::FindAbove(const std::string& name) const {
  for (const DimensionCheck* group = above_; group != nullptr; group = group->above_) {
    const auto dimension = group->dimensions_.find(name);
    if (dimension != group->dimensions_.end() && dimension->second.coordinates) {
      return &*dimension->second.coordinates;
    }
  }
  return nullptr;
}

void DimensionCheck::Finish(bool levels, Findings* findings) const {
  for (const auto& [name, dimension] : dimensions_) {
    const bool own = dimension.coordinates.has_value();
    if (dimension.uses.empty() || (!own && levels)) continue;
    // Without coordinates next to the arrays, it is unknown whether both have the same dimension.
    const Use* const above = own ? &*dimension.coordinates : FindAbove(name);
    const Use& expected = above != nullptr ? *above : dimension.uses.front();
    for (const Use& use : dimension.uses) {
      if (use.length == expected.length) continue;
      const std::string text = MakeText(name, use.length, expected.path, expected.length);
      findings->Add(own ? StoreRule("dimension-length") : StoreRule("dimension-lengths-differ"), use.path, text);
    }
  }
}

}  // namespace zarr::tools
