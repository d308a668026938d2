#include "zarrlib/hierarchy/hierarchy.h"

#include <algorithm>
#include <utility>

#include "zarrlib/metadata/document_names.h"

namespace zarr {
namespace {

std::optional<JsonNode> Fetch(const Store& store, std::string_view path, std::string_view name) {
  const std::string key = JoinKey(path, name);
  const auto text = store.GetText(key);
  if (!text) return std::nullopt;
  return JsonNode::Parse(*text, store.name(), key);
}

NodeKind KindOfV3(const JsonNode& document) {
  return GetNodeTypeV3(document) == "array" ? NodeKind::kArray : NodeKind::kGroup;
}

/// `__zmeta__` of 0.4.0 is JSON; that of 0.3.0 is a pickle.
std::optional<JsonNode> FetchV0(const Store& store) {
  const auto text = store.GetText(kV0Array);
  if (text && (text->starts_with('(') || text->starts_with('\x80'))) {
    throw Error(ErrorKind::kUnsupported, store.name(), std::string(kV0Array), "",
                "a Python pickle, as zarr 0.3 wrote it; pickles are not read, since they can run any program");
  }
  if (!text) return std::nullopt;
  return JsonNode::Parse(*text, store.name(), kV0Array);
}

/// `meta` is a common name: what does not look like v1 is none.
std::optional<JsonNode> FetchV1(const Store& store) {
  const auto text = store.GetText(kV1Array);
  if (!text || text->find("\"chunks\"") == std::string::npos) return std::nullopt;
  JsonNode meta = JsonNode::Parse(*text, store.name(), kV1Array);
  if (!LooksLikeV1(meta)) return std::nullopt;
  return meta;
}

/// As GetText, without a copy.
std::optional<Bytes> FetchText(const Store& store, std::string_view key) {
  Bytes text;
  if (!store.Get(key, &text, nullptr, kMaxTextSize)) return std::nullopt;
  return text;
}

/// The documents under `metadata` of v2, unless they are broken while the store has a root without them, which gives a
/// warning.
std::shared_ptr<ConsolidatedMetadata> FetchConsolidatedV2(const Store& store, std::vector<std::string>* warnings) {
  try {
    auto text = FetchText(store, kV2Consolidated);
    if (!text || !IsOfParquetReferences(AsText(*text))) {
      return text ? ConsolidatedMetadata::FromTextOfV2(*std::move(text), store.name(), kV2Consolidated) : nullptr;
    }
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kIo || (!store.Exists(kV2Group) && !store.Exists(kV2Array))) throw;
    warnings->push_back(std::string(error.what()) + "; the consolidated metadata are not used");
    return nullptr;
  }
  throw Error(ErrorKind::kUnsupported, store.name(), std::string(kV2Consolidated), "/record_size",
              "kerchunk references in Parquet are not supported, only those in JSON");
}

}  // namespace

std::shared_ptr<Hierarchy> Hierarchy::Open(std::shared_ptr<Store> store, const HierarchyOptions& options) {
  std::shared_ptr<Hierarchy> hierarchy(new Hierarchy);
  hierarchy->store_ = std::move(store);
  hierarchy->options_ = options;
  if (!hierarchy->FindRoot()) {
    throw Error(
        ErrorKind::kNotFound, hierarchy->store_->name(), "", "",
        "expected a Zarr array or group (zarr.json, .zarray, .zgroup, .zmetadata, meta or __zmeta__), got none");
  }
  hierarchy->documents_ = hierarchy->consolidated_;
  return hierarchy;
}

bool Hierarchy::FindRoot() {
  const Store& store = *store_;
  if (auto text = FetchText(store, kV3Document)) {
    root_format_ = ZarrFormat::kV3;
    RootOfV3 root = ParseRootOfV3(*std::move(text), store.name(), kV3Document);
    v3_root_ = root.document;
    root_holds_consolidated_ = root.has_member;
    if (KindOfV3(root.document) == NodeKind::kArray || !options_.use_consolidated) return true;
    ParseGroupV3(root.document);  // which throws where it is none
    consolidated_ = std::move(root.consolidated);
    return true;
  }
  root_format_ = ZarrFormat::kV2;
  if (options_.use_consolidated && (consolidated_ = FetchConsolidatedV2(store, &warnings_))) return true;
  if (store.Exists(kV2Array) || store.Exists(kV2Group)) return true;
  root_format_ = ZarrFormat::kV0;
  if ((root_ = FetchV0(store))) return true;
  root_format_ = ZarrFormat::kV1;
  if ((root_ = FetchV1(store))) return true;
  // A folder of nodes without metadata of its own: an implied group.
  root_format_ = ZarrFormat::kV3;
  implied_root_ = true;
  return !List("").empty();
}

std::optional<JsonNode> Hierarchy::ReadDocument(std::string_view path, std::string_view name) const {
  if (path.empty() && name == kV3Document) {
    const std::lock_guard lock(mutex_);
    if (v3_root_) return v3_root_;
  }
  if (consolidated_) {
    if (auto document = consolidated_->Find(JoinKey(path, name))) return document;
    // The other documents of a node that is there are there too: no look-up for what was never written.
    const auto has = [&](std::string_view other) { return consolidated_->Has(JoinKey(path, other)); };
    if (has(kV3Document) || has(kV2Array) || has(kV2Group)) return std::nullopt;
  }
  return Fetch(*store_, path, name);
}

bool Hierarchy::MayHave(ZarrFormat format) const {
  // On a network each look-up is a request: nodes of another format than the root's are only found where they are
  // cheap.
  return format == root_format_ || (store_->capabilities().list && store_->capabilities().concurrency == 0);
}

std::optional<NodeKind> Hierarchy::Probe(std::string_view path) const {
  if (root_) return path.empty() ? std::optional(NodeKind::kArray) : std::nullopt;
  if (const auto kind = ProbeV3(path)) return kind;
  if (MayHave(ZarrFormat::kV2)) {
    if (HasV2(path, kV2Array)) return NodeKind::kArray;
    if (HasV2(path, kV2Group)) return NodeKind::kGroup;
  }
  if (consolidated_ && !consolidated_->GetChildren(path).empty()) return NodeKind::kGroup;
  if (path.empty() && implied_root_) return NodeKind::kGroup;
  return std::nullopt;
}

std::optional<NodeKind> Hierarchy::ProbeListed(std::string_view path) const {
  const auto has = [&](std::string_view name) { return consolidated_->Has(JoinKey(path, name)); };
  if (!consolidated_ || has(kV3Document) || has(kV2Array) || has(kV2Group)) return Probe(path);
  return consolidated_->GetChildren(path).empty() ? std::nullopt : std::optional(NodeKind::kGroup);
}

std::optional<NodeKind> Hierarchy::ProbeV3(std::string_view path) const {
  if (!MayHave(ZarrFormat::kV3)) return std::nullopt;
  const std::string_view type = consolidated_ ? consolidated_->GetNodeType(path) : "";
  if (!type.empty()) return type == "array" ? NodeKind::kArray : NodeKind::kGroup;
  const auto document = ReadDocument(path, kV3Document);
  return document ? std::optional(KindOfV3(*document)) : std::nullopt;
}

bool Hierarchy::HasV2(std::string_view path, std::string_view name) const {
  if (consolidated_ && consolidated_->Has(JoinKey(path, name))) return true;
  if (consolidated_ && ReadDocument(path, name) == std::nullopt) return false;
  return store_->Exists(JoinKey(path, name));
}

ArrayMetadata Hierarchy::ReadArrayMetadata(std::string_view path) const {
  if (root_ && path.empty()) {
    const bool v0 = root_format_ == ZarrFormat::kV0;
    const JsonNode root = [this] {
      const std::lock_guard lock(mutex_);
      return *root_;
    }();
    return ParseArrayV1(root, Fetch(*store_, "", v0 ? kV0Attributes : kV1Attributes), root_format_, options_.metadata);
  }
  if (!root_ && MayHave(ZarrFormat::kV3)) {
    const auto document = ReadDocument(path, kV3Document);
    if (document && KindOfV3(*document) == NodeKind::kArray) return ParseArrayV3(*document);
  }
  if (!root_ && MayHave(ZarrFormat::kV2)) {
    if (const auto document = ReadDocument(path, kV2Array))
      return ParseArrayV2(*document, ReadDocument(path, kV2Attributes));
  }
  throw Error(ErrorKind::kNotFound, store_->name(), std::string(path), "", "expected an array, got none");
}

std::shared_ptr<const Array> Hierarchy::OpenArray(std::string_view path) const {
  {
    const std::lock_guard lock(mutex_);
    const auto known = arrays_.find(std::string(path));
    if (known != arrays_.end()) {
      if (auto array = known->second.lock()) return array;
    }
  }
  auto array = Array::Make(store_, std::string(path), ReadArrayMetadata(path));
  const std::lock_guard lock(mutex_);
  arrays_[std::string(path)] = array;
  return array;
}

ArraySummary Hierarchy::Summarize(std::string_view path) const {
  if (consolidated_) {
    if (auto summary = consolidated_->Summarize(path)) return *std::move(summary);
  }
  return MakeSummary(OpenArray(path)->metadata());
}

GroupMetadata Hierarchy::OpenGroup(std::string_view path) const {
  if (!root_ && MayHave(ZarrFormat::kV3)) {
    const auto document = ReadDocument(path, kV3Document);
    if (document && KindOfV3(*document) == NodeKind::kGroup) return ParseGroupV3(*document);
  }
  if (!root_ && MayHave(ZarrFormat::kV2)) {
    if (const auto document = ReadDocument(path, kV2Group))
      return ParseGroupV2(*document, ReadDocument(path, kV2Attributes));
  }
  if (Probe(path) == NodeKind::kGroup) return {root_format_, JsonNode(), std::nullopt};
  throw Error(ErrorKind::kNotFound, store_->name(), std::string(path), "", "expected a group, got none");
}

std::vector<Hierarchy::Child> Hierarchy::List(std::string_view path) const {
  std::vector<std::string> names;
  if (root_) return {};
  if (consolidated_) {
    names = consolidated_->GetChildren(path);
  } else if (const auto listing = store_->List(path.empty() ? "" : std::string(path) + "/")) {
    names = listing->prefixes;
  }
  std::vector<Child> children;
  for (std::string& name : names) {
    std::optional<NodeKind> kind;
    try {
      kind = ProbeListed(JoinKey(path, name));
    } catch (const Error&) {
      kind = NodeKind::kArray;  // opening it says what is wrong
    }
    if (kind) children.push_back({std::move(name), *kind});
  }
  return children;
}

}  // namespace zarr
