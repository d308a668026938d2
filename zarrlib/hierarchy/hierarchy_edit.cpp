#include <algorithm>
#include <utility>

#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/hierarchy/node_formats.h"
#include "zarrlib/metadata/document_names.h"

namespace zarr {
namespace {

constexpr std::string_view kConsolidatedMember = "consolidated_metadata";
constexpr std::string_view kDimensions = "_ARRAY_DIMENSIONS";

std::string_view ParentOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string_view NameOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

JsonNode ObjectOr(const JsonNode& attributes) {
  if (attributes.IsNull()) return JsonNode::MakeObject({});
  if (!attributes.IsObject()) attributes.FailExpected("an object");
  return attributes;
}

/// Zarr v3 core, "Node names"; the names of v2's documents are none either.
bool IsNodeName(std::string_view name) {
  const bool dots = name.find_first_not_of('.') == std::string_view::npos;
  const bool document =
      std::find(std::begin(kNodeDocuments), std::end(kNodeDocuments), name) != std::end(kNodeDocuments);
  return !dots && !document && name != kV2Consolidated && !name.starts_with("__") &&
         !name.starts_with(kTemporaryPrefix);
}

/// The document with another value of a member; without the member for nothing.
JsonNode CopyWithMember(const JsonNode& document, std::string_view name, const std::optional<JsonNode>& value) {
  auto members = document.GetMembers();
  const auto member = std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.first == name; });
  if (member == members.end()) {
    if (value) members.emplace_back(name, *value);
  } else if (value) {
    member->second = *value;
  } else {
    members.erase(member);
  }
  return JsonNode::MakeObject(members, document);
}

/// Whether the first has those documents of the second, all of which are at or below a path, and no others there.
bool SayTheSameBelow(const ConsolidatedMetadata& first, const ConsolidatedMetadata& second, std::string_view path) {
  std::vector<std::string> keys = first.GetKeys();
  std::erase_if(keys, [&](const std::string& key) { return !key.starts_with(std::string(path) + "/"); });
  return keys == second.GetKeys() && std::all_of(keys.begin(), keys.end(), [&](const std::string& key) {
           return first.Find(key) == second.Find(key);
         });
}

bool IsOfV3(std::string_view name) {
  return name == kV3Document;
}

std::string TextOf(std::string_view name, const JsonNode& content) {
  return content.Dump(IsOfV3(name) ? JsonNode::Style::kV3 : JsonNode::Style::kV2);
}

}  // namespace

// --- making ------------------------------------------------------------------------------------------------------

std::shared_ptr<Hierarchy> Hierarchy::MakeNew(std::shared_ptr<Store> store, ZarrFormat format,
                                              const HierarchyOptions& options) {
  FinishRemovals(*store);
  for (const std::string_view name : {kV3Document, kV2Array, kV2Group, kV2Consolidated, kV1Array, kV0Array}) {
    if (!store->Exists(name)) continue;
    throw Error(ErrorKind::kInvalidArgument, store->name(), std::string(name), "", "there is a Zarr store already");
  }
  CheckNothingAt(*store, "");
  std::shared_ptr<Hierarchy> hierarchy(new Hierarchy);
  hierarchy->made_in_empty_place_ = store->capabilities().list;
  hierarchy->store_ = std::move(store);
  hierarchy->options_ = options;
  hierarchy->root_format_ = format;
  hierarchy->CheckWritable();
  return hierarchy;
}

std::shared_ptr<Hierarchy> Hierarchy::Create(std::shared_ptr<Store> store, ZarrFormat format,
                                             const JsonNode& root_attributes, const HierarchyOptions& options) {
  const GroupMetadata group{format, ObjectOr(root_attributes), std::nullopt};
  const std::vector<MetadataDocument> documents = MakeDocuments(group);
  auto hierarchy = MakeNew(std::move(store), format, options);
  hierarchy->documents_ = std::make_shared<ConsolidatedMetadata>();
  // What cannot be listed later is known here only.
  if (!hierarchy->store_->capabilities().list) hierarchy->consolidated_ = hierarchy->documents_;
  hierarchy->PutDocuments("", documents);
  return hierarchy;
}

std::shared_ptr<Hierarchy> Hierarchy::CreateRootArray(std::shared_ptr<Store> store, const ArrayMetadata& root,
                                                      const HierarchyOptions& options) {
  const std::vector<MetadataDocument> documents = MakeDocuments(root);
  auto hierarchy = MakeNew(std::move(store), root.zarr_format, options);
  if (root.zarr_format == ZarrFormat::kV1) hierarchy->root_ = documents.front().content;  // until it is stored
  hierarchy->PutDocuments("", documents);
  hierarchy->Reopen("");
  return hierarchy;
}

void Hierarchy::CreateGroup(std::string_view path, const JsonNode& attributes) {
  const std::lock_guard lock(change_mutex_);
  CheckWritable();
  CheckNew(path);
  PutDocuments(path, MakeDocuments(GroupMetadata{root_format_, ObjectOr(attributes), std::nullopt}));
  without_own_.insert(std::string(path));
  NoteCreated(path);
}

std::shared_ptr<const Array> Hierarchy::CreateArray(std::string_view path, const ArrayMetadata& metadata) {
  const std::lock_guard lock(change_mutex_);
  CheckWritable();
  CheckNew(path);
  if (metadata.zarr_format != root_format_) {
    throw Error(ErrorKind::kInvalidArgument, store_->name(), std::string(path), "",
                "the array is not of the format of the store");
  }
  const std::vector<MetadataDocument> documents = MakeDocuments(metadata);
  PutDocuments(path, documents);
  NoteCreated(path);
  return Reopen(path);
}

void Hierarchy::NoteCreated(std::string_view path) {
  const std::lock_guard lock(mutex_);
  created_.emplace_back(path);
}

std::vector<std::string> Hierarchy::CreatedNodes() const {
  std::vector<std::string> nodes;
  {
    const std::lock_guard lock(mutex_);
    nodes = created_;
  }
  std::erase_if(nodes, [this](const std::string& path) { return !Probe(path); });
  return nodes;
}

void Hierarchy::CheckWritable() const {
  if (store_->capabilities().write) return;
  throw Error(ErrorKind::kReadOnly, store_->name(), "", "", "the store takes no writes");
}

void Hierarchy::CheckNew(std::string_view path) const {
  CheckKey(path);
  const auto fail = [&](std::string message) {
    throw Error(ErrorKind::kInvalidArgument, store_->name(), std::string(path), "", std::move(message));
  };
  if (!IsNodeName(NameOf(path))) fail("this is no name of a node");
  if (Probe(ParentOf(path)) != NodeKind::kGroup) fail("expected a group to put it into, got none");
  if (Probe(path)) fail("there is a node already");
  CheckFormat(ParentOf(path));
  // On a network looking costs a request for each node: nothing is where this has made all that there is.
  const bool costs_request = store_->capabilities().concurrency > 0;
  if (!(costs_request && made_in_empty_place_)) CheckNothingAt(*store_, path);
}

void Hierarchy::CheckFormat(std::string_view path) const {
  // On a network looking costs requests, and what this has made has one format.
  const bool costs_requests = store_->capabilities().concurrency > 0;
  if (!(costs_requests && made_in_empty_place_)) CheckOneFormat(*store_, path, FormatOf(path));
}

// --- changing ----------------------------------------------------------------------------------------------------

ZarrFormat Hierarchy::FormatOf(std::string_view path) const {
  if (root_) return root_format_;
  if (MayHave(ZarrFormat::kV3) && ReadDocument(path, kV3Document)) return ZarrFormat::kV3;
  if (MayHave(ZarrFormat::kV2) && (HasV2(path, kV2Array) || HasV2(path, kV2Group))) return ZarrFormat::kV2;
  return root_format_;
}

void Hierarchy::SetAttributes(std::string_view path, const JsonNode& attributes) {
  const std::lock_guard lock(change_mutex_);
  CheckWritable();
  const auto kind = Probe(path);
  if (!kind) throw Error(ErrorKind::kNotFound, store_->name(), std::string(path), "", "expected a node, got none");
  CheckFormat(path);
  if (*kind == NodeKind::kArray) return SetArrayAttributes(path, ObjectOr(attributes));
  const ZarrFormat format = FormatOf(path);
  const auto documents = MakeDocuments(GroupMetadata{format, ObjectOr(attributes), std::nullopt});
  if (format != ZarrFormat::kV3) {
    if (!HasV2(path, kV2Group)) PutDocument(path, kV2Group, documents[0].content);
    return documents.size() > 1 ? PutDocument(path, kV2Attributes, documents[1].content)
                                : EraseDocument(path, kV2Attributes);
  }
  const auto before = ReadDocument(path, kV3Document);
  PutDocument(
      path, kV3Document,
      before ? CopyWithMember(*before, "attributes", documents[0].content.At("attributes")) : documents[0].content);
}

void Hierarchy::SetArrayAttributes(std::string_view path, const JsonNode& attributes) {
  ArrayMetadata metadata = ReadArrayMetadata(path);
  metadata.attributes = attributes;
  const std::vector<MetadataDocument> documents = MakeDocuments(metadata);
  // Where attributes have a document of their own, it is the last one, and the other one says what it said before.
  if (metadata.zarr_format == ZarrFormat::kV2 && documents.size() == 1) {
    EraseDocument(path, kV2Attributes);
  } else {
    PutDocument(path, documents.back().name, documents.back().content);
  }
  const std::lock_guard lock(mutex_);
  arrays_.erase(std::string(path));
}

std::shared_ptr<const Array> Hierarchy::UpdateArray(std::string_view path, const ArrayMetadata& metadata) {
  const std::lock_guard lock(change_mutex_);
  CheckWritable();
  const ArrayMetadata before = ReadArrayMetadata(path);
  CheckOneFormat(*store_, path, before.zarr_format);
  if (metadata.zarr_format != before.zarr_format) {
    throw Error(ErrorKind::kInvalidArgument, store_->name(), std::string(path), "",
                "an array's format is not changed by an update");
  }
  const std::vector<MetadataDocument> documents = MakeDocuments(metadata);
  for (const MetadataDocument& document : documents) {
    if (root_ || ReadDocument(path, document.name) != document.content)
      PutDocument(path, document.name, document.content);
  }
  if (metadata.zarr_format == ZarrFormat::kV2 && documents.size() == 1) EraseDocument(path, kV2Attributes);
  if (!Array::HaveSameContent(before, ReadArrayMetadata(path))) Array::ForgetCached(*store_, path);
  if (!(metadata.shape == before.shape)) SaveInStep(path, true);
  return Reopen(path);
}

void Hierarchy::PutDocuments(std::string_view path, const std::vector<MetadataDocument>& documents) {
  for (const MetadataDocument& document : documents) PutDocument(path, document.name, document.content);
}

void Hierarchy::PutDocument(std::string_view path, std::string_view name, const JsonNode& content) {
  const std::string key = JoinKey(path, name);
  const bool below = !path.empty() && IsOfV3(name);
  const std::string text = TextOf(name, below ? CopyWithMember(content, kConsolidatedMember, std::nullopt) : content);
  DropOwnConsolidated(path);
  const JsonNode document = JsonNode::Parse(text, store_->name(), key);
  // The root's document of v3 holds the consolidated metadata, which must not get lost.
  const bool holds_others = consolidated_ && key == kV3Document;
  if (!holds_others) store_->Set(key, AsBytes(text));
  if (documents_) documents_->Set(key, document);
  changed_ = true;
  if (holds_others) SaveConsolidated();
  const std::lock_guard lock(mutex_);
  if (key == kV3Document) v3_root_ = document;
  if (root_ && name == kV1Array) root_ = document;
}

void Hierarchy::EraseDocument(std::string_view path, std::string_view name) {
  const std::string key = JoinKey(path, name);
  DropOwnConsolidated(path);
  store_->Erase(key);
  if (documents_) documents_->Erase(key);
  changed_ = true;
}

std::shared_ptr<const Array> Hierarchy::Reopen(std::string_view path) {
  {
    const std::lock_guard lock(mutex_);
    arrays_.erase(std::string(path));
  }
  return OpenArray(path);
}

// --- consolidated metadata ---------------------------------------------------------------------------------------

void Hierarchy::SetConsolidate(bool consolidate) {
  const std::lock_guard lock(change_mutex_);
  consolidate_ = consolidate;
}

void Hierarchy::WriteConsolidated() {
  const std::lock_guard lock(change_mutex_);
  if (!changed_ && (consolidated_ || consolidated_stored_ || !consolidate_)) return;
  if (!consolidated_ && !consolidate_ && !HasStoredConsolidated()) return;
  if (!documents_) {
    if (root_ || implied_root_ || Probe("") != NodeKind::kGroup) return;  // a store that is an array has none
    auto documents = std::make_shared<ConsolidatedMetadata>();
    CollectDocuments("", documents.get());
    documents_ = std::move(documents);
  }
  SaveConsolidated();
}

void Hierarchy::DropOwnConsolidated(std::string_view path) {
  for (std::string_view group = ParentOf(path); !group.empty(); group = ParentOf(group)) {
    if (!without_own_.insert(std::string(group)).second) continue;
    const std::string key = JoinKey(group, kV3Document);
    if (const auto text = root_format_ == ZarrFormat::kV3 ? store_->GetText(key, kMaxTextSize) : std::nullopt) {
      const JsonNode document = JsonNode::Parse(*text, store_->name(), key);
      if (!document.Has(kConsolidatedMember)) continue;
      const JsonNode rest = CopyWithMember(document, kConsolidatedMember, std::nullopt);
      store_->Set(key, AsBytes(TextOf(kV3Document, rest)));
    } else if (root_format_ == ZarrFormat::kV2 && store_->Exists(JoinKey(group, kV2Consolidated))) {
      store_->Erase(JoinKey(group, kV2Consolidated));
    }
  }
}

bool Hierarchy::HasStoredConsolidated() const {
  if (root_format_ == ZarrFormat::kV2) return store_->Exists(kV2Consolidated);
  return root_holds_consolidated_;
}

void Hierarchy::SaveConsolidated() {
  CheckWritable();
  const auto root = documents_->Find(kV3Document);
  PutConsolidated(*documents_, root ? *root : JsonNode());
  changed_ = false;
  consolidated_stored_ = true;
  root_holds_consolidated_ = root_format_ == ZarrFormat::kV3;
}

void Hierarchy::PutConsolidated(const ConsolidatedMetadata& documents, const JsonNode& root) {
  const bool v3 = root_format_ == ZarrFormat::kV3;
  std::vector<std::pair<std::string, JsonNode>> members;
  for (const std::string& key : documents.GetKeys()) {
    const auto document = documents.Find(key);
    if (!document || (v3 && (key == kV3Document || NameOf(key) != kV3Document))) continue;
    // A group's own consolidated metadata would say twice what is said here.
    members.emplace_back(v3 ? std::string(ParentOf(key)) : key,
                         v3 ? CopyWithMember(*document, kConsolidatedMember, std::nullopt) : *document);
  }
  // A group before what is in it, which some readers rely on.
  std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const JsonNode metadata = JsonNode::MakeObject(members);
  if (!v3) {
    const JsonNode content =
        JsonNode::MakeObject({{"metadata", metadata}, {"zarr_consolidated_format", JsonNode::MakeInteger(1)}});
    return store_->Set(kV2Consolidated, AsBytes(TextOf(kV2Consolidated, content)));
  }
  const JsonNode consolidated = JsonNode::MakeObject({{"kind", JsonNode::MakeString("inline")},
                                                      {"must_understand", JsonNode::MakeBoolean(false)},
                                                      {"metadata", metadata}});
  store_->Set(kV3Document, AsBytes(TextOf(kV3Document, CopyWithMember(root, kConsolidatedMember, consolidated))));
}

void Hierarchy::SaveInStep(std::string_view path, bool is_there) {
  if (root_ || root_format_ < ZarrFormat::kV2) return;
  if (consolidated_) return SaveConsolidated();
  StoredConsolidated stored = ReadStoredConsolidated();
  if (!stored.documents) return;
  ConsolidatedMetadata wanted;
  if (is_there) CollectDocuments(path, &wanted);
  // What is in step already is not stored: it may be that nothing can be, and something is being taken back.
  if (SayTheSameBelow(*stored.documents, wanted, path)) return;
  stored.documents->EraseNode(path);
  for (const std::string& key : wanted.GetKeys()) stored.documents->Set(key, *wanted.Find(key));
  PutConsolidated(*stored.documents, stored.root);
}

Hierarchy::StoredConsolidated Hierarchy::ReadStoredConsolidated() const {
  const std::string_view key = root_format_ == ZarrFormat::kV3 ? kV3Document : kV2Consolidated;
  Bytes text;
  if (!store_->Get(key, &text, nullptr, kMaxTextSize)) return {};
  if (root_format_ != ZarrFormat::kV3)
    return {JsonNode(), ConsolidatedMetadata::FromTextOfV2(std::move(text), store_->name(), key)};
  RootOfV3 parsed = ParseRootOfV3(std::move(text), store_->name(), key);
  return {parsed.document, std::move(parsed.consolidated)};
}

std::vector<MetadataDocument> Hierarchy::TakeFromConsolidated(std::string_view path) {
  std::vector<MetadataDocument> taken;
  if (documents_) {
    for (const std::string& key : documents_->GetKeys()) {
      if (key.starts_with(std::string(path) + "/")) taken.push_back({key, *documents_->Find(key)});
    }
    documents_->EraseNode(path);
  }
  changed_ = true;
  SaveInStep(path, false);
  return taken;
}

void Hierarchy::PutIntoConsolidated(const std::vector<MetadataDocument>& taken, std::string_view from,
                                    std::string_view to) {
  for (const MetadataDocument& document : taken) {
    documents_->Set(std::string(to) + document.name.substr(from.size()), document.content);
  }
  changed_ = true;
  SaveInStep(to, true);
}

void Hierarchy::CollectDocuments(std::string_view path, ConsolidatedMetadata* documents) const {
  for (const std::string_view name : kNodeDocuments) {
    const std::string key = JoinKey(path, name);
    if (const auto text = store_->GetText(key, kMaxTextSize))
      documents->Set(key, JsonNode::Parse(*text, store_->name(), key));
  }
  if (Probe(path) != NodeKind::kGroup) return;
  for (const Child& child : List(path)) CollectDocuments(JoinKey(path, child.name), documents);
}

}  // namespace zarr
