// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include "zarrlib/hierarchy/formats/node_formats_of_versions.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/metadata/v3_draft.h"

namespace zarr {
namespace {

/// Returns the prefix of the keys of the documents below a group.
std::string GetPrefixBelow(std::string_view path) {
  return JoinKey(kV3DraftMetadataRoot, path.empty() ? "" : std::string(path) + "/");
}

/// Returns the node's name from the name of its document, such as "a" from "a.array.json"; nullopt for another key.
std::optional<std::string> FindNodeName(std::string_view key) {
  for (const std::string_view ending : {kV3DraftArray, kV3DraftGroup}) {
    if (!key.ends_with(ending)) continue;
    key.remove_suffix(ending.size());
    return IsKey(key) ? std::optional(std::string(key)) : std::nullopt;
  }
  return std::nullopt;
}

/// Returns true if there is a node under a prefix, at any depth.
bool HasNodesBelow(const NodeDocuments& documents, const std::string& prefix) {
  const auto listing = documents.store().List(prefix);
  if (!listing) return false;
  const auto is_document = [](const std::string& key) { return FindNodeName(key).has_value(); };
  return std::any_of(listing->keys.begin(), listing->keys.end(), is_document) ||
         std::any_of(listing->prefixes.begin(), listing->prefixes.end(),
                     [&](const std::string& name) { return HasNodesBelow(documents, prefix + name + "/"); });
}

constexpr std::string_view kV3DraftNames[] = {kV3DraftArray, kV3DraftGroup};

/// The draft of v3 from 2020 to 2022: documents are under `meta/root`, chunks under `data/root`, and a group does not
/// need a document if there are nodes in it. Its `zarr.json` is the entry point of the store, not a node's document.
class FormatOfV3Draft final : public NodeFormat {
 public:
  FormatOfV3Draft()
      : NodeFormat({.version = ZarrFormat::kV3Draft,
                    .node_documents = kV3DraftNames,
                    .mixes = false,
                    .read_only = kV3DraftIsReadOnly}) {}

  /// The entry point has the same name as v3's document, so v3 has already read it.
  std::optional<FoundRoot> FindRoot(const Store&, const RootSearch&, std::vector<std::string>*) const override {
    return std::nullopt;
  }

  std::optional<std::vector<std::string>> ListNames(const Store& store, std::string_view path) const override {
    const auto listing = store.List(GetPrefixBelow(path));
    if (!listing) return std::nullopt;
    std::set<std::string> names(listing->prefixes.begin(), listing->prefixes.end());
    for (const std::string& key : listing->keys) {
      if (auto name = FindNodeName(key)) names.insert(*std::move(name));
    }
    return std::vector<std::string>(names.begin(), names.end());
  }

  std::optional<NodeKind> FindKind(const NodeDocuments& documents, std::string_view path) const override {
    if (documents.Has(path, kV3DraftArray)) return NodeKind::kArray;
    const bool is_group =
        path.empty() || documents.Has(path, kV3DraftGroup) || HasNodesBelow(documents, GetPrefixBelow(path));
    return is_group ? std::optional(NodeKind::kGroup) : std::nullopt;
  }

  std::optional<ArrayMetadata> ReadArray(const NodeDocuments& documents, std::string_view path,
                                         const MetadataOptions&) const override {
    const auto document = documents.Read(path, kV3DraftArray);
    return document ? std::optional(ParseArrayV3Draft(*document)) : std::nullopt;
  }

  std::optional<GroupMetadata> ReadGroup(const NodeDocuments& documents, std::string_view path) const override {
    const auto document = documents.Read(path, kV3DraftGroup);
    return document ? std::optional(ParseGroupV3Draft(*document)) : std::nullopt;
  }
};

}  // namespace

const NodeFormat& NodeFormatOfV3Draft() {
  static const FormatOfV3Draft format;
  return format;
}

}  // namespace zarr
