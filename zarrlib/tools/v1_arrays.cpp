// SPDX-License-Identifier: MIT
#include "zarrlib/tools/v1_arrays.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "zarrlib/base/limits.h"
#include "zarrlib/hierarchy/formats/node_formats.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/store/linked_groups.h"

namespace zarr::tools {
namespace {

std::uint64_t CountNames(const std::string& path) {
  return path.empty() ? 0 : static_cast<std::uint64_t>(std::count(path.begin(), path.end(), '/')) + 1;
}

class Finder {
 public:
  explicit Finder(const Hierarchy& hierarchy) : hierarchy_(hierarchy), store_(*hierarchy.store()) {}

  std::vector<std::string> Run() {
    if (!store_.info().lists_cheaply()) return {};
    if (hierarchy_.Probe("") != NodeKind::kArray) LookBelow("", true);
    return std::move(found_);
  }

 private:
  void LookBelow(const std::string& path, bool is_group) {
    if (looks_ == 0 || CountNames(path) >= GetLimit(Limit::kDepth)) return;
    if (!is_group) --looks_;
    const auto listing = store_.List(path.empty() ? "" : path + "/");
    if (!listing) return;
    for (const std::string& name : listing->prefixes) {
      if (!name.starts_with('.')) Look(JoinKey(path, name));
      if (looks_ == 0) return;
    }
  }

  void Look(const std::string& path) {
    try {
      const auto kind = hierarchy_.Probe(path);
      if (kind == NodeKind::kArray) return;
      if (FetchV1(store_, path)) return found_.push_back(path);
      if (!links_.IsShown(store_, path)) return;
      LookBelow(path, kind.has_value());
    } catch (const Error&) {  // the code that reads the node reports the error
    }
  }

  const Hierarchy& hierarchy_;
  const Store& store_;
  LinkedGroups links_;
  std::size_t looks_ = 1000;  // into folders that are not nodes
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> FindV1ArraysBelow(const Hierarchy& hierarchy) {
  return Finder(hierarchy).Run();
}

std::string DescribeV1Array(const Store& store, std::string_view path) {
  return "an array of v1, which is a store of its own (" + JoinKey(store.name(), path) + ")";
}

}  // namespace zarr::tools
