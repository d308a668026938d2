// SPDX-License-Identifier: MIT
#include <optional>
#include <string_view>

#include "zarrlib/array/other_chunk_keys.h"
#include "zarrlib/hierarchy/formats/node_formats.h"
#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/tools/check/checks.h"
#include "zarrlib/tools/check/consolidated_check.h"
#include "zarrlib/tools/check/conventions/conventions.h"
#include "zarrlib/tools/check/repair.h"
#include "zarrlib/tools/commands.h"
#include "zarrlib/tools/documents.h"
#include "zarrlib/tools/stored_count.h"
#include "zarrlib/tools/v1_arrays.h"

namespace zarr::tools {
namespace {

class Checker {
 public:
  Checker(const Hierarchy& hierarchy, const CheckOptions& options, Findings* findings, Progress* progress)
      : hierarchy_(hierarchy),
        options_(options),
        store_(*hierarchy.store()),
        findings_(*findings),
        progress_(*progress) {}

  /// Checks consolidated metadata, and, if there are any, the documents that they repeat.
  void CheckRoot(bool with_documents) {
    for (const bool v3 : {true, false}) {
      if (!with_documents) break;
      try {
        auto check = ConsolidatedCheck::Make(store_, "", v3);
        if (check) consolidated_.push_back(*std::move(check));
      } catch (const Error& error) {
        findings_.Add(StoreRule("consolidated-unreadable"), error);
      }
    }
    for (const ConsolidatedCheck& check : consolidated_) Compare(check);
    CheckNode(options_.path, FindKind(), nullptr, false);
  }

  void NameLeftOut() {
    for (const std::string& path : FindV1ArraysBelow(hierarchy_)) {
      if (!IsChosen(path)) continue;
      findings_.Add(StoreRule("v1-array-left-out"), path, DescribeV1Array(store_, path) + "; it was not checked");
    }
  }

  int Finish() {
    findings_.Finish(groups_, arrays_, chunks_);
    return findings_.errors() == 0 ? kSuccess : kFailure;
  }

 private:
  /// Returns true if a node, or a document of a node, is at or below the checked path.
  bool IsChosen(std::string_view key) const {
    const std::string& path = options_.path;
    return path.empty() || (key.starts_with(path) && (key.size() == path.size() || key[path.size()] == '/'));
  }

  /// Returns the kind of the checked node. Throws Error(not_found) if it is not a node.
  NodeKind FindKind() const {
    if (const auto kind = hierarchy_.Probe(options_.path)) return *kind;
    if (!options_.path.empty()) OpenNamedArray(hierarchy_, options_.path);  // throws, with suggestions
    return NodeKind::kGroup;
  }

  /// Checks a node and its descendants. `dimensions` are those of the parent group; `levels` is true if the group is a
  /// pyramid.
  void CheckNode(const std::string& path, NodeKind kind, DimensionCheck* dimensions, bool levels) {
    kind == NodeKind::kArray ? ++arrays_ : ++groups_;
    try {
      CheckFormats(path, kind);
      CheckListed(path);
      if (kind == NodeKind::kArray) return CheckArray(path, dimensions);
      const JsonNode attributes = hierarchy_.OpenGroup(path).attributes;
      if (options_.conventions) CheckConventions({hierarchy_, path, attributes, nullptr, findings_});
      CheckOverviews(hierarchy_, path, attributes, &findings_);
      levels = levels || (attributes.IsObject() && (attributes.Has("multiscales") || attributes.Has("ome")));
    } catch (const Error& error) {
      findings_.Add(StoreRule("metadata-unreadable"), error);
    }
    if (kind != NodeKind::kGroup) return;
    CheckChildren(path, dimensions, levels);
    if (!path.empty()) CheckOwnConsolidated(path);
  }

  void CheckChildren(const std::string& path, const DimensionCheck* above, bool levels) {
    DimensionCheck own(above);
    const std::vector<Hierarchy::Child> children = hierarchy_.List(path);
    for (const NodeKind kind :
         {NodeKind::kArray, NodeKind::kGroup}) {  // a group's coordinates come before its subgroups
      for (const Hierarchy::Child& child : children) {
        if (child.kind == kind) CheckNode(JoinKey(path, child.name), kind, &own, levels);
      }
    }
    own.Finish(levels, &findings_);
  }

  void CheckArray(const std::string& path, DimensionCheck* dimensions) {
    const auto array = hierarchy_.OpenArray(path);
    if (dimensions != nullptr) dimensions->Add(*array);
    if (options_.conventions)
      CheckConventions({hierarchy_, path, array->metadata().attributes, array.get(), findings_});
    for (const std::string& warning : array->metadata().warnings) {
      findings_.Add(StoreRule("metadata-tolerated"), array->metadata().document.key(), warning);
    }
    if (const auto keys = FindOtherChunkKeys(*array)) {
      findings_.Add(StoreRule("chunk-keys-differ"), path, Describe(*keys));
    }
    if (array->unsupported()) return findings_.Add(StoreRule("array-unsupported"), *array->unsupported());
    chunks_ += CheckChunks(*array, &findings_, &progress_);
    CheckCoordinate(*array, &findings_);
    CheckStaleNote(*array, &findings_);
  }

  // --- documents that must agree --------------------------------------------------------------------------------

  void Compare(const ConsolidatedCheck& check) {
    for (const auto& difference : check.Compare()) {
      if (!IsChosen(difference.key)) continue;
      const std::string who = "the consolidated metadata in " + check.key();
      if (difference.what.empty()) {
        findings_.Add(StoreRule("consolidated-absent"), difference.key,
                      who + " list this document, which is not there");
      } else {
        findings_.Add(StoreRule("consolidated-differ"), difference.key,
                      who + " differ from this document: " + difference.what);
      }
    }
  }

  /// Checks the consolidated metadata of a group below the root.
  void CheckOwnConsolidated(const std::string& path) {
    for (const bool v3 : {true, false}) {
      try {
        if (const auto check = ConsolidatedCheck::Make(store_, path, v3)) Compare(*check);
      } catch (const Error& error) {
        findings_.Add(StoreRule("consolidated-unreadable"), error);
      }
    }
  }

  void CheckListed(const std::string& path) {
    for (const ConsolidatedCheck& check : consolidated_) {
      if (check.Names(path) || !HasDocuments(path, check.key() == kV3Document)) continue;
      findings_.Add(StoreRule("consolidated-unlisted"), path,
                    "the consolidated metadata in " + check.key() + " do not list this node");
    }
  }

  bool Has(const std::string& path, std::string_view name) const { return store_.Exists(JoinKey(path, name)); }
  bool HasDocuments(const std::string& path, bool v3) const {
    return v3 ? Has(path, kV3Document) : Has(path, kV2Array) || Has(path, kV2Group);
  }

  /// Checks that the documents of a node in several formats agree, including on whether it is an array or a group.
  void CheckFormats(const std::string& path, NodeKind kind) {
    const bool v2_array = Has(path, kV2Array);
    const bool v2_group = Has(path, kV2Group);
    const bool v3 = Has(path, kV3Document);
    const bool array = kind == NodeKind::kArray;
    if (v2_array && (v2_group || (v3 && !array))) {
      findings_.Add(StoreRule("node-kinds-differ"), JoinKey(path, kV2Array),
                    "this document makes the node an array, but " + JoinKey(path, v2_group ? kV2Group : kV3Document) +
                        " makes it a group");
    } else if (v3 && array && v2_group) {
      findings_.Add(StoreRule("node-kinds-differ"), JoinKey(path, kV2Group),
                    "this document makes the node a group, but zarr.json makes it an array");
    } else if (v3 && array && v2_array) {
      CompareFormats(path, ParseArrayV2(Parse(path, kV2Array), std::nullopt), kV2Array);
    }
    const auto meta = (v3 || v2_array) && array ? FetchV1(store_, path) : std::nullopt;
    if (meta) CompareFormats(path, ParseArrayV1(*meta, std::nullopt, ZarrFormat::kV1), kV1Array);
  }

  JsonNode Parse(const std::string& path, std::string_view name) const {
    const std::string key = JoinKey(path, name);
    return JsonNode::Parse(store_.GetText(key).value_or(""), store_.name(), key);
  }

  void CompareFormats(const std::string& path, const ArrayMetadata& older, std::string_view name) {
    const auto difference = FindDifference(older, hierarchy_.OpenArray(path)->metadata());
    if (difference) {
      findings_.Add(StoreRule("formats-differ"), JoinKey(path, name),
                    "this document differs from the array's newer metadata: " + *difference);
    }
  }

  const Hierarchy& hierarchy_;
  const CheckOptions& options_;
  const Store& store_;
  Findings& findings_;
  Progress& progress_;
  std::vector<ConsolidatedCheck> consolidated_;  // of the root
  std::size_t groups_ = 0;
  std::size_t arrays_ = 0;
  std::size_t chunks_ = 0;
};

int Check(const std::shared_ptr<Store>& store, const CheckOptions& options, Findings* findings, Progress* progress) {
  if (options.repair) RepairStore(store, findings);
  const bool is_listed = store->List("").has_value();
  const auto documents = is_listed ? OpenDocuments(store) : nullptr;
  const auto hierarchy = documents ? documents : Hierarchy::Open(store);
  if (!is_listed) {
    findings->Add(
        StoreRule("store-unlisted"), "",
        "the store cannot be listed: only nodes that consolidated metadata name, and chunks of their grids, are "
        "looked for");
  } else if (!documents) {
    const bool v3 = hierarchy->format() == ZarrFormat::kV3;
    findings->Add(StoreRule("consolidated-only"), v3 ? kV3Document : kV2Consolidated,
                  "the consolidated metadata are all that describes the nodes, which have no documents");
  }
  if (progress->visible()) progress->Begin("check", static_cast<double>(CountStoredChunks(*hierarchy, options.path)));
  Checker checker(*hierarchy, options, findings, progress);
  checker.CheckRoot(documents || !is_listed);
  checker.NameLeftOut();
  CheckLeftovers(*store, options.path, options.remove_temporary, findings);
  return checker.Finish();
}

}  // namespace

int CheckStore(const std::shared_ptr<Store>& store, const CheckOptions& options, std::ostream& out,
               Progress* progress) {
  Findings findings(store->name(), options.json, out, progress);
  try {
    return Check(store, options, &findings, progress);
  } catch (const Error& error) {
    const bool is_cut = options.json && (findings.has_begun() || error.kind() != ErrorKind::kNotFound);
    if (!is_cut) throw;
    findings.Add(StoreRule("metadata-unreadable"), error);
    findings.Finish(0, 0, 0);
    return kFailure;
  }
}

}  // namespace zarr::tools
