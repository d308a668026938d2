// SPDX-License-Identifier: MIT
#include <span>

#include "zarrlib/hierarchy/formats/node_formats_of_versions.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/store/broken_value.h"

namespace zarr {
namespace {

/// `__zmeta__` of 0.4.0 is JSON; `__zmeta__` of 0.3.0 is a pickle.
std::optional<JsonNode> FetchV0(const Store& store) {
  return ReadUnbroken(store, kV0Array, [&]() -> std::optional<JsonNode> {
    const auto text = store.GetText(kV0Array);
    if (!text) return std::nullopt;
    if (text->starts_with('(') || text->starts_with('\x80')) {
      throw Error(ErrorKind::kUnsupported, store.name(), std::string(kV0Array), "",
                  "a Python pickle, as zarr 0.3 wrote it; pickles are not read, since they can run any program");
    }
    return JsonNode::Parse(*text, store.name(), kV0Array);
  });
}

/// `meta` is a common name: a file that does not look like v1 is ignored.
std::optional<JsonNode> FetchV1Root(const Store& store) {
  return ReadUnbroken(store, kV1Array, [&]() -> std::optional<JsonNode> {
    const auto text = store.GetText(kV1Array);
    if (!text || text->find("\"chunks\"") == std::string::npos) return std::nullopt;
    JsonNode meta = JsonNode::Parse(*text, store.name(), kV1Array);
    if (!LooksLikeV1(meta)) return std::nullopt;
    return meta;
  });
}

/// The version without groups: a store is one array. Releases before v1 used other names for the documents.
class FormatOfV1 final : public NodeFormat {
 public:
  /// `names` are the names of an array's metadata document and attributes document.
  FormatOfV1(ZarrFormat version, std::span<const std::string_view, 2> names)
      : NodeFormat({.version = version, .node_documents = names, .root_document = names[0], .has_groups = false}),
        array_(names[0]),
        attributes_(names[1]) {}

  std::optional<FoundRoot> FindRoot(const Store& store, const RootSearch&, std::vector<std::string>*) const override {
    auto document = version() == ZarrFormat::kV0 ? FetchV0(store) : FetchV1Root(store);
    if (!document) return std::nullopt;
    return FoundRoot{MetadataDocument{std::string(array_), *std::move(document)}, nullptr, false};
  }

  std::optional<NodeKind> FindKind(const NodeDocuments&, std::string_view path) const override {
    return path.empty() ? std::optional(NodeKind::kArray) : std::nullopt;
  }

  std::optional<ArrayMetadata> ReadArray(const NodeDocuments& documents, std::string_view path,
                                         const MetadataOptions& options) const override {
    const auto document = path.empty() ? documents.Read("", array_) : std::nullopt;
    if (!document) return std::nullopt;
    return ParseArrayV1(*document, documents.Read("", attributes_), version(), options);
  }

  std::vector<DocumentChange> ChangeArrayAttributes(const ArrayMetadata& metadata) const override {
    const MetadataDocument attributes = MakeDocuments(metadata).back();
    return {{attributes.name, attributes.content}};
  }

 private:
  const std::string_view array_;
  const std::string_view attributes_;
};

constexpr std::string_view kNamesOfV1[] = {kV1Array, kV1Attributes};
constexpr std::string_view kNamesOfV0[] = {kV0Array, kV0Attributes};

}  // namespace

const NodeFormat& NodeFormatOfV1() {
  static const FormatOfV1 format(ZarrFormat::kV1, kNamesOfV1);
  return format;
}

const NodeFormat& NodeFormatOfV0() {
  static const FormatOfV1 format(ZarrFormat::kV0, kNamesOfV0);
  return format;
}

}  // namespace zarr
