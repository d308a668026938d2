// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Paths of nodes. The functions take zarrlib's paths: "" is the root, "a/b" a node below it. GDAL writes them "/" and
/// "/a/b".
namespace gdal_zarr {

/// Returns the path of the group that contains a node: "a" for "a/b", "" for "a".
std::string GetParentPath(std::string_view path);
/// Returns the node's own name: "b" for "a/b".
std::string GetNodeName(std::string_view path);
/// Returns "/a/b" for "a/b".
std::string MakeGdalFullName(std::string_view path);
/// Returns true if a name is valid for a node, as one component of a path.
bool IsNodeName(std::string_view name);
/// Resolves a name with slashes, as in CF 1.11, section 2.7: absolute, or relative to a group. Returns nullopt if it
/// leads above the root.
std::optional<std::string> ResolveNodePath(std::string_view group, std::string_view name);
/// Returns true if `path` is the path of `node` or of a node below it.
bool IsAtOrBelow(std::string_view path, std::string_view node);
/// Returns the new path of a node when `from` moves to `to`, or nullopt if `path` is not at or below `from`.
std::optional<std::string> GetMovedPath(std::string_view path, std::string_view from, std::string_view to);

/// Returns a map with the entries at and below `from` moved to `to`, where they replace existing entries.
template <typename Map>
Map MoveKeys(const Map& map, std::string_view from, std::string_view to) {
  Map moved;
  for (const auto& [path, value] : map) {
    const auto moved_path = GetMovedPath(path, from, to);
    moved_path ? moved.insert_or_assign(*moved_path, value) : moved.emplace(path, value);
  }
  return moved;
}

}  // namespace gdal_zarr
