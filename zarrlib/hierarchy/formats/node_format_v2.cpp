// SPDX-License-Identifier: MIT
#include <utility>

#include "zarrlib/hierarchy/formats/node_formats_of_versions.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/document_parts.h"
#include "zarrlib/store/broken_value.h"
#include "zarrlib/store/refusals.h"

namespace zarr {
namespace {

/// Returns true if an error of the consolidated metadata comes from the store, and may hide the content of a root
/// without them.
bool IsFailure(const Store& store, const Error& error) {
  const bool may_be_cut = error.kind() == ErrorKind::kCorrupt && store.info().is_on_network();  // by a proxy
  return error.kind() == ErrorKind::kIo || may_be_cut;
}

void NoteWarnings(const Store& store, const ConsolidatedMetadata& consolidated, std::vector<std::string>* warnings) {
  for (const std::string& warning : consolidated.warnings()) {
    warnings->push_back(store.name() + "/" + std::string(kV2Consolidated) + ": " + warning);
  }
}

/// Returns the documents in `.zmetadata`; null if there is none, or, with a warning, if it is broken but the root is
/// usable.
std::shared_ptr<ConsolidatedMetadata> FetchConsolidated(const Store& store, std::vector<std::string>* warnings) {
  bool is_of_references = false;
  try {
    auto consolidated = ReadUnbroken(store, kV2Consolidated, [&]() -> std::shared_ptr<ConsolidatedMetadata> {
      Bytes text;
      if (!store.Get(kV2Consolidated, &text, nullptr, GetLimit(Limit::kText))) return nullptr;
      is_of_references = IsOfParquetReferences(AsText(text));
      if (is_of_references) return nullptr;
      return ConsolidatedMetadata::FromTextOfV2(std::move(text), store.name(), kV2Consolidated);
    });
    if (consolidated) NoteWarnings(store, *consolidated, warnings);
    if (!is_of_references) return consolidated;
  } catch (const Error& error) {
    if (IsFailure(store, error) || (!store.Exists(kV2Group) && !store.Exists(kV2Array))) throw;
    warnings->push_back(std::string(error.what()) + "; the consolidated metadata are not used");
    return nullptr;
  }
  throw Error(ErrorKind::kUnsupported, store.name(), std::string(kV2Consolidated), "/record_size",
              "these are kerchunk references in Parquet, which GDAL's driver reads, and zarrkit as ZARR:\"" +
                  store.name() + "\"");
}

/// Returns the document that makes a node an array or a group. If the store refuses it, the document of the other kind
/// tells that it does not exist.
std::optional<JsonNode> ReadUnlessOther(const NodeDocuments& documents, std::string_view path, std::string_view name,
                                        std::string_view other) {
  Refusals refusals;
  auto document = refusals.Try([&] { return documents.Read(path, name); });
  if (refusals.any() && !refusals.Try([&] { return documents.Has(path, other); })) refusals.Rethrow();
  return document;
}

/// Returns the attributes of a node. A node without them still has its shape and values, so unreadable attributes are
/// omitted, with a warning. Not in a remote store, where the response may be truncated.
std::optional<JsonNode> ReadAttributes(const NodeDocuments& documents, std::string_view path,
                                       std::vector<std::string>* warnings) {
  std::string reason;
  try {
    auto attributes = documents.Read(path, kV2Attributes);
    if (!attributes || attributes->IsNull() || attributes->IsObject()) return attributes;
    reason = attributes->pointer() + ": " + FormatExpectedGot("an object", attributes->GetExcerpt());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kCorrupt || documents.store().info().is_on_network()) throw;
    reason = error.message();
  }
  warnings->push_back(std::string(kV2Attributes) + ": " + reason + "; the attributes are not read");
  return std::nullopt;
}

/// Unreadable attributes are not replaced.
constexpr std::string_view kBrokenAttributes = "the attributes cannot be read, and would be lost";

constexpr std::string_view kNodeNames[] = {kV2Array, kV2Group, kV2Attributes};
constexpr std::string_view kArrayNames[] = {kV2Array, kV2Attributes};
constexpr std::string_view kGroupNames[] = {kV2Group, kV2Attributes};

class FormatOfV2 final : public NodeFormat {
 public:
  FormatOfV2()
      : NodeFormat({.version = ZarrFormat::kV2,
                    .node_documents = kNodeNames,
                    .array_documents = kArrayNames,
                    .group_documents = kGroupNames,
                    .consolidated_key = kV2Consolidated}) {}

  std::optional<FoundRoot> FindRoot(const Store& store, const RootSearch& search,
                                    std::vector<std::string>* warnings) const override {
    FoundRoot found;
    const auto exists = [&](std::string_view key) { return search.refusals->Try([&] { return store.Exists(key); }); };
    if (search.use_consolidated) {
      found.consolidated = search.refusals->Try([&] { return FetchConsolidated(store, warnings); });
    }
    if (found.consolidated) return found;
    if (!search.first_array.empty()) found.has_first_array = exists(JoinKey(search.first_array, kV2Array));
    if (found.has_first_array || exists(kV2Array) || exists(kV2Group)) return found;
    return std::nullopt;
  }

  std::optional<NodeKind> FindKind(const NodeDocuments& documents, std::string_view path) const override {
    Refusals refusals;
    const auto has = [&](std::string_view name) { return refusals.Try([&] { return documents.Has(path, name); }); };
    if (has(kV2Array)) return NodeKind::kArray;
    if (has(kV2Group)) return NodeKind::kGroup;
    refusals.Rethrow();
    return std::nullopt;
  }

  std::optional<ArrayMetadata> ReadArray(const NodeDocuments& documents, std::string_view path,
                                         const MetadataOptions&) const override {
    const auto document = ReadUnlessOther(documents, path, kV2Array, kV2Group);
    if (!document) return std::nullopt;
    std::vector<std::string> warnings;
    const auto attributes = ReadAttributes(documents, path, &warnings);
    ArrayMetadata array = ParseArrayV2(*document, attributes);
    if (!warnings.empty()) array.read_only = kBrokenAttributes;
    array.warnings.insert(array.warnings.end(), warnings.begin(), warnings.end());
    return array;
  }

  std::optional<GroupMetadata> ReadGroup(const NodeDocuments& documents, std::string_view path) const override {
    const auto document = ReadUnlessOther(documents, path, kV2Group, kV2Array);
    if (!document) return std::nullopt;
    std::vector<std::string> warnings;
    const auto attributes = ReadAttributes(documents, path, &warnings);
    GroupMetadata group = ParseGroupV2(*document, attributes);
    group.warnings.insert(group.warnings.end(), warnings.begin(), warnings.end());
    return group;
  }

  std::vector<DocumentChange> ChangeGroupAttributes(const NodeDocuments& documents, std::string_view path,
                                                    const JsonNode& attributes) const override {
    const auto before = documents.Read(path, kV2Attributes);
    if (before && !before->IsNull() && !before->IsObject()) before->FailExpected("an object");
    const auto wanted = MakeDocuments(GroupMetadata{version(), attributes, std::nullopt});
    std::vector<DocumentChange> changes;
    if (!documents.Has(path, kV2Group)) changes.push_back({std::string(kV2Group), wanted[0].content});
    changes.push_back(MakeAttributesChange(wanted));
    return changes;
  }

  std::vector<DocumentChange> ChangeArrayAttributes(const ArrayMetadata& metadata) const override {
    const JsonNode attributes = MakeAttributesV2(metadata);
    return {{std::string(kV2Attributes), attributes.size() > 0 ? std::optional(attributes) : std::nullopt}};
  }

  JsonNode MakeConsolidated(const ConsolidatedMetadata& documents, const JsonNode&) const override {
    std::vector<std::pair<std::string, JsonNode>> members;
    for (const std::string& key : documents.GetKeys()) {
      if (const auto document = documents.Find(key)) members.emplace_back(key, WithQuotedFillValue(*document));
    }
    return JsonNode::MakeObject(
        {{"metadata", JsonNode::MakeObject(members)}, {"zarr_consolidated_format", JsonNode::MakeInteger(1)}});
  }

  StoredConsolidated ParseConsolidated(Bytes text, std::string_view store, std::string_view key) const override {
    return {JsonNode(), ConsolidatedMetadata::FromTextOfV2(std::move(text), store, key)};
  }

  bool DropConsolidated(Store& store, std::string_view group) const override {
    const std::string key = JoinKey(group, kV2Consolidated);
    if (!store.Exists(key)) return false;
    store.Erase(key);
    return true;
  }

 private:
  /// Attributes are the second document of a node; it does not exist without attributes.
  static DocumentChange MakeAttributesChange(const std::vector<MetadataDocument>& documents) {
    DocumentChange change{std::string(kV2Attributes), std::nullopt};
    if (documents.size() > 1) change.content = documents[1].content;
    return change;
  }
};

}  // namespace

const NodeFormat& NodeFormatOfV2() {
  static const FormatOfV2 format;
  return format;
}

}  // namespace zarr
