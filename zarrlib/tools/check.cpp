// SPDX-License-Identifier: MIT
#include <optional>
#include <ostream>
#include <string_view>

#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/hierarchy/node_formats.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/tools/checks.h"
#include "zarrlib/tools/consolidated_check.h"
#include "zarrlib/tools/documents.h"
#include "zarrlib/tools/zarrkit.h"

namespace zarr::tools {
namespace {

class Checker {
 public:
  Checker(const Hierarchy& hierarchy, Findings* findings)
      : hierarchy_(hierarchy), store_(*hierarchy.store()), findings_(*findings) {}

  /// Checks consolidated metadata; with the documents that they repeat, if there are any.
  void CheckRoot(bool with_documents) {
    for (const bool v3 : {true, false}) {
      if (!with_documents) break;
      try {
        auto check = ConsolidatedCheck::Make(store_, "", v3);
        if (check) consolidated_.push_back(*std::move(check));
      } catch (const Error& error) {
        findings_.AddError(error);
      }
    }
    for (const ConsolidatedCheck& check : consolidated_) Compare(check);
    CheckNode("", hierarchy_.Probe("").value_or(NodeKind::kGroup), nullptr, false);
  }

  int Finish(std::ostream& out) const {
    out << groups_ << " groups, " << arrays_ << " arrays, " << chunks_ << " chunks, " << findings_.errors()
        << " errors";
    if (findings_.warnings() > 0) out << ", " << findings_.warnings() << " warnings";
    out << "\n";
    return findings_.errors() == 0 ? kSuccess : kFailure;
  }

 private:
  /// Checks a node and those below it. `dimensions` are those of the group that holds the node; `levels` tells whether
  /// the group is a pyramid.
  void CheckNode(const std::string& path, NodeKind kind, DimensionCheck* dimensions, bool levels) {
    kind == NodeKind::kArray ? ++arrays_ : ++groups_;
    try {
      CheckFormats(path, kind);
      CheckListed(path);
      if (kind == NodeKind::kArray) return CheckArray(path, dimensions);
      const JsonNode attributes = hierarchy_.OpenGroup(path).attributes;
      levels = levels || (attributes.IsObject() && (attributes.Has("multiscales") || attributes.Has("ome")));
    } catch (const Error& error) {
      findings_.AddError(error);
    }
    if (kind != NodeKind::kGroup) return;
    CheckChildren(path, dimensions, levels);
    if (!path.empty()) CheckOwnConsolidated(path);
  }

  void CheckChildren(const std::string& path, const DimensionCheck* above, bool levels) {
    DimensionCheck own(above);
    const std::vector<Hierarchy::Child> children = hierarchy_.List(path);
    for (const NodeKind kind :
         {NodeKind::kArray, NodeKind::kGroup}) {  // the coordinates of a group come before the groups in it
      for (const Hierarchy::Child& child : children) {
        if (child.kind == kind) CheckNode(JoinKey(path, child.name), kind, &own, levels);
      }
    }
    own.Finish(levels, &findings_);
  }

  void CheckArray(const std::string& path, DimensionCheck* dimensions) {
    const auto array = hierarchy_.OpenArray(path);
    if (dimensions != nullptr) dimensions->Add(*array);
    if (array->unsupported()) return findings_.AddError(*array->unsupported());
    chunks_ += CheckChunks(*array, &findings_);
  }

  // --- documents that must agree --------------------------------------------------------------------------------

  void Compare(const ConsolidatedCheck& check) {
    for (const auto& difference : check.Compare()) {
      const std::string who = "the consolidated metadata in " + check.key();
      findings_.AddError(difference.key, difference.what.empty()
                                             ? who + " list this document, which is not there"
                                             : who + " differ from this document: " + difference.what);
    }
  }

  /// Checks the consolidated metadata of a group below the root.
  void CheckOwnConsolidated(const std::string& path) {
    for (const bool v3 : {true, false}) {
      try {
        if (const auto check = ConsolidatedCheck::Make(store_, path, v3)) Compare(*check);
      } catch (const Error& error) {
        findings_.AddError(error);
      }
    }
  }

  void CheckListed(const std::string& path) {
    for (const ConsolidatedCheck& check : consolidated_) {
      if (check.Names(path) || !HasDocuments(path, check.key() == kV3Document)) continue;
      findings_.AddWarning(path, "the consolidated metadata in " + check.key() + " do not list this node");
    }
  }

  bool Has(const std::string& path, std::string_view name) const { return store_.Exists(JoinKey(path, name)); }
  bool HasDocuments(const std::string& path, bool v3) const {
    return v3 ? Has(path, kV3Document) : Has(path, kV2Array) || Has(path, kV2Group);
  }

  /// Checks that the documents of a node in several formats agree, also on whether it is an array or a group.
  void CheckFormats(const std::string& path, NodeKind kind) {
    const bool v2_array = Has(path, kV2Array);
    const bool v2_group = Has(path, kV2Group);
    const bool v3 = Has(path, kV3Document);
    const bool array = kind == NodeKind::kArray;
    if (v2_array && (v2_group || (v3 && !array))) {
      findings_.AddError(JoinKey(path, kV2Array), "this document makes the node an array, but " +
                                                      JoinKey(path, v2_group ? kV2Group : kV3Document) +
                                                      " makes it a group");
    } else if (v3 && array && v2_group) {
      findings_.AddError(JoinKey(path, kV2Group),
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
      findings_.AddError(JoinKey(path, name), "this document differs from the array's newer metadata: " + *difference);
    }
  }

  const Hierarchy& hierarchy_;
  const Store& store_;
  Findings& findings_;
  std::vector<ConsolidatedCheck> consolidated_;  // of the root
  std::size_t groups_ = 0;
  std::size_t arrays_ = 0;
  std::size_t chunks_ = 0;
};

}  // namespace

int CheckStore(const std::shared_ptr<Store>& store, const CheckOptions& options, std::ostream& out, std::ostream& err) {
  Findings findings(store->name(), err);
  const auto documents = OpenDocuments(store);
  const auto hierarchy = documents ? documents : Hierarchy::Open(store);
  if (!documents) {
    const bool v3 = hierarchy->format() == ZarrFormat::kV3;
    findings.AddWarning(v3 ? kV3Document : kV2Consolidated,
                        "the consolidated metadata are all that describes the nodes, which have no documents");
  }
  Checker checker(*hierarchy, &findings);
  checker.CheckRoot(documents != nullptr);
  CheckLeftovers(*store, options.remove_temporary, out, &findings);
  return checker.Finish(out);
}

}  // namespace zarr::tools
