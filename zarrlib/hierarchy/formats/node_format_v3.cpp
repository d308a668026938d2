// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "zarrlib/hierarchy/formats/node_formats_of_versions.h"
#include "zarrlib/hierarchy/stored_document.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/metadata/v3_draft.h"
#include "zarrlib/store/broken_value.h"

namespace zarr {
namespace {

NodeKind GetKind(const JsonNode& document) {
  return GetNodeTypeV3(document) == "array" ? NodeKind::kArray : NodeKind::kGroup;
}

constexpr std::string_view kV3Names[] = {kV3Document};

/// zarr-python 3 writes null for a group without consolidated metadata.
bool HasConsolidated(const JsonNode& document) {
  const auto consolidated = FindMember(document, kConsolidatedMember);
  return consolidated && !consolidated->IsNull();
}

class FormatOfV3 final : public NodeFormat {
 public:
  FormatOfV3()
      : NodeFormat({.version = ZarrFormat::kV3,
                    .node_documents = kV3Names,
                    .root_document = kV3Document,
                    .consolidated_key = kV3Document}) {}

  std::optional<FoundRoot> FindRoot(const Store& store, const RootSearch& search,
                                    std::vector<std::string>* warnings) const override {
    auto stored = ReadUnbroken(store, kV3Document, [&]() -> std::optional<RootOfV3> {
      Bytes text;
      if (!store.Get(kV3Document, &text, nullptr, GetLimit(Limit::kText))) return std::nullopt;
      return ParseRootOfV3(std::move(text), store.name(), kV3Document);
    });
    if (!stored) return std::nullopt;
    RootOfV3& root = *stored;
    if (IsEntryPointV3Draft(root.document)) {
      CheckEntryPointV3Draft(root.document);
      return FoundRoot{std::nullopt, nullptr, false, &NodeFormatOfV3Draft()};
    }
    FoundRoot found{MetadataDocument{std::string(kV3Document), root.document}, nullptr, root.has_member};
    if (GetKind(root.document) == NodeKind::kArray || !search.use_consolidated) return found;
    ParseGroupV3(root.document);  // throws for an unusable group
    found.consolidated = std::move(root.consolidated);
    for (const std::string& warning :
         found.consolidated ? found.consolidated->warnings() : std::vector<std::string>()) {
      warnings->push_back(store.name() + "/" + std::string(kV3Document) + ": " + warning);
    }
    return found;
  }

  std::optional<NodeKind> FindKind(const NodeDocuments& documents, std::string_view path) const override {
    const auto& consolidated = documents.consolidated();
    const std::string_view type = consolidated ? consolidated->GetNodeType(path) : std::string_view();
    if (!type.empty()) return type == "array" ? NodeKind::kArray : NodeKind::kGroup;
    const auto document = documents.Read(path, kV3Document);
    return document ? std::optional(GetKind(*document)) : std::nullopt;
  }

  std::optional<ArrayMetadata> ReadArray(const NodeDocuments& documents, std::string_view path,
                                         const MetadataOptions&) const override {
    const auto document = documents.Read(path, kV3Document);
    if (!document || GetKind(*document) != NodeKind::kArray) return std::nullopt;
    return ParseArrayV3(*document);
  }

  std::optional<GroupMetadata> ReadGroup(const NodeDocuments& documents, std::string_view path) const override {
    const auto document = documents.Read(path, kV3Document);
    if (!document || GetKind(*document) != NodeKind::kGroup) return std::nullopt;
    return ParseGroupV3(*document);
  }

  std::vector<DocumentChange> ChangeGroupAttributes(const NodeDocuments& documents, std::string_view path,
                                                    const JsonNode& attributes) const override {
    JsonNode content = MakeDocuments(GroupMetadata{version(), attributes, std::nullopt}).front().content;
    // Unknown members stay.
    if (const auto before = documents.Read(path, kV3Document)) {
      content = CopyWithMember(*before, "attributes", content.At("attributes"));
    }
    return {{std::string(kV3Document), content}};
  }

  std::vector<DocumentChange> ChangeArrayAttributes(const ArrayMetadata& metadata) const override {
    return {{std::string(kV3Document), MakeDocuments(metadata).front().content}};
  }

  JsonNode MakeConsolidated(const ConsolidatedMetadata& documents, const JsonNode& root) const override {
    std::vector<std::pair<std::string, JsonNode>> members;
    for (const std::string& key : documents.GetKeys()) {
      const auto [path, name] = SplitKey(key);
      const auto document = name == kV3Document && !path.empty() ? documents.Find(key) : std::nullopt;
      // A group's own consolidated metadata would only repeat this.
      if (document) members.emplace_back(path, WithoutConsolidated(*document));
    }
    // A group precedes the nodes in it: some readers rely on that.
    std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    const JsonNode consolidated = JsonNode::MakeObject({{"kind", JsonNode::MakeString("inline")},
                                                        {"must_understand", JsonNode::MakeBoolean(false)},
                                                        {"metadata", JsonNode::MakeObject(members)}});
    return CopyWithMember(root, kConsolidatedMember, consolidated);
  }

  StoredConsolidated ParseConsolidated(Bytes text, std::string_view store, std::string_view key) const override {
    RootOfV3 parsed = ParseRootOfV3(std::move(text), store, key);
    return {parsed.document, std::move(parsed.consolidated)};
  }

  bool DropConsolidated(Store& store, std::string_view group) const override {
    const std::string key = JoinKey(group, kV3Document);
    auto document = ReadDocument(store, key, GetLimit(Limit::kText));
    if (!document || !HasConsolidated(document->content)) return false;
    document = ReadDocument(store, key, GetLimit(Limit::kText), nullptr, Freshness::kNow);
    if (!document || !HasConsolidated(document->content)) return false;
    store.Set(key, AsBytes(DumpDocument(kV3Document, WithoutConsolidated(document->content))));
    return true;
  }
};

}  // namespace

const NodeFormat& NodeFormatOfV3() {
  static const FormatOfV3 format;
  return format;
}

}  // namespace zarr
