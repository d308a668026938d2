// SPDX-License-Identifier: MIT
#include "zarrlib/tools/copy/copy_plan.h"

#include <algorithm>

#include "zarrlib/base/crc32.h"
#include "zarrlib/hierarchy/node_formats.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/document_parts.h"
#include "zarrlib/tools/copy/copy_rules.h"
#include "zarrlib/tools/copy/recompress.h"
#include "zarrlib/tools/documents.h"
#include "zarrlib/tools/reshard/new_metadata.h"

namespace zarr::tools {
namespace {

class Planner {
 public:
  Planner(const std::shared_ptr<Store>& source, const CopyOptions& options)
      : store_(*source), options_(options), hierarchy_(OpenDocumentsFirst(source)) {
    const ZarrFormat format = hierarchy_->format();
    if (format != ZarrFormat::kV2 && format != ZarrFormat::kV3) {
      throw Error(ErrorKind::kUnsupported, store_.name(), "", "",
                  "a store of " + GetFormatName(format) + " is not copied; zarrkit migrate takes it to v3");
    }
    plan_.v3 = format == ZarrFormat::kV3;
    has_documents_ = OpenDocuments(source) != nullptr;
  }

  CopyPlan Run() {
    AddNode("", hierarchy_->Probe("").value_or(NodeKind::kGroup));
    for (const CopyRule& rule : options_.rules) CheckIsUsed(rule);
    plan_.has_consolidated = FindConsolidated();
    plan_.state = ComputeCrc32(AsBytes(documents_));
    return std::move(plan_);
  }

 private:
  void AddNode(const std::string& path, NodeKind kind) {
    for (const std::string_view name : kNodeDocuments) {
      const std::string key = JoinKey(path, name);
      const auto text = store_.GetText(key, GetLimit(Limit::kText));
      if (text) documents_ += key + "\n" + *text + "\n";
    }
    if (kind == NodeKind::kArray) return AddArray(path);
    plan_.groups.push_back(path);
    for (const Hierarchy::Child& child : hierarchy_->List(path)) AddNode(JoinKey(path, child.name), child.kind);
  }

  void AddArray(const std::string& path) {
    const auto array = hierarchy_->OpenArray(path);
    const CopyChange change = FindChange(options_, path, array->rank());
    plan_.arrays.push_back({array, MakeChanged(*array, change)});
  }

  /// Returns the new metadata; nothing if the chunks can stay as they are.
  std::optional<ArrayMetadata> MakeChanged(const Array& array, const CopyChange& change) const {
    if (!change.chunks && !change.shards && change.compress.empty()) return std::nullopt;
    const ArrayMetadata& old = array.metadata();
    try {
      ArrayMetadata metadata = old;
      if (change.chunks || change.shards) metadata = MakeReshardedMetadata(old, MakeReshardOptions(array, change));
      if (!change.compress.empty()) ReplaceCompressor(change.compress, &metadata);
      if (MakeText(metadata) == MakeText(old)) return std::nullopt;
      if (array.unsupported()) throw *array.unsupported();
      CheckKeepsValues(old, GetInnerCodecs(old), options_.allow_lossy);
      CheckOneFormat(store_, array.path(), old.zarr_format);
      if (!has_documents_) {
        throw Error(ErrorKind::kUnsupported,
                    "only consolidated metadata describe this array, so that it is copied as it is, or not at all");
      }
      return metadata;
    } catch (const Error& error) {
      throw error.At(store_.name(), array.path());
    }
  }

  ReshardOptions MakeReshardOptions(const Array& array, const CopyChange& change) const {
    ReshardOptions options;
    options.path = array.path();
    options.chunks = change.chunks.value_or(array.smallest_chunk_shape());
    options.shards = change.shards;
    options.allow_lossy = options_.allow_lossy;
    return options;
  }

  static std::string MakeText(const ArrayMetadata& metadata) {
    std::string text;
    for (const MetadataDocument& document : MakeDocuments(metadata)) text += document.content.Dump();
    return text;
  }

  void CheckIsUsed(const CopyRule& rule) const {
    const auto matches = [&](const CopiedArray& array) { return MatchesPattern(array.from->path(), rule.pattern); };
    if (std::ranges::any_of(plan_.arrays, matches)) return;
    throw Error(ErrorKind::kInvalidArgument, store_.name(), "", "", "--array: no array matches " + rule.pattern);
  }

  bool FindConsolidated() const {
    if (!plan_.v3) return store_.Exists(kV2Consolidated);
    const auto text = store_.GetText(kV3Document, GetLimit(Limit::kText));
    return text && JsonNode::Parse(*text, store_.name(), kV3Document).Has(kConsolidatedMember);
  }

  const Store& store_;
  const CopyOptions& options_;
  std::shared_ptr<Hierarchy> hierarchy_;
  CopyPlan plan_;
  bool has_documents_ = false;
  std::string documents_;  // with their keys
};

}  // namespace

bool CopyPlan::changes_any() const {
  return std::ranges::any_of(arrays, [](const CopiedArray& array) { return array.to.has_value(); });
}

CopyPlan PlanCopy(const std::shared_ptr<Store>& source, const CopyOptions& options) {
  return Planner(source, options).Run();
}

}  // namespace zarr::tools
