// SPDX-License-Identifier: MIT
#include "driver/dataset/node_paths.h"

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

bool IsAtOrBelow(std::string_view path, std::string_view node) {
  return path == node || node.empty() || (path.starts_with(node) && path[node.size()] == '/');
}

std::optional<std::string> GetMovedPath(std::string_view path, std::string_view from, std::string_view to) {
  if (!IsAtOrBelow(path, from)) return std::nullopt;
  return std::string(to) + std::string(path.substr(from.size()));
}

}  // namespace gdal_zarr
