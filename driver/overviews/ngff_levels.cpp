// SPDX-License-Identifier: MIT
#include "driver/overviews/ngff_levels.h"

#include <optional>
#include <vector>

#include "driver/dataset/attribute_names.h"
#include "driver/georeferencing/geozarr/multiscales.h"
#include "driver/overviews/find_overviews.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// A node that was renamed or removed, and a group above it.
struct Move {
  std::string group;
  std::string from;
  std::optional<std::string> to;
};

/// Returns the path of a level of the group; nullopt for what is not a level.
std::optional<std::string> FindPath(const std::string& group, const JsonNode& level) {
  try {
    return zarr::JoinKey(group, ParseChildPath(level.At("path")));
  } catch (const zarr::Error&) {
    return std::nullopt;
  }
}

std::vector<JsonNode> MoveLevels(const Move& move, const JsonNode& levels) {
  std::vector<JsonNode> moved;
  for (const JsonNode& level : levels.GetItems()) {
    const auto path = FindPath(move.group, level);
    if (!path || (*path != move.from && !path->starts_with(move.from + "/"))) {
      moved.push_back(level);
    } else if (move.to) {
      const std::string name = *move.to + path->substr(move.from.size());
      const std::string relative = name.substr(move.group.empty() ? 0 : move.group.size() + 1);
      moved.push_back(CopyWithMember(level, "path", JsonNode::MakeString(relative)));
    }
  }
  return moved;
}

std::vector<JsonNode> MoveLevelsOfImages(const Move& move, const JsonNode& images) {
  std::vector<JsonNode> moved;
  for (const JsonNode& image : images.GetItems()) {
    const auto levels = FindMember(image, "datasets");
    if (!levels || !levels->IsArray() || levels->size() == 0) {
      moved.push_back(image);
      continue;
    }
    const std::vector<JsonNode> left = MoveLevels(move, *levels);
    if (!left.empty()) moved.push_back(CopyWithMember(image, "datasets", JsonNode::MakeArray(left)));
  }
  return moved;
}

/// Returns the attributes of the group with its list changed.
JsonNode MoveLevelsIn(const Move& move, const JsonNode& attributes) {
  const auto ome = FindMember(attributes, "ome");
  const bool is_nested = ome && ome->IsObject();
  const JsonNode& holder = is_nested ? *ome : attributes;
  const auto images = FindMember(holder, kMultiscalesAttribute);
  if (!images || !images->IsArray() || images->size() == 0) return attributes;
  const std::vector<JsonNode> moved = MoveLevelsOfImages(move, *images);
  const JsonNode changed = moved.empty() ? CopyWithoutMember(holder, kMultiscalesAttribute)
                                         : CopyWithMember(holder, kMultiscalesAttribute, JsonNode::MakeArray(moved));
  return is_nested ? CopyWithMember(attributes, "ome", changed) : changed;
}

void MoveLevelsAbove(SharedResource& resource, const std::string& from, const std::optional<std::string>& to) {
  Move move{from, from, to};
  for (int steps = 0; steps < kMostGroupsAbove && !move.group.empty(); ++steps) {
    move.group = GetParentPath(move.group);
    try {
      const JsonNode known = resource.finder().FindGroupAttributes(move.group);
      if (AreWrittenAlike(known, MoveLevelsIn(move, known))) continue;
      resource.Change().EditAttributes(move.group, [&](const JsonNode& stored) { return MoveLevelsIn(move, stored); });
    } catch (const zarr::Error& error) {
      resource.WarnOnce(std::string("A list of overviews is not changed: ") + error.what());  // the node has moved
    }
  }
}

}  // namespace

void DeleteNodeInLists(SharedResource& resource, const std::string& path) {
  resource.DeleteNode(path);
  MoveLevelsAbove(resource, path, std::nullopt);
}

void RenameNodeInLists(SharedResource& resource, std::string_view path, std::string_view name) {
  const std::string from(path);  // the caller's string may belong to an object that is moved
  const std::string to = zarr::JoinKey(GetParentPath(from), name);
  resource.RenameNode(from, to);
  MoveLevelsAbove(resource, from, to);
}

}  // namespace gdal_zarr
