#include <algorithm>

#include "zarrlib/tools/checks.h"

namespace zarr::tools {
namespace {

std::string NameOf(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::string Text(std::string_view name, std::uint64_t here, const std::string& other, std::uint64_t there) {
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
    if (names.size() == 1 && NameOf(array.path()) == *names[i]) {
      dimension.coordinates = use;
    } else {
      dimension.uses.push_back(use);
    }
  }
}

void DimensionCheck::Finish(bool levels, Findings* findings) const {
  for (const auto& [name, dimension] : dimensions_) {
    if (dimension.coordinates) {
      for (const Use& use : dimension.uses) {
        const Use& coordinates = *dimension.coordinates;
        if (use.length == coordinates.length) continue;
        findings->AddError(use.path, Text(name, use.length, coordinates.path, coordinates.length));
      }
    } else if (!levels && !dimension.uses.empty()) {
      // Without coordinates nothing says that it is one dimension.
      const Use& first = dimension.uses.front();
      for (const Use& use : dimension.uses) {
        if (use.length != first.length)
          findings->AddWarning(use.path, Text(name, use.length, first.path, first.length));
      }
    }
  }
}

}  // namespace zarr::tools
