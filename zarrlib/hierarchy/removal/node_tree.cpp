// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/removal/node_tree.h"

#include <algorithm>
#include <charconv>

#include "zarrlib/hierarchy/formats/node_formats.h"
#include "zarrlib/hierarchy/stored_document.h"
#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/metadata/v3_draft.h"
#include "zarrlib/store/store_folders.h"
#include "zarrlib/store/temporary_names.h"

namespace zarr {
namespace {

/// Returns the number of chunks along an axis, including chunks past the array's end.
std::uint64_t CountDeclaredChunks(const ChunkAxis& axis, ChunkGrid::Kind kind) {
  if (kind == ChunkGrid::Kind::kRegular) return axis.chunk_count();
  std::uint64_t count = 0;
  for (const ChunkRun& run : axis.runs()) count += run.count;
  return count;
}

bool IsNumber(std::string_view text) {
  std::uint64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
}

/// Returns true if a path has at most `most` segments, all of which are numbers.
bool AreNumbers(std::string_view path, std::size_t most) {
  for (std::size_t count = 1; count <= most; ++count) {
    const std::size_t end = path.find('/');
    if (!IsNumber(path.substr(0, end))) return false;
    if (end == std::string_view::npos) return true;
    path.remove_prefix(end + 1);
  }
  return false;
}

/// The documents of a node by format, starting with the one that makes it a node.
constexpr std::string_view kDocumentsOfV3[] = {kV3Document};
constexpr std::string_view kDocumentsOfV2[] = {kV2Array,    kV2Group,    kV2Attributes, kV2Consolidated,
                                               ".nczarray", ".nczgroup", ".nczattr",    ".nczarr"};
constexpr std::string_view kDocumentsOfV1[] = {kV1Array, kV1Attributes};
constexpr std::string_view kDocumentsOfV0[] = {kV0Array, kV0Attributes};

/// Returns true if a document of that name makes a path a node.
bool IsOwnDocument(std::string_view name) {
  return name == kV3Document || name == kV2Array || name == kV2Group || name == kV1Array || name == kV0Array;
}

/// Returns the names that documents of a node may have.
std::vector<std::string_view> GetDocumentNames(std::string_view path) {
  std::vector<std::string_view> names;
  const auto add = [&](std::span<const std::string_view> more) {
    for (const std::string_view name : more) names.push_back(name);
  };
  add(kDocumentsOfV3);
  add(kDocumentsOfV2);
  if (path.empty()) add(kDocumentsOfV1);
  if (path.empty()) add(kDocumentsOfV0);
  return names;
}

}  // namespace

bool NodeTree::Chunks::Has(std::string_view key) const {
  const auto index = encoding.Parse(key, grid.rank());
  if (!index) return false;
  for (std::size_t i = 0; i < grid.rank(); ++i) {
    if ((*index)[i] >= CountDeclaredChunks(grid.axis(i), grid.kind())) return false;
  }
  return true;
}

bool NodeTree::Chunks::MayBeFolder(std::string_view path) const {
  using Kind = ChunkKeyEncoding::Kind;
  const std::size_t rank = grid.rank();
  const std::string top = encoding.GetTopFolder();
  if (encoding.kind == Kind::kV0) return path == top;
  if (encoding.separator != '/' || rank == 0) return false;
  if (top.empty()) return AreNumbers(path, rank - 1);
  return path == top || (path.starts_with(top + "/") && AreNumbers(path.substr(top.size() + 1), rank - 1));
}

NodeTree NodeTree::Read(const Store& store, std::string_view path) {
  NodeTree tree;
  if (path.empty() && HoldsV3Draft(store)) {
    throw Error(ErrorKind::kReadOnly, store.name(), "", "", std::string(kV3DraftIsReadOnly));
  }
  tree.ReadNode(store, NodeKeys(store, path), std::string(path));
  return tree;
}

NodeTree::Document NodeTree::ReadDocumentOf(const Store& store, const std::string& path, std::string_view name) {
  Document document{std::string(name), std::nullopt};
  try {
    auto stored = ReadDocument(store, JoinKey(path, name), GetLimit(Limit::kText));
    if (stored) document.content = std::move(stored->content);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kIo) throw;
    document.fault = error;
  }
  return document;
}

void NodeTree::ReadNode(const Store& store, const NodeKeys& keys, const std::string& path) {
  Node node;
  keys.Prefetch(path, GetDocumentNames(path));
  const auto has = [&](std::string_view name) { return keys.HasDocument(JoinKey(path, name)); };
  const auto add = [&](std::span<const std::string_view> names) {
    for (const std::string_view name : names) {
      if (has(name)) node.documents.push_back(ReadDocumentOf(store, path, name));
    }
  };
  if (has(kV3Document)) add(kDocumentsOfV3);
  if (has(kV2Array) || has(kV2Group) || (path.empty() && has(kV2Consolidated))) add(kDocumentsOfV2);
  if (path.empty() && has(kV1Array)) {
    const Document meta = ReadDocumentOf(store, path, kV1Array);
    if (meta.content && LooksLikeV1(*meta.content)) add(kDocumentsOfV1);
  }
  if (path.empty() && has(kV0Array)) add(kDocumentsOfV0);
  if (node.documents.empty()) return;
  for (const Document& document : node.documents) {
    if (document.fault) unreadable_ = document.fault;
  }
  if (auto fault = Interpret(&node)) {
    unreadable_ = left_out_ = std::move(fault);
    return;
  }
  const bool is_group = node.is_group;
  nodes_.emplace(path, std::move(node));
  if (is_group) ReadChildren(store, keys, path);
}

void NodeTree::ReadChildren(const Store& store, const NodeKeys& keys, const std::string& path) {
  const auto folders = keys.GetFolders(path);
  if (!folders) {
    throw Error(ErrorKind::kUnsupported, store.name(), path, "", "the store cannot list what is in this group");
  }
  for (const std::string& folder : *folders) ReadNode(store, keys, folder);
}

NodeTree NodeTree::FromDocuments(const std::vector<std::pair<std::string, JsonNode>>& documents) {
  NodeTree tree;
  for (const auto& [key, content] : documents) {
    tree.nodes_[std::string(ParentPath(key))].documents.push_back({std::string(NodeName(key)), content});
  }
  for (auto& [path, node] : tree.nodes_) Interpret(&node);
  return tree;
}

std::optional<Error> NodeTree::Interpret(Node* node) {
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(node->documents, [&](const Document& document) { return document.name == name; });
  };
  node->is_group = has(kV2Consolidated);
  const bool is_alone = !has(kV2Group) && !has(kV2Array) && !has(kV3Document);
  for (const Document& document : node->documents) {
    const bool makes_node = IsOwnDocument(document.name) || (document.name == kV2Consolidated && is_alone);
    if (!makes_node) continue;
    if (document.fault) return document.fault;
    if (!document.content) continue;  // it has just been removed
    try {
      ReadOwn(document, node);
    } catch (const Error& error) {
      return error;
    }
  }
  return std::nullopt;
}

void NodeTree::ReadOwn(const Document& document, Node* node) {
  const std::string& name = document.name;
  const JsonNode& content = *document.content;
  if (name == kV2Consolidated) return static_cast<void>(content.At("metadata").GetMembers());
  if (name == kV2Group || (name == kV3Document && GetNodeTypeV3(content) == "group")) {
    name == kV2Group ? ParseGroupV2(content, std::nullopt) : ParseGroupV3(content);
    node->is_group = true;
    return;
  }
  const ArrayMetadata array = name == kV3Document ? ParseArrayV3(content)
                              : name == kV2Array  ? ParseArrayV2(content, std::nullopt)
                              : name == kV1Array  ? ParseArrayV1(content, std::nullopt, ZarrFormat::kV1, {})
                                                  : ParseArrayV1(content, std::nullopt, ZarrFormat::kV0, {});
  node->chunks.push_back({array.chunk_key_encoding, array.chunk_grid});
}

std::vector<std::string> NodeTree::GetDocumentKeys() const {
  std::vector<std::string> keys;
  for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
    const auto begin = static_cast<std::ptrdiff_t>(keys.size());
    for (const Document& document : node->second.documents) keys.push_back(JoinKey(node->first, document.name));
    std::stable_partition(keys.begin() + begin, keys.end(),
                          [](const std::string& key) { return NodeName(key) == kV2Consolidated; });
  }
  return keys;
}

std::vector<std::pair<std::string, JsonNode>> NodeTree::GetDocuments() const {
  std::vector<std::pair<std::string, JsonNode>> documents;
  for (const auto& [path, node] : nodes_) {
    for (const Document& document : node.documents) {
      if (document.content) documents.emplace_back(JoinKey(path, document.name), *document.content);
    }
  }
  return documents;
}

std::vector<std::string> NodeTree::GetPaths() const {
  std::vector<std::string> paths;
  for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) paths.push_back(node->first);
  return paths;
}

Choice NodeTree::Choose(const Store& store, std::string_view path, EntryKind kind,
                        const IsSideFile& is_side_file) const {
  const bool is_folder = kind == EntryKind::kFolder;
  if (kind == EntryKind::kOther) return Choice::kKeep;
  if (IsOwnRemovalName(NodeName(path))) return Choice::kIgnore;
  if (is_folder && nodes_.contains(path)) return Choice::kEnter;
  if (!is_folder && IsBesideDocuments(store, path, kind, is_side_file)) return Choice::kErase;
  const auto owner = FindOwner(path);
  if (owner == nodes_.end()) return Choice::kKeep;
  const std::string_view rest = owner->first.empty() ? path : path.substr(owner->first.size() + 1);
  for (const Chunks& chunks : owner->second.chunks) {
    if (is_folder && chunks.MayBeFolder(rest)) return Choice::kEnter;
    if (!is_folder && chunks.Has(rest)) return Choice::kErase;
  }
  return Choice::kKeep;
}

bool NodeTree::IsBesideDocuments(const Store& store, std::string_view path, EntryKind kind,
                                 const IsSideFile& is_side_file) const {
  const auto node = nodes_.find(ParentPath(path));
  if (node == nodes_.end()) return false;
  const auto& documents = node->second.documents;
  const auto is_it = [&](const Document& document) { return document.name == NodeName(path); };
  if (std::any_of(documents.begin(), documents.end(), is_it)) return true;
  if (kind == EntryKind::kValue) return is_side_file && is_side_file(store, path);
  // A link to a node belongs to the group; the target node does not.
  const auto leads_to = [&](std::string_view name) { return GetEntryKind(store, JoinKey(path, name)).has_value(); };
  return node->second.is_group && (leads_to(kV3Document) || leads_to(kV2Array) || leads_to(kV2Group));
}

std::map<std::string, NodeTree::Node, std::less<>>::const_iterator NodeTree::FindOwner(std::string_view path) const {
  while (!path.empty()) {
    path = ParentPath(path);
    const auto node = nodes_.find(path);
    if (node != nodes_.end()) return node;
  }
  return nodes_.end();
}

}  // namespace zarr
