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
#include "driver/overviews/group_place.h"
#include "driver/overviews/removed_levels.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// A node that was renamed or removed, and a group above it.
struct Move {
  std::string group;
  std::string from;
  std::optional<std::string> to;
  bool is_group = false;
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

/// Returns the entry of a layout, or of a draft's, with the new paths.
JsonNode RenameInEntry(const Move& move, JsonNode entry) {
  for (const char* name : {"asset", "group", "derived_from", "from_group"}) {
    const auto path = FindPath(move.group, entry, name);
    if (IsMoved(move, path)) entry = WithNewPath(move, entry, name, *path);
  }
  return entry;
}

/// Returns the attributes with GeoZarr's layout changed. The entries of removed arrays stay: levels that were made from
/// them still count, and their groups are there.
JsonNode MoveInLayout(const Move& move, const JsonNode& attributes) {
  const JsonNode multiscales = attributes.At(kMultiscalesAttribute);
  const auto layout = FindMember(multiscales, "layout");
  if ((!move.to && !move.is_group) || !layout || !layout->IsArray()) return attributes;
  std::vector<JsonNode> entries = layout->GetItems();
  if (move.to) {
    for (JsonNode& entry : entries) entry = RenameInEntry(move, entry);
  } else {
    entries = WithoutRemovedLevels(entries, [&move](const JsonNode& entry, const char* member) {
      return IsMoved(move, FindPath(move.group, entry, member));
    });
  }
  if (entries.size() != layout->size() && entries.empty()) return WithoutLayout(attributes);
  return CopyWithMember(attributes, kMultiscalesAttribute,
                        CopyWithMember(multiscales, "layout", JsonNode::MakeArray(entries)));
}

/// Returns the attributes of the group with its lists changed.
JsonNode MoveLevelsIn(const Move& move, JsonNode attributes) {
  const auto multiscales = FindMember(attributes, kMultiscalesAttribute);
  const bool has_layout = multiscales && Declares(attributes, kMultiscalesConvention);
  if (has_layout) attributes = MoveInLayout(move, attributes);
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

void MoveLevelsAbove(SharedResource& resource, Move move) {
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
  const bool is_group = resource.hierarchy().Probe(path) == zarr::NodeKind::kGroup;
  resource.DeleteNode(path);
  MoveLevelsAbove(resource, {path, path, std::nullopt, is_group});
}

void RenameNodeInLists(SharedResource& resource, std::string_view path, std::string_view name) {
  const std::string from(path);  // the caller's string may belong to an object that is moved
  const std::string to = zarr::JoinKey(GetParentPath(from), name);
  RenameWithReferences(resource, from, to);
  MoveLevelsAbove(resource, {from, from, to});
}

}  // namespace gdal_zarr
