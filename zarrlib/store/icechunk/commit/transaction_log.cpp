// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/commit/transaction_log.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "zarrlib/store/icechunk/flat/flat_numbers.h"
#include "zarrlib/store/icechunk/flat/flat_schemas.h"

namespace zarr {
namespace {

using Coordinates = std::vector<std::uint32_t>;

/// Sets a field to sorted IDs. Required fields are set even if there are none.
void SetIds(unsigned field, const std::set<NodeId>& ids, FlatObject* log) {
  std::string bytes;
  for (const NodeId& id : ids) bytes += AsText(ByteSpan(id));
  log->SetBytes(field, bytes);
}

std::set<NodeId> GetIds(const FlatObject& log, unsigned field) {
  std::set<NodeId> ids;
  const ByteSpan bytes = AsBytes(log.bytes(field));
  for (std::size_t i = 0; i + NodeId().size() <= bytes.size(); i += NodeId().size()) {
    ids.insert(ReadId<NodeId>(bytes.subspan(i, NodeId().size())));
  }
  return ids;
}

std::string FormatChunk(const std::string& path, const Coordinates& coordinates) {
  std::string key = "chunk " + JoinKey(path, "c");
  for (const std::uint32_t coordinate : coordinates) key += "/" + std::to_string(coordinate);
  return key;
}

/// What the log of a commit tells.
struct TheirChanges {
  explicit TheirChanges(FlatObject log) {
    made = GetIds(log, of_log::kNewGroups);
    made.merge(GetIds(log, of_log::kNewArrays));
    deleted = GetIds(log, of_log::kDeletedGroups);
    deleted.merge(GetIds(log, of_log::kDeletedArrays));
    updated = GetIds(log, of_log::kUpdatedGroups);
    updated.merge(GetIds(log, of_log::kUpdatedArrays));
    for (FlatObject& array : log.tables(of_log::kUpdatedChunks)) {
      const ByteSpan id = AsBytes(array.bytes(of_updated_chunks::kNodeId));
      if (id.size() != NodeId().size()) continue;
      std::set<std::string>& of_array = chunks[ReadId<NodeId>(id)];
      for (const FlatObject& chunk : array.tables(of_updated_chunks::kChunks)) {
        of_array.emplace(chunk.bytes(of_chunk_indices::kCoordinates));
      }
    }
    for (const FlatObject& move : log.tables(of_log::kMovedNodes)) moved.emplace(move.bytes(of_move::kFrom));
  }

  std::set<NodeId> made;
  std::set<NodeId> deleted;
  std::set<NodeId> updated;
  std::map<NodeId, std::set<std::string>> chunks;  // coordinates as bytes
  std::set<std::string> moved;
};

std::optional<std::string> FindConflict(const TheirChanges& theirs, const std::string& path, const NodeChange& mine) {
  if (theirs.deleted.contains(mine.id)) return "it deleted " + QuoteKey("/" + path);
  const bool is_updated = theirs.updated.contains(mine.id);
  if (is_updated) return "it changed the metadata of " + QuoteKey("/" + path);
  const auto chunks = theirs.chunks.find(mine.id);
  if (chunks == theirs.chunks.end()) return std::nullopt;
  if (mine.document) return "it changed chunks of " + QuoteKey("/" + path) + ", whose metadata changed here";
  for (const auto& [coordinates, chunk] : mine.chunks) {
    if (chunks->second.contains(MakeFlatVector(coordinates))) {
      return "it changed " + FormatChunk(path, coordinates);
    }
  }
  return std::nullopt;
}

std::map<NodeId, const SnapshotNode*> GetNodesById(const Snapshot& snapshot) {
  std::map<NodeId, const SnapshotNode*> nodes;
  for (const auto& [path, node] : snapshot.nodes()) nodes.emplace(node.id, &node);
  return nodes;
}

bool HasSameManifests(const SnapshotNode& a, const SnapshotNode& b) {
  return !a.is_array || !b.is_array ||
         std::ranges::equal(*a.manifests, *b.manifests, {}, &ManifestRef::id, &ManifestRef::id);
}

}  // namespace

std::string MakeLogKey(const ObjectId& snapshot) {
  return "transactions/" + FormatObjectId(snapshot);
}

FlatObject MakeLog(const ObjectId& snapshot, const ChangeSet& changes) {
  std::map<unsigned, std::set<NodeId>> ids;
  std::map<NodeId, const NodeChange*> with_chunks;
  for (const auto& [path, node] : changes.nodes) {
    if (node.is_new) ids[node.is_array ? of_log::kNewArrays : of_log::kNewGroups].insert(node.id);
    if (!node.is_new && node.document) {
      ids[node.is_array ? of_log::kUpdatedArrays : of_log::kUpdatedGroups].insert(node.id);
    }
    if (node.HasChunks()) with_chunks[node.id] = &node;
  }
  for (const auto& [path, node] : changes.deleted) {
    ids[node.is_array ? of_log::kDeletedArrays : of_log::kDeletedGroups].insert(node.id);
  }
  FlatObject log(kLogSchema);
  log.SetBytes(of_log::kId, ByteSpan(snapshot));
  for (unsigned field = of_log::kNewGroups; field <= of_log::kUpdatedGroups; ++field) SetIds(field, ids[field], &log);
  log.tables(of_log::kUpdatedChunks);  // required
  for (const auto& [id, node] : with_chunks) {
    FlatObject& array = log.Append(of_log::kUpdatedChunks);
    array.SetBytes(of_updated_chunks::kNodeId, ByteSpan(id));
    const auto add = [&array](ChunkCoordinates coordinates) {
      array.Append(of_updated_chunks::kChunks).SetBytes(of_chunk_indices::kCoordinates, MakeFlatVector(coordinates));
    };
    for (const auto& [coordinates, chunk] : node->chunks) add(coordinates);
    if (!node->more_chunks) continue;
    node->more_chunks->ForEach([&add](ChunkCoordinates coordinates, const ChunkRef&) { add(coordinates); });
  }
  return log;
}

std::optional<std::string> FindConflict(const FlatObject& log, const ChangeSet& changes) {
  const TheirChanges theirs(log);
  if (!theirs.moved.empty()) return "it moved " + QuoteKey(*theirs.moved.begin());
  for (const auto& [path, node] : changes.nodes) {
    if (auto conflict = FindConflict(theirs, path, node)) return conflict;
  }
  for (const auto& [path, node] : changes.deleted) {
    if (theirs.updated.contains(node.id) || theirs.chunks.contains(node.id)) {
      return "it changed " + QuoteKey("/" + path) + ", which is deleted here";
    }
    // What is renamed is deleted, and made again. If both renamed it, it would be there twice.
    if (node.is_renamed && theirs.deleted.contains(node.id)) {
      return "it deleted or renamed " + QuoteKey("/" + path) + ", which is renamed here";
    }
  }
  return std::nullopt;
}

bool TellsAll(const FlatObject& log, const Snapshot& before, const Snapshot& after) {
  const TheirChanges told(log);
  const auto old = GetNodesById(before);
  const auto present = GetNodesById(after);
  const auto is_told = [&](const auto& entry) {
    const auto& [id, node] = entry;
    const auto was = old.find(id);
    if (was == old.end()) return told.made.contains(id);
    const bool is_same = std::ranges::equal(was->second->metadata, node->metadata);
    return (is_same || told.updated.contains(id)) &&
           (HasSameManifests(*was->second, *node) || told.chunks.contains(id) || told.updated.contains(id));
  };
  return std::ranges::all_of(present, is_told) && std::ranges::all_of(old, [&](const auto& entry) {
           return present.contains(entry.first) || told.deleted.contains(entry.first);
         });
}

}  // namespace zarr
