// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/formats/node_format.h"

#include <utility>

#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/document_names.h"

namespace zarr {

std::optional<std::vector<std::string>> NodeFormat::ListNames(const Store& store, std::string_view path) const {
  auto listing = store.List(path.empty() ? "" : std::string(path) + "/");
  return listing ? std::optional(std::move(listing->prefixes)) : std::nullopt;
}

std::optional<GroupMetadata> NodeFormat::ReadGroup(const NodeDocuments&, std::string_view) const {
  return std::nullopt;
}

std::vector<DocumentChange> NodeFormat::ChangeGroupAttributes(const NodeDocuments&, std::string_view,
                                                              const JsonNode&) const {
  return {};
}

std::vector<DocumentChange> NodeFormat::ChangeArrayAttributes(const ArrayMetadata&) const {
  return {};
}

JsonNode NodeFormat::MakeConsolidated(const ConsolidatedMetadata&, const JsonNode&) const {
  return {};
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): overrides move the text
StoredConsolidated NodeFormat::ParseConsolidated(Bytes, std::string_view, std::string_view) const {
  return {};
}

bool NodeFormat::DropConsolidated(Store&, std::string_view) const {
  return false;
}

std::vector<DocumentChange> NodeFormat::ChangeArray(const NodeDocuments& documents, std::string_view path,
                                                    const ArrayMetadata& metadata) const {
  std::vector<DocumentChange> changes;
  for (const MetadataDocument& document : MakeDocuments(metadata)) {
    if (documents.Read(path, document.name) != document.content) changes.push_back({document.name, document.content});
  }
  for (DocumentChange& change : ChangeArrayAttributes(metadata)) {
    if (!change.content) changes.push_back(std::move(change));
  }
  return changes;
}

std::string DumpDocument(std::string_view name, const JsonNode& content) {
  return content.Dump(name == kV3Document ? JsonNode::Style::kV3 : JsonNode::Style::kV2);
}

JsonNode WithoutConsolidated(const JsonNode& document) {
  return document.IsObject() ? CopyWithoutMember(document, kConsolidatedMember) : document;
}

}  // namespace zarr
