// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/snapshot.h"

#include <string>
#include <utility>

#include "zarrlib/base/error.h"
#include "zarrlib/store/icechunk/flat/flat_buffer.h"
#include "zarrlib/store/icechunk/flat/flat_schemas.h"
#include "zarrlib/store/store.h"

namespace zarr {
namespace {

constexpr std::size_t kShapeSize = 16;  // bytes of a dimension's shape in format 1
constexpr std::size_t kExtentSize = 8;

[[noreturn]] void FailInSnapshot(const std::string& message) {
  throw Error(ErrorKind::kCorrupt, message);
}

/// Reads the nodes of a snapshot. Nodes of a real snapshot share nothing large; what they share in another one must not
/// multiply the memory, so that all extents together are bounded by the size of the snapshot.
class NodeReader {
 public:
  explicit NodeReader(std::uint64_t size) : extents_left_(size) {}

  SnapshotNode Read(const FlatTable& table) {
    SnapshotNode node;
    node.id = ReadId<NodeId>(table.GetStruct(of_node::kId, node.id.size(), "id"));
    node.metadata = table.GetVector(of_node::kUserData, 1, "user_data").bytes();
    const auto type = table.GetNumber<std::uint8_t>(of_node::kNodeDataType);
    if (type != of_node::kArray && type != of_node::kGroup) {
      FailInSnapshot(FormatExpectedGot("node data of type 1 (array) or 2 (group)", std::to_string(type)));
    }
    node.is_array = type == of_node::kArray;
    if (!node.is_array) return node;
    const auto data = table.FindTable(of_node::kNodeData);
    if (!data) FailInSnapshot("an array of the snapshot lacks its node data");
    ReadArray(*data, &node);
    return node;
  }

 private:
  void ReadArray(const FlatTable& data, SnapshotNode* node) {
    const auto shape = data.FindVector(of_array::kShapeV2, 4);
    node->rank = shape ? shape->size : data.GetVector(of_array::kShape, kShapeSize, "shape").size;
    const FlatVector manifests = data.GetTables(of_array::kManifests, "manifests");
    auto refs = std::make_shared<std::vector<ManifestRef>>();
    for (std::size_t i = 0; i < manifests.size; ++i) {
      const FlatTable ref = FlatTable::OpenItem(manifests, i);
      ManifestRef& manifest = refs->emplace_back();
      manifest.id = ReadId<ObjectId>(ref.GetStruct(of_manifest_ref::kObjectId, manifest.id.size(), "object_id"));
      const FlatVector extents = ref.GetVector(of_manifest_ref::kExtents, kExtentSize, "extents");
      if (extents.size != node->rank) {
        FailInSnapshot(FormatExpectedGot("extents of a manifest in " + std::to_string(node->rank) + " dimensions",
                                         std::to_string(extents.size)));
      }
      if (extents.size >= extents_left_) FailInSnapshot("nodes of the snapshot share their manifests");
      extents_left_ -= extents.size + 1;
      for (std::size_t j = 0; j < extents.size; ++j) {
        const ByteSpan range = extents.item(j);
        manifest.extents.push_back(
            {LoadLittleEndian<std::uint32_t>(range.data()), LoadLittleEndian<std::uint32_t>(range.data() + 4)});
      }
    }
    node->manifests = std::move(refs);
  }

  std::uint64_t extents_left_;
};

/// Returns a path as the store's keys have it.
std::string_view ReadPath(const FlatTable& node) {
  const std::string_view text = node.GetText(of_node::kPath, "path");
  const std::string_view path = text.substr(text.starts_with('/') ? 1 : 0);
  if (path.empty() || IsKey(path)) return path;
  FailInSnapshot(FormatExpectedGot("the path of a node", QuoteKey(text)));
}

}  // namespace

Snapshot::Snapshot(Bytes payload) : payload_(std::move(payload)) {
  const FlatTable snapshot = FlatTable::OpenRoot(payload_);
  if (const auto id = snapshot.FindStruct(of_snapshot::kParentId, ObjectId().size())) parent_ = ReadId<ObjectId>(*id);
  time_ = snapshot.GetNumber<std::uint64_t>(of_snapshot::kFlushedAt);
  message_ = snapshot.FindText(of_snapshot::kMessage).value_or("");
  const FlatVector nodes = snapshot.GetTables(of_snapshot::kNodes, "nodes");
  NodeReader reader(payload_.size());
  for (std::size_t i = 0; i < nodes.size; ++i) {
    const FlatTable table = FlatTable::OpenItem(nodes, i);
    const std::string_view path = ReadPath(table);
    if (!nodes_.try_emplace(path).second) FailInSnapshot("the snapshot has the node " + QuoteKey(path) + " twice");
    nodes_.find(path)->second = reader.Read(table);
  }
}

}  // namespace zarr
