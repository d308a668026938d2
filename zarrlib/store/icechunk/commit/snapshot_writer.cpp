// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/commit/snapshot_writer.h"

#include <algorithm>
#include <set>
#include <utility>

#include "zarrlib/store/icechunk/commit/array_manifests.h"
#include "zarrlib/store/icechunk/commit/commit_metadata.h"
#include "zarrlib/store/icechunk/commit/node_document.h"
#include "zarrlib/store/icechunk/flat/flat_numbers.h"
#include "zarrlib/store/icechunk/flat/flat_schemas.h"
#include "zarrlib/store/icechunk/object_file.h"

namespace zarr {
namespace {

constexpr std::size_t kFileEntry = 32;  // bytes of a manifest file in a snapshot of format 1

std::string MakePath(const std::string& path) {
  return "/" + path;
}

bool IsGroup(const FlatObject& node) {
  return node.number(of_node::kNodeDataType) == of_node::kGroup;
}

std::vector<ManifestRef> LoadManifestRefs(FlatObject* array) {
  std::vector<ManifestRef> refs;
  for (const FlatObject& table : array->tables(of_array::kManifests)) {
    ManifestRef& ref = refs.emplace_back();
    ref.id = ReadId<ObjectId>(AsBytes(table.bytes(of_manifest_ref::kObjectId)));
    const ByteSpan extents = AsBytes(table.bytes(of_manifest_ref::kExtents));
    for (std::size_t i = 0; i + 8 <= extents.size(); i += 8) {
      ref.extents.push_back({LoadLittleEndian<std::uint32_t>(extents.data() + i),
                             LoadLittleEndian<std::uint32_t>(extents.data() + i + 4)});
    }
  }
  return refs;
}

void SaveManifestRefs(const std::vector<ManifestRef>& refs, FlatObject* array) {
  array->Clear(of_array::kManifests);
  array->tables(of_array::kManifests);
  for (const ManifestRef& ref : refs) {
    FlatObject& table = array->Append(of_array::kManifests);
    table.SetBytes(of_manifest_ref::kObjectId, ByteSpan(ref.id));
    std::string extents;
    for (const auto& [from, to] : ref.extents) {
      AppendFlatNumber(from, &extents);
      AppendFlatNumber(to, &extents);
    }
    table.SetBytes(of_manifest_ref::kExtents, extents);
  }
}

}  // namespace

ObjectId GetFirstSnapshotId() {
  return ParseObjectId("1CECHNKREP0F1RSTCMT0").value();
}

FlatObject MakeFirstSnapshot(std::uint64_t time, const NodeId& root_id) {
  FlatObject snapshot(kSnapshotSchema);
  snapshot.SetBytes(of_snapshot::kId, ByteSpan(GetFirstSnapshotId()));
  snapshot.SetNumber(of_snapshot::kFlushedAt, time);
  snapshot.SetBytes(of_snapshot::kMessage, "Repository initialized");
  snapshot.tables(of_snapshot::kMetadata);
  snapshot.SetBytes(of_snapshot::kManifestFiles, "");
  snapshot.tables(of_snapshot::kManifestFilesV2);
  FlatObject& root = snapshot.Append(of_snapshot::kNodes);
  root.SetBytes(of_node::kId, ByteSpan(root_id));
  root.SetBytes(of_node::kPath, "/");
  root.SetBytes(of_node::kUserData, R"({"zarr_format":3,"node_type":"group","attributes":{}})");
  root.MakeUnion(of_node::kNodeData, of_node::kGroup);
  return snapshot;
}

SnapshotWriter::SnapshotWriter(Store* folder, int version, FlatObject before)
    : folder_(folder), version_(version), snapshot_(std::move(before)) {
  for (FlatObject& node : snapshot_.tables(of_snapshot::kNodes)) {
    std::string path(node.bytes(of_node::kPath));
    nodes_.emplace(std::move(path), std::move(node));
  }
  snapshot_.Clear(of_snapshot::kNodes);
  LoadFiles();
}

std::set<NodeId> SnapshotWriter::GetNodeIds() const {
  std::set<NodeId> ids;
  for (const auto& [path, node] : nodes_) ids.insert(ReadId<NodeId>(AsBytes(node.bytes(of_node::kId))));
  return ids;
}

void SnapshotWriter::LoadFiles() {
  for (const FlatObject& file : snapshot_.tables(of_snapshot::kManifestFilesV2)) {
    files_[ReadId<ObjectId>(AsBytes(file.bytes(of_manifest_file::kId)))] = {file.number(of_manifest_file::kSize),
                                                                            file.number(of_manifest_file::kRefs)};
  }
  const ByteSpan files = AsBytes(snapshot_.bytes(of_snapshot::kManifestFiles));
  for (std::size_t i = 0; i + kFileEntry <= files.size(); i += kFileEntry) {
    files_[ReadId<ObjectId>(files.subspan(i, ObjectId().size()))] = {
        LoadLittleEndian<std::uint64_t>(files.data() + i + 16), LoadLittleEndian<std::uint32_t>(files.data() + i + 24)};
  }
}

/// Lists the files that the arrays use.
void SnapshotWriter::SaveFiles() {
  std::set<ObjectId> used;
  for (auto& [path, node] : nodes_) {
    if (IsGroup(node)) continue;
    for (const ManifestRef& ref : LoadManifestRefs(&node.table(of_node::kNodeData))) used.insert(ref.id);
  }
  std::string entries;
  snapshot_.Clear(of_snapshot::kManifestFilesV2);
  if (version_ > 1) snapshot_.tables(of_snapshot::kManifestFilesV2);
  for (const ObjectId& id : used) {
    const ManifestFile file = files_[id];
    if (version_ > 1) {
      FlatObject& table = snapshot_.Append(of_snapshot::kManifestFilesV2);
      table.SetBytes(of_manifest_file::kId, ByteSpan(id));
      table.SetNumber(of_manifest_file::kSize, file.size);
      table.SetNumber(of_manifest_file::kRefs, file.refs);
      continue;
    }
    entries += AsText(ByteSpan(id));
    entries.append(4, '\0');  // the alignment of the number that follows
    AppendFlatNumber(file.size, &entries);
    AppendFlatNumber(static_cast<std::uint32_t>(file.refs), &entries);
    entries.append(4, '\0');
  }
  snapshot_.SetBytes(of_snapshot::kManifestFiles, entries);
}

std::string SnapshotWriter::Delete(const std::string& path, const DeletedNode& deleted) {
  const auto node = nodes_.find(MakePath(path));
  if (node == nodes_.end()) return "";
  const auto id = ReadId<NodeId>(AsBytes(node->second.bytes(of_node::kId)));
  if (id != deleted.id) return "it replaced " + QuoteKey(node->first) + ", which is deleted here";
  nodes_.erase(node);
  return "";
}

/// Returns "" if a new node can be at a path, and if an old one is there.
std::string SnapshotWriter::CheckPlace(const std::string& path, const NodeChange& change) const {
  const auto node = nodes_.find(MakePath(path));
  if (!change.is_new) return node == nodes_.end() ? "it moved " + QuoteKey(MakePath(path)) : "";
  if (node != nodes_.end()) return "it made " + QuoteKey(MakePath(path)) + ", as was done here";
  if (path.empty()) return "";
  const std::size_t slash = path.rfind('/');
  const std::string above = MakePath(slash == path.npos ? "" : path.substr(0, slash));
  const auto group = nodes_.find(above);
  const bool is_there = group != nodes_.end();
  if (is_there ? IsGroup(group->second) : !change.in_group) return "";
  return "it removed the group " + QuoteKey(above) + ", in which " + QuoteKey(MakePath(path)) + " was made here";
}

std::string SnapshotWriter::Apply(const ChangeSet& changes, const Manifests& manifests) {
  for (const auto& [path, node] : changes.deleted) {
    if (std::string conflict = Delete(path, node); !conflict.empty()) return conflict;
  }
  for (const auto& [path, change] : changes.nodes) {  // groups before what is in them
    if (std::string conflict = CheckPlace(path, change); !conflict.empty()) return conflict;
    ApplyTo(path, change, manifests);
  }
  for (const auto& [path, node] : changes.deleted) {
    if (std::string conflict = CheckBelow(MakePath(path)); !conflict.empty()) return conflict;
  }
  return "";
}

/// Returns "" unless others have made a node in a group that was deleted.
std::string SnapshotWriter::CheckBelow(const std::string& group) const {
  if (known_.empty() || nodes_.contains(group)) return "";
  const std::string prefix = group + "/";
  for (auto node = nodes_.lower_bound(prefix); node != nodes_.end() && node->first.starts_with(prefix); ++node) {
    const auto id = ReadId<NodeId>(AsBytes(node->second.bytes(of_node::kId)));
    if (!known_.contains(id)) return "it made " + QuoteKey(node->first) + " in a group that is deleted here";
  }
  return "";
}

void SnapshotWriter::ApplyTo(const std::string& path, const NodeChange& change, const Manifests& manifests) {
  const std::string whole = MakePath(path);
  auto node = nodes_.find(whole);
  if (node == nodes_.end()) {
    FlatObject made(snapshot_.schema_of(of_snapshot::kNodes));
    made.SetBytes(of_node::kId, ByteSpan(change.id));
    made.SetBytes(of_node::kPath, whole);
    FlatObject& data = made.MakeUnion(of_node::kNodeData, change.is_array ? of_node::kArray : of_node::kGroup);
    if (change.is_array) data.tables(of_array::kManifests);
    node = nodes_.emplace(whole, std::move(made)).first;
  }
  if (change.document) SetDocument(*change.document, &node->second);
  if (change.HasChunks()) SetManifests(change, manifests, &node->second);
}

void SnapshotWriter::SetDocument(const std::string& document, FlatObject* node) const {
  node->SetBytes(of_node::kUserData, document);
  const NodeDocument parsed = ParseNodeDocument(AsBytes(document));
  if (!parsed.is_array) return;
  FlatObject& array = node->table(of_node::kNodeData);
  std::string shape;
  array.Clear(of_array::kShapeV2);
  array.Clear(of_array::kDimensionNames);
  if (version_ > 1) array.tables(of_array::kShapeV2);
  const auto has_name = [](const NodeDocument::Dimension& dimension) { return dimension.name.has_value(); };
  const bool has_names = std::ranges::any_of(parsed.dimensions, has_name);
  for (const NodeDocument::Dimension& dimension : parsed.dimensions) {
    if (version_ > 1) {
      FlatObject& table = array.Append(of_array::kShapeV2);
      table.SetNumber(of_dimension_shape::kArrayLength, dimension.length);
      table.SetNumber(of_dimension_shape::kChunks, dimension.chunks);
    } else {
      AppendFlatNumber(dimension.length, &shape);
      AppendFlatNumber(dimension.chunk_length, &shape);
    }
    if (!has_names) continue;
    FlatObject& name = array.Append(of_array::kDimensionNames);
    if (dimension.name) name.SetBytes(of_dimension_name::kName, *dimension.name);
  }
  array.SetBytes(of_array::kShape, shape);
}

void SnapshotWriter::SetManifests(const NodeChange& change, const Manifests& manifests, FlatObject* node) {
  FlatObject& array = node->table(of_node::kNodeData);
  const std::vector<ManifestRef> before = LoadManifestRefs(&array);
  ManifestFiles files = files_;
  SaveManifestRefs(WriteManifests(folder_, version_, manifests, before, change, &files), &array);
  for (const auto& [id, file] : files) {
    if (files_.emplace(id, file).second) keys_.push_back("manifests/" + FormatObjectId(id));
  }
}

Bytes SnapshotWriter::Write(const Commit& commit, const std::string& author) {
  snapshot_.SetBytes(of_snapshot::kId, ByteSpan(commit.id));
  snapshot_.SetNumber(of_snapshot::kFlushedAt, commit.time);
  snapshot_.SetBytes(of_snapshot::kMessage, commit.message);
  snapshot_.Clear(of_snapshot::kParentId);
  if (version_ == 1) snapshot_.SetBytes(of_snapshot::kParentId, ByteSpan(commit.parent.value()));
  snapshot_.Clear(of_snapshot::kMetadata);
  snapshot_.tables(of_snapshot::kMetadata);
  if (!author.empty()) {
    FlatObject& item = snapshot_.Append(of_snapshot::kMetadata);
    item.SetBytes(of_item::kName, kAuthorItem);
    item.SetBytes(of_item::kValue, ByteSpan(EncodeMetadataText(author, version_)));
  }
  SaveFiles();
  std::vector<FlatObject>& nodes = snapshot_.tables(of_snapshot::kNodes);
  for (auto& [path, node] : nodes_) nodes.push_back(std::move(node));
  nodes_.clear();
  const std::string key = "snapshots/" + FormatObjectId(commit.id);
  Bytes payload = snapshot_.Save(kFileIdentifier);
  folder_->Set(key, EncodeObject(payload, ObjectType::kSnapshot, version_));
  keys_.push_back(key);
  return payload;
}

}  // namespace zarr
