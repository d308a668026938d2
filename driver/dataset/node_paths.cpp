// SPDX-License-Identifier: MIT
#include "driver/dataset/node_paths.h"

#include <algorithm>

namespace gdal_zarr {

std::string GetParentPath(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? std::string_view() : path.substr(0, slash));
}

std::string GetNodeName(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

std::string MakeGdalFullName(std::string_view path) {
  return "/" + std::string(path);
}

bool IsNodeName(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos;
}

std::optional<std::string> ResolveNodePath(std::string_view group, std::string_view name) {
  std::string path(name.starts_with('/') ? std::string_view() : group);
  while (!name.empty()) {
    const std::string_view step = name.substr(0, name.find('/'));
    name.remove_prefix(std::min(name.size(), step.size() + 1));
    if (step == ".." && path.empty()) return std::nullopt;
    if (step == "..") {
      path = GetParentPath(path);
    } else if (!step.empty() && step != ".") {
      path.append(path.empty() ? "" : "/").append(step);
    }
  }
  return path;
}

bool IsAtOrBelow(std::string_view path, std::string_view node) {
  return path == node || node.empty() || (path.starts_with(node) && path[node.size()] == '/');
}

std::optional<std::string> GetMovedPath(std::string_view path, std::string_view from, std::string_view to) {
  if (!IsAtOrBelow(path, from)) return std::nullopt;
  return std::string(to) + std::string(path.substr(from.size()));
}

}  // namespace gdal_zarr
