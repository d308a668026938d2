// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/editing/collect_documents.h"

#include <span>

#include "zarrlib/hierarchy/formats/node_format.h"
#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/hierarchy/node_documents.h"
#include "zarrlib/metadata/consolidated.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"

namespace zarr {
namespace {

/// Adds the documents of a node that have these names. Returns true if the node is an array.
bool AddDocuments(const NodeDocuments& documents, std::string_view path, std::span<const std::string_view> names,
                  ConsolidatedMetadata* found) {
  bool is_array = false;
  for (const std::string_view name : names) {
    const auto document = documents.Read(path, name);
    if (!document) continue;
    is_array |= name == kV3Document ? GetNodeTypeV3(*document) == "array" : name == kV2Array;
    found->Set(JoinKey(path, name), WithQuotedFillValue(*document));
  }
  return is_array;
}

}  // namespace

void CollectDocuments(const Hierarchy& nodes, const NodeDocuments& documents, const NodeFormat& format,
                      std::string_view path, ConsolidatedMetadata* found) {
  const std::span<const std::string_view> lists[] = {format.array_documents(), format.group_documents(),
                                                     kNodeDocuments};
  for (const auto& names : lists) {
    if (found->HasNode(path)) break;
    if (AddDocuments(documents, path, names, found)) return;
  }
  if (nodes.Probe(path) != NodeKind::kGroup) return;
  for (const Hierarchy::Child& child : nodes.List(path))
    CollectDocuments(nodes, documents, format, JoinKey(path, child.name), found);
}

}  // namespace zarr
