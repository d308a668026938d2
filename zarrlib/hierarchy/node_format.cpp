// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/node_format.h"

#include <array>

#include "zarrlib/hierarchy/node_formats_of_versions.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/document_names.h"

namespace zarr {

const NodeFormat& NodeFormat::Get(ZarrFormat version) {
  for (const NodeFormat* format : All()) {
    if (format->version() == version) return *format;
  }
  return NodeFormatOfV3();
}

std::span<const NodeFormat* const> NodeFormat::All() {
  // `meta` of v1 is a common name: it is looked for last.
  static const std::array<const NodeFormat*, 4> formats = {&NodeFormatOfV3(), &NodeFormatOfV2(), &NodeFormatOfV0(),
                                                           &NodeFormatOfV1()};
  return formats;
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
  return CopyWithoutMember(document, kConsolidatedMember);
}

}  // namespace zarr
