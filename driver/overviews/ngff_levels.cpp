// SPDX-License-Identifier: MIT
#include "driver/overviews/ngff_levels.h"

#include <optional>
#include <utility>
#include <vector>

#include "driver/cf/array_references.h"
#include "driver/dataset/attribute_names.h"
#include "driver/georeferencing/geozarr/conventions_list.h"
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

/// Returns the path that a level of the group has as a member; nullopt for what is not a path.
std::optional<std::string> FindPath(const std::string& group, const JsonNode& level, const char* name) {
  try {
    return zarr::JoinKey(group, ParseChildPath(level.At(name)));
  } catch (const zarr::Error&) {
    return std::nullopt;
  }
}

bool IsMoved(const Move& move, const std::optional<std::string>& path) {
  return path && (*path == move.from || path->starts_with(move.from + "/"));
}

/// Returns the level with the new path, relative to the group.
JsonNode WithNewPath(const Move& move, const JsonNode& level, const char* name, const std::string& path) {
  const std::string moved = *move.to + path.substr(move.from.size());
  return CopyWithMember(level, name,
                        JsonNode::MakeString(moved.substr(move.group.empty() ? 0 : move.group.size() + 1)));
}

std::vector<JsonNode> MoveLevels(const Move& move, const JsonNode& levels) {
  std::vector<JsonNode> moved;
  for (const JsonNode& level : levels.GetItems()) {
    const auto path = FindPath(move.group, level, "path");
    if (!IsMoved(move, path)) {
      moved.push_back(level);
    } else if (move.to) {
      moved.push_back(WithNewPath(move, level, "path", *path));
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

/// Returns GeoZarr's layout with the new paths, also those of drafts. The entries of removed nodes stay: levels that
/// were made from them still count.
JsonNode RenameInLayout(const Move& move, const JsonNode& multiscales) {
  const auto layout = FindMember(multiscales, "layout");
  if (!move.to || !layout || !layout->IsArray()) return multiscales;
  std::vector<JsonNode> entries;
  for (JsonNode entry : layout->GetItems()) {
    for (const char* name : {"asset", "group", "derived_from", "from_group"}) {
      const auto path = FindPath(move.group, entry, name);
      if (IsMoved(move, path)) entry = WithNewPath(move, entry, name, *path);
    }
    entries.push_back(std::move(entry));
  }
  return CopyWithMember(multiscales, "layout", JsonNode::MakeArray(entries));
}

/// Returns the attributes of the group with its lists changed.
JsonNode MoveLevelsIn(const Move& move, JsonNode attributes) {
  const auto multiscales = FindMember(attributes, kMultiscalesAttribute);
  const bool has_layout = multiscales && Declares(attributes, kMultiscalesConvention);
  if (has_layout) {
    attributes = CopyWithMember(attributes, kMultiscalesAttribute, RenameInLayout(move, *multiscales));
  }
  const auto ome = FindMember(attributes, "ome");
  const bool is_nested = ome && ome->IsObject();
  if (has_layout && !is_nested) return attributes;
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
  RenameWithReferences(resource, from, to);
  MoveLevelsAbove(resource, from, to);
}

}  // namespace gdal_zarr
