// SPDX-License-Identifier: MIT
#include "zarrlib/tools/copy/copy_plan.h"

#include <algorithm>
#include <iterator>

#include "zarrlib/base/crc32.h"
#include "zarrlib/hierarchy/formats/node_formats.h"
#include "zarrlib/hierarchy/refused_absence.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/document_parts.h"
#include "zarrlib/tools/arguments.h"
#include "zarrlib/tools/copy/copy_rules.h"
#include "zarrlib/tools/copy/recompress.h"
#include "zarrlib/tools/documents.h"
#include "zarrlib/tools/help/help.h"
#include "zarrlib/tools/reshard/new_metadata.h"

namespace zarr::tools {
namespace {

[[noreturn]] void FailUnmatched(const std::string& pattern, const std::vector<CopiedArray>& arrays) {
  std::vector<std::string> paths;
  for (const CopiedArray& array : arrays) paths.push_back(array.from->path());
  throw UsageError{"--array: no array matches " + pattern + SuggestName(paths, pattern)};
}

/// Throws UsageError for a rule that does not match any array, or only arrays to which earlier rules apply.
void CheckRulesAreUsed(const CopyOptions& options, const std::vector<CopiedArray>& arrays) {
  for (auto rule = options.rules.begin(); rule != options.rules.end(); ++rule) {
    std::string hidden_by;
    bool is_used = false;
    for (const CopiedArray& array : arrays) {
      if (!MatchesPattern(array.from->path(), rule->pattern)) continue;
      const auto first = std::find_if(options.rules.begin(), rule, [&](const CopyRule& earlier) {
        return MatchesPattern(array.from->path(), earlier.pattern);
      });
      is_used = is_used || first == rule;
      if (first != rule) hidden_by = first->pattern;
    }
    if (is_used) continue;
    if (hidden_by.empty()) FailUnmatched(rule->pattern, arrays);
    throw UsageError{"--array \"" + rule->pattern + "\": the rule for \"" + hidden_by +
                     "\", which stands before this one, counts for all arrays that this one matches"};
  }
}

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
    CheckNodesAreKnown(store_, *hierarchy_);
  }

  CopyPlan Run() {
    AddNode("", hierarchy_->Probe("").value_or(NodeKind::kGroup));
    CheckRulesAreUsed(options_, plan_.arrays);
    std::ranges::copy_if(plan_.groups, std::back_inserter(plan_.consolidated),
                         [this](const std::string& group) { return HasConsolidated(group); });
    if (HasConsolidated("") && plan_.changes_any()) CheckConsolidatedHaveDocuments(store_, plan_.v3);
    return std::move(plan_);
  }

 private:
  void AddNode(const std::string& path, NodeKind kind) {
    plan_.nodes.insert(path);
    for (const std::string_view name : kNodeDocuments) ReadDocument(JoinKey(path, name));
    if (kind == NodeKind::kArray) return AddArray(path);
    ReadDocument(JoinKey(path, kV2Consolidated));
    plan_.groups.push_back(path);
    for (const Hierarchy::Child& child : hierarchy_->List(path)) AddNode(JoinKey(path, child.name), child.kind);
  }

  void ReadDocument(const std::string& key) {
    try {
      if (auto text = store_.GetText(key, GetLimit(Limit::kText))) plan_.documents.emplace(key, *std::move(text));
    } catch (const Error& error) {
      if (!refused_absence_.Explains(error)) throw;
    }
  }

  void AddArray(const std::string& path) {
    const auto array = hierarchy_->OpenArray(path);
    const CopyChange change = FindChange(options_, path, array->rank());
    plan_.arrays.push_back({array, CheckArguments([&] { return MakeChanged(*array, change); })});
  }

  /// Returns the new metadata; nullopt if the chunks can be copied as stored.
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
      return metadata;
    } catch (const Error& error) {
      throw error.At(store_.name(), array.path());
    }
  }

  ReshardOptions MakeReshardOptions(const Array& array, const CopyChange& change) const {
    ReshardOptions options;
    options.path = array.path();
    options.chunks = change.chunks.value_or(GetSmallestChunkShape(array));
    options.shards = change.shards;
    options.allow_lossy = options_.allow_lossy;
    return options;
  }

  static std::string MakeText(const ArrayMetadata& metadata) {
    std::string text;
    for (const MetadataDocument& document : MakeDocuments(metadata)) text += document.content.Dump();
    return text;
  }

  bool HasConsolidated(const std::string& group) const {
    if (!plan_.v3) return plan_.documents.contains(JoinKey(group, kV2Consolidated));
    const std::string key = JoinKey(group, kV3Document);
    const auto document = plan_.documents.find(key);
    return document != plan_.documents.end() &&
           JsonNode::Parse(document->second, store_.name(), key).Has(kConsolidatedMember);
  }

  const Store& store_;
  const CopyOptions& options_;
  std::shared_ptr<Hierarchy> hierarchy_;
  RefusedAbsence refused_absence_{store_, {std::begin(kOwnRootDocuments), std::end(kOwnRootDocuments)}, {}};
  CopyPlan plan_;
};

}  // namespace

std::uint32_t CopyPlan::state() const {
  std::string all;
  for (const auto& [key, text] : documents) all.append(key).append("\n").append(text).append("\n");
  return ComputeCrc32(AsBytes(all));
}

bool CopyPlan::changes_any() const {
  return std::ranges::any_of(arrays, [](const CopiedArray& array) { return array.to.has_value(); });
}

CopyPlan PlanCopy(const std::shared_ptr<Store>& source, const CopyOptions& options) {
  return Planner(source, options).Run();
}

void CheckUnchanged(const Store& source, const CopyPlan& plan) {
  const auto check = [&](const std::string& key) {
    const auto before = plan.documents.find(key);
    const auto now = source.GetText(key, GetLimit(Limit::kText));
    if (before == plan.documents.end() ? !now : now == before->second) return;
    throw Error(ErrorKind::kIo, source.name(), key, "", "this document has changed while the store was copied");
  };
  for (const std::string& path : plan.nodes) {
    for (const std::string_view name : kNodeDocuments) check(JoinKey(path, name));
  }
}

}  // namespace zarr::tools
