// SPDX-License-Identifier: MIT
#include "zarrlib/tools/stored_count.h"

#include "zarrlib/array/read/stored_chunks.h"

namespace zarr::tools {

void ForEachArray(const Hierarchy& hierarchy, const std::string& path, NodeKind kind,
                  const std::function<void(const std::string&)>& use) {
  if (kind == NodeKind::kArray) return use(path);
  std::vector<Hierarchy::Child> children;
  try {
    children = hierarchy.List(path);
  } catch (const Error&) {
    return;  // the code that reads the group reports the error
  }
  for (const Hierarchy::Child& child : children) ForEachArray(hierarchy, JoinKey(path, child.name), child.kind, use);
}

std::uint64_t CountStoredChunks(const Array& array) {
  std::uint64_t count = 0;
  const Shape grid = array.metadata().chunk_grid.grid_shape();
  ForEachExistingChunk(array, {Shape(grid.size(), 0), grid}, [&](const Shape&) { ++count; });
  return count;
}

std::uint64_t CountStoredChunks(const Hierarchy& hierarchy, const std::string& path) {
  std::uint64_t count = 0;
  const NodeKind kind = hierarchy.Probe(path).value_or(NodeKind::kGroup);
  ForEachArray(hierarchy, path, kind, [&](const std::string& array) {
    try {
      count += CountStoredChunks(*hierarchy.OpenArray(array));
    } catch (const Error&) {  // the code that reads the array reports the error
    }
  });
  return count;
}

}  // namespace zarr::tools
