// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/migration/draft_migration.h"

#include "zarrlib/array/read/stored_chunks.h"
#include "zarrlib/hierarchy/formats/node_format.h"
#include "zarrlib/hierarchy/removal/node_removal.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"

namespace zarr {
namespace {

class DraftPlanner {
 public:
  explicit DraftPlanner(const Hierarchy& draft) : draft_(draft) {}

  /// Adds a node after its descendants.
  void AddNode(const std::string& path, NodeKind kind) {
    if (kind == NodeKind::kGroup) {
      for (const Hierarchy::Child& child : draft_.List(path)) AddNode(JoinKey(path, child.name), child.kind);
    }
    try {
      CheckName(path);
      kind == NodeKind::kArray ? AddArray(path) : AddGroup(path);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kUnsupported) throw;
      plan_.refused.push_back(error.At(draft_.store()->name(), path));
    }
  }

  DraftMigrationPlan Finish() { return std::move(plan_); }

 private:
  /// Checks the name against Zarr v3 core, "Node names".
  void CheckName(const std::string& path) const {
    if (path.empty() || IsNewNodeName(NodeName(path))) return;
    throw Error(ErrorKind::kUnsupported, draft_.store()->name(), path, "", "v3 has no nodes of that name");
  }

  void AddArray(const std::string& path) {
    const auto array = draft_.OpenArray(path);
    ArrayMetadata converted = ConvertTo(ZarrFormat::kV3, array->metadata());
    AddDocuments(path, MakeDocuments(converted));
    plan_.arrays.push_back({array, std::move(converted)});
  }

  void AddGroup(const std::string& path) {
    ++plan_.group_count;
    AddDocuments(path, MakeDocuments(GroupMetadata{ZarrFormat::kV3, draft_.OpenGroup(path).attributes, std::nullopt}));
  }

  void AddDocuments(const std::string& path, const std::vector<MetadataDocument>& documents) {
    for (const auto& [name, content] : documents) {
      plan_.documents.push_back({JoinKey(path, name), DumpDocument(name, content)});
    }
  }

  const Hierarchy& draft_;
  DraftMigrationPlan plan_;
};

std::size_t CopyChunks(const DraftMigrationPlan::CopiedArray& array, Store* to, const std::function<void()>& on_chunk) {
  const Shape grid = array.to.chunk_grid.grid_shape();
  std::size_t count = 0;
  Bytes value;
  ForEachExistingChunk(*array.from, {Shape(grid.size(), 0), grid}, [&](const Shape& index) {
    if (!array.from->store().Get(array.from->MakeChunkKey(index), &value)) return;  // removed in the meantime
    to->Set(JoinKey(array.from->path(), array.to.chunk_key_encoding.Format(index)), value);
    ++count;
    if (on_chunk) on_chunk();
  });
  return count;
}

}  // namespace

DraftMigrationPlan PlanDraftMigration(const Hierarchy& draft) {
  if (draft.format() != ZarrFormat::kV3Draft) {
    throw Error(ErrorKind::kInvalidArgument, draft.store()->name(), "", "",
                FormatExpectedGot("a store of the draft of v3", "one of " + GetFormatName(draft.format())));
  }
  DraftPlanner planner(draft);
  planner.AddNode("", draft.Probe("").value_or(NodeKind::kGroup));
  return planner.Finish();
}

std::size_t MigrateDraft(const DraftMigrationPlan& plan, Store* to, const std::function<void()>& on_chunk) {
  if (!plan.refused.empty()) throw plan.refused.front();
  CheckNothingAt(*to, "");
  std::size_t count = 0;
  for (const auto& array : plan.arrays) count += CopyChunks(array, to, on_chunk);
  for (const auto& [key, text] : plan.documents) to->Set(key, AsBytes(text));
  return count;
}

}  // namespace zarr
