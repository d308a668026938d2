// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/editing/node_editor.h"

#include <algorithm>
#include <utility>

#include "zarrlib/hierarchy/editing/consolidated_file.h"
#include "zarrlib/hierarchy/editing/node_locks.h"
#include "zarrlib/hierarchy/editing/store_making.h"
#include "zarrlib/hierarchy/editing/waiting_attributes.h"
#include "zarrlib/hierarchy/formats/node_formats.h"
#include "zarrlib/hierarchy/formats/node_formats_of_versions.h"
#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/hierarchy/nczarr.h"
#include "zarrlib/hierarchy/node_documents.h"
#include "zarrlib/hierarchy/open_arrays.h"
#include "zarrlib/hierarchy/removal/node_removal.h"
#include "zarrlib/hierarchy/store_root.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/store/repeated_change.h"
#include "zarrlib/store/store_locks.h"

namespace zarr {

JsonNode ObjectOr(const JsonNode& attributes) {
  if (attributes.IsNull()) return JsonNode::MakeObject({});
  if (!attributes.IsObject()) attributes.FailExpected("an object");
  return attributes;
}

namespace {

/// Throws for changes after which the array could not be opened.
void CheckCanBeRead(const Store& store, std::string_view path, const ArrayMetadata& changed,
                    const std::vector<DocumentChange>& changes) {
  for (const DocumentChange& change : changes) {
    if (!change.content || change.name != GetArrayDocumentName(changed.zarr_format)) continue;
    const std::string key = JoinKey(path, change.name);
    const std::string text = DumpDocument(change.name, *change.content);
    ParseArray(JsonNode::Parse(text, store.name(), key), changed.zarr_format);
  }
}

ArrayMetadata MakeChanged(ArrayMetadata stored, const ArrayMetadata& before, const ArrayMetadata& after,
                          const Store& store) {
  if (!(after.shape == before.shape)) {
    if (!(stored.shape == before.shape)) {
      // It was `before` a moment ago.
      if (HasConditions(store)) throw ChangedMeanwhile(store.name(), stored.document.key());
      throw Error(ErrorKind::kInvalidArgument, store.name(), stored.document.key(), "/shape",
                  FormatExpectedGot(ToString(before.shape) + ", as when it was opened", ToString(stored.shape)));
    }
    stored.shape = after.shape;
    stored.chunk_grid = after.chunk_grid;
  }
  if (!(after.fill_value == before.fill_value)) stored.fill_value = after.fill_value;
  if (after.dimension_names != before.dimension_names) stored.dimension_names = after.dimension_names;
  stored.attributes =
      ApplyDifference(ObjectOr(stored.attributes), ObjectOr(before.attributes), ObjectOr(after.attributes));
  return stored;
}

}  // namespace

void NodeEditor::CreateGroup(std::string_view path, const JsonNode& attributes) {
  CheckWritable(parts_.store, *parts_.root.format);
  CheckNew(path);
  WarnOfReserved(path);
  const auto documents = MakeDocuments(GroupMetadata{parts_.nodes.format(), ObjectOr(attributes), std::nullopt});
  PutDocuments(path, documents);
  try {
    NoteAbsent(path);
    parts_.making.Add(path);
    parts_.consolidated.nested().NoteMade(path);
  } catch (...) {
    parts_.making.Remove(path);
    TakeBackDocuments(path, documents);
    throw;
  }
}

std::shared_ptr<const Array> NodeEditor::CreateArray(std::string_view path, const ArrayMetadata& metadata) {
  CheckWritable(parts_.store, *parts_.root.format);
  CheckNew(path);
  WarnOfReserved(path);
  if (metadata.zarr_format != parts_.nodes.format()) {
    throw Error(ErrorKind::kInvalidArgument, parts_.store.name(), std::string(path), "",
                "the array is not of the format of the store");
  }
  const std::vector<MetadataDocument> documents = MakeDocuments(metadata);
  auto written = PutDocuments(path, documents);
  for (const std::string_view name : kNodeDocuments) written.try_emplace(JoinKey(path, name), std::nullopt);
  try {
    NoteAbsent(path);
    parts_.making.Add(path);
    const auto shown = parts_.documents.waiting().ShowStored(std::move(written));
    return Reopen(path);
  } catch (...) {
    parts_.making.Remove(path);
    TakeBackDocuments(path, documents);
    ForgetNodes(path);
    throw;
  }
}

bool NodeEditor::IsBeingMade(std::string_view path) const {
  const WaitingDocuments& waiting = parts_.documents.waiting();
  if (!waiting.deferring() || !(parts_.making.made_in_empty_place() || parts_.making.HasMade(path))) return false;
  // Once the node is stored, other processes may change it, and nothing of theirs may get lost.
  return !HasConditions(parts_.store) || waiting.HasOwn(path);
}

void NodeEditor::CheckNew(std::string_view path) {
  CheckKey(path);
  const auto fail = [&](std::string message) {
    throw Error(ErrorKind::kInvalidArgument, parts_.store.name(), std::string(path), "", std::move(message));
  };
  if (!IsNewNodeName(NodeName(path)) || NodeName(path).starts_with(kTemporaryPrefix)) fail("this is no name of a node");
  if (!MayHold(ParentPath(path))) fail("expected a group to put it into, got none");
  const bool is_free = parts_.nodes.IsFree(path);
  if (!is_free && parts_.nodes.Probe(path)) fail("there is a node already");
  if (!is_free && !parts_.making.IsAlone()) CheckNothingAt(parts_.store, path);
}

bool NodeEditor::MayHold(std::string_view group) {
  std::optional<VersionStamp> stamp = GetStampOfGroup(group);
  if (stamp && stamp == group_stamp_ && group == checked_group_) return true;
  if (parts_.nodes.Probe(group) != NodeKind::kGroup) return false;
  CheckFormat(group, GetFormat(group));
  CheckLists(group);
  checked_group_ = group;
  group_stamp_ = std::move(stamp);
  return true;
}

std::optional<VersionStamp> NodeEditor::GetStampOfGroup(std::string_view group) const {
  const bool is_own = group.empty() ? parts_.making.made_in_empty_place() : parts_.making.HasMade(group);
  if (!is_own || IsOnNetwork()) return std::nullopt;
  VersionStamp stamp;
  const std::string key = JoinKey(group, parts_.root.format->group_documents().front());
  const bool is_there = parts_.store.GetStamp(key, &stamp, Freshness::kNow);
  return is_there && stamp.settled ? std::optional(std::move(stamp)) : std::nullopt;
}

void NodeEditor::WarnOfReserved(std::string_view path) {
  if (!IsReservedNodeName(NodeName(path)) || parts_.root.format->version() != ZarrFormat::kV3 || !parts_.options.warn)
    return;
  if (std::exchange(warned_of_reserved_, true)) return;
  const Error reserved(
      ErrorKind::kInvalidArgument, parts_.store.name(), std::string(path), "",
      "Zarr v3 reserves names of nodes that begin with \"__\"; zarr-python reads them, others may not");
  parts_.options.warn({ArrayWarning::Kind::kTolerated, reserved.what()});
}

void NodeEditor::CheckLists(std::string_view group) const {
  if (!parts_.making.made_in_empty_place()) CheckNoNczarrLists(parts_.documents, GetFormat(group).version(), group);
}

void NodeEditor::CheckMovable(std::string_view path) const {
  if (!parts_.nodes.Probe(path)) {
    throw Error(ErrorKind::kNotFound, parts_.store.name(), std::string(path), "", "expected a node, got none");
  }
  // It is unknown which values in the folder of an implied group belong to the group.
  if (!parts_.nodes.FindOwnKind(path)) {
    throw Error(ErrorKind::kUnsupported, parts_.store.name(), std::string(path), "",
                "this group has no metadata of its own; only the nodes in it can be removed or renamed");
  }
  CheckFormat(path, GetFormat(path));
  CheckLists(ParentPath(path));
}

void NodeEditor::CheckFormat(std::string_view path, const NodeFormat& format) const {
  const bool waits = parts_.making.made_in_empty_place() && parts_.documents.waiting().deferring() && !IsOnNetwork();
  if (!waits && !parts_.making.IsAlone()) CheckOneFormat(parts_.store, path, format.version());
}

const NodeFormat& NodeEditor::GetFormat(std::string_view path) const {
  return parts_.root.GetFormat(parts_.documents, path);
}

NodeEditor::FoundNode NodeEditor::FindChangeable(std::string_view path) const {
  CheckWritable(parts_.store, *parts_.root.format);
  for (const NodeFormat* format : parts_.root.formats) {
    if (const auto kind = format->FindKind(parts_.documents, path)) return {*kind, format};
  }
  const auto kind = parts_.nodes.Probe(path);
  if (!kind) throw Error(ErrorKind::kNotFound, parts_.store.name(), std::string(path), "", "expected a node, got none");
  return {*kind, parts_.root.format};
}

void NodeEditor::EditAttributes(std::string_view path, const std::function<JsonNode(const JsonNode& stored)>& change) {
  parts_.documents.waiting().CheckNotRefused(path);
  const FoundNode node = FindChangeable(path);
  const bool is_group = node.kind == NodeKind::kGroup;
  // Those of a group may hold its attributes, too.
  parts_.consolidated.nested().DropFrom(is_group ? path : ParentPath(path));
  RepeatWhileOutrun([&] {
    // Without a document, the lock does not exclude other processes.
    const bool is_implied = is_group && !IsOnNetwork() && !IsBeingMade(path) &&
                            !parts_.documents.Has(path, node.format->group_documents().front());
    const auto locked = LockAndRefresh(path, *node.format);
    CheckFormat(path, *node.format);
    EditLocked(path, [&](const JsonNode& stored) {
      JsonNode changed = change(stored);
      if (is_implied && ObjectOr(changed).size() > 0) MakeExplicit(path, *node.format);
      return changed;
    });
  });
}

void NodeEditor::EditLocked(std::string_view path, const std::function<JsonNode(const JsonNode& stored)>& change) {
  const FoundNode node = FindChangeable(path);
  node.kind == NodeKind::kGroup ? EditGroup(path, *node.format, change) : EditArray(path, *node.format, change);
  parts_.consolidated.nested().NoteChanged(path);
  parts_.waiting.Drop(path);
}

void NodeEditor::EditGroup(std::string_view path, const NodeFormat& format,
                           const std::function<JsonNode(const JsonNode& stored)>& change) {
  const JsonNode stored = ObjectOr(parts_.nodes.ReadGroup(path).attributes);
  const JsonNode attributes = ObjectOr(change(parts_.waiting.ApplyTo(path, stored)));
  if (AreWrittenAlike(attributes, stored)) return parts_.consolidated.NoteIfOutOfStep(path);
  ApplyChanges(path, format.ChangeGroupAttributes(parts_.documents, path, attributes));
}

void NodeEditor::MakeExplicit(std::string_view path, const NodeFormat& format) {
  const auto [name, content] = MakeDocuments(GroupMetadata{format.version(), {}, std::nullopt}).front();
  const std::string key = JoinKey(path, name);
  const bool is_put = parts_.store.Write(key, AsBytes(DumpDocument(name, content)), WriteIf::kAbsent);
  if (is_put) parts_.consolidated.Note(key, content);
  throw ChangedMeanwhile(parts_.store.name(), key);
}

void NodeEditor::EditArray(std::string_view path, const NodeFormat& format,
                           const std::function<JsonNode(const JsonNode& stored)>& change) {
  auto metadata = parts_.nodes.FindStoredArray(path);
  if (!metadata) parts_.nodes.FailMissing(path, "an array");
  CheckChangeable(*metadata);
  const JsonNode stored = ObjectOr(metadata->attributes);
  metadata->attributes = ObjectOr(change(parts_.waiting.ApplyTo(path, stored)));
  if (AreWrittenAlike(metadata->attributes, stored)) {
    parts_.arrays.Drop(std::string(path));
    parts_.consolidated.NoteIfOutOfStep(path);
  } else {
    ChangeSnapshot(path, [&] { ApplyChanges(path, format.ChangeArrayAttributes(*metadata)); });
  }
}

void NodeEditor::ChangeSnapshot(std::string_view path, const std::function<void()>& change) {
  const std::string name(path);
  try {
    change();
  } catch (...) {
    // The change may still have been stored, fully or in part.
    parts_.arrays.Drop(name);
    ForgetCachedArrays(parts_.store, name);
    throw;
  }
  parts_.arrays.Drop(name);
}

std::shared_ptr<const Array> NodeEditor::OpenPresentArray(std::string_view path) {
  if (!IsBeingMade(path)) parts_.documents.Refresh(path, GetFormat(path).node_documents());
  return Reopen(path);
}

std::shared_ptr<const Array> NodeEditor::UpdateArray(std::string_view path, const ArrayMetadata& before,
                                                     const ArrayMetadata& after) {
  CheckWritable(parts_.store, *parts_.root.format);
  parts_.documents.waiting().CheckNotRefused(path);
  // Unreadable parts of either would look like a change.
  for (const ArrayMetadata* metadata : {&before, &after}) CheckChangeable(*metadata);
  if (after.zarr_format != before.zarr_format) {
    throw Error(ErrorKind::kInvalidArgument, parts_.store.name(), std::string(path), "",
                "an array's format is not changed by an update");
  }
  parts_.consolidated.nested().DropAbove(path);
  const bool is_resized = !(after.shape == before.shape);
  const auto change_stored = [&] { return ChangeStoredArray(path, before, after); };
  ChangeSnapshot(path, [&] {
    const bool is_out_of_step = is_resized ? change_stored() : RepeatWhileOutrun(change_stored);
    if (is_out_of_step) parts_.consolidated.SaveInStep(path);
  });
  return parts_.nodes.OpenArray(path);
}

ArrayMetadata NodeEditor::ReadPresent(std::string_view path) const {
  auto array = parts_.nodes.FindStoredArray(path);
  if (!array) parts_.nodes.FailMissing(path, "an array");
  array->attributes = parts_.waiting.ApplyTo(path, array->attributes);
  return *std::move(array);
}

bool NodeEditor::ChangeStoredArray(std::string_view path, const ArrayMetadata& before, const ArrayMetadata& after) {
  const auto locked = LockAndRefresh(path, GetFormat(path));
  const ArrayMetadata stored = ReadPresent(path);
  CheckChangeable(stored);
  CheckFormat(path, GetFormat(path));
  const ArrayMetadata changed = MakeChanged(stored, before, after, parts_.store);
  const bool is_resized = !(changed.shape == stored.shape);
  if (is_resized || changed.dimension_names != stored.dimension_names) CheckLists(ParentPath(path));
  const NodeFormat& format = GetNodeFormat(changed.zarr_format);
  const auto changes = format.ChangeArray(parts_.documents, path, changed);
  // An equivalent document that is spelled differently is not written: a file of another writer is replaced only for an
  // actual change.
  if (changes != format.ChangeArray(parts_.documents, path, stored)) {
    CheckCanBeRead(parts_.store, path, changed, changes);
    ApplyChanges(path, changes);
    parts_.waiting.Drop(path);  // `stored` contains them
  } else {
    parts_.consolidated.NoteIfOutOfStep(path);
  }
  if (!HaveSameContent(stored, ReadPresent(path))) ForgetCachedArrays(parts_.store, path);
  return is_resized;
}

WaitingDocuments::Documents NodeEditor::PutDocuments(std::string_view path,
                                                     const std::vector<MetadataDocument>& documents) {
  parts_.consolidated.nested().DropAbove(path);
  // The first document makes the path a node: of several processes that create it at the same time, one succeeds. A
  // remote store cannot exclude the others, so the other documents may be deferred.
  WaitingDocuments::Documents written;
  written[JoinKey(path, documents.front().name)] = PutFirst(path, documents.front());
  try {
    for (std::size_t i = 1; i < documents.size(); ++i) {
      const auto& [name, content] = documents[i];
      written[JoinKey(path, name)] = PutDocument(path, name, content, NewNodesWait(), true);
    }
  } catch (...) {
    TakeBackDocuments(path, documents);
    throw;
  }
  return written;
}

void NodeEditor::TakeBackDocuments(std::string_view path, const std::vector<MetadataDocument>& documents) {
  const auto is_one = [&](std::string_view key) {
    return std::ranges::any_of(documents, [&](const auto& document) { return key == JoinKey(path, document.name); });
  };
  try {
    for (const MetadataDocument& document : documents)
      parts_.consolidated.Note(JoinKey(path, document.name), std::nullopt);
    parts_.documents.Forget(path);
    // Also removes the folder, which would obstruct another attempt.
    EraseChosen(parts_.store, path.empty() ? std::string() : std::string(path) + "/",
                [&](std::string_view key, EntryKind) { return is_one(key) ? Choice::kErase : Choice::kKeep; });
  } catch (const std::exception&) {
    // The store rejects writes.
  }
}

JsonNode NodeEditor::PutFirst(std::string_view path, const MetadataDocument& document) {
  const std::string key = JoinKey(path, document.name);
  const std::string text = DumpDocument(document.name, document.content);
  // In a remote store without conditions, one would take another request, and not exclude other processes.
  const bool is_checked = IsOnNetwork() ? HasConditions(parts_.store) : parts_.store.info().lists;
  if (NewNodesWait() || !is_checked) return PutDocument(path, document.name, document.content, NewNodesWait(), true);
  JsonNode content = JsonNode::Parse(text, parts_.store.name(), key);
  if (!parts_.store.Write(key, AsBytes(text), WriteIf::kAbsent)) {
    throw Error(ErrorKind::kInvalidArgument, parts_.store.name(), key, "", "there is a node already");
  }
  try {
    parts_.documents.parsed().Keep(key, text, content);
    parts_.documents.Adopt(path, document.name, content);
    parts_.consolidated.Note(key, content);
  } catch (...) {
    TakeBackDocuments(path, {document});
    throw;
  }
  return content;
}

void NodeEditor::ApplyChanges(std::string_view path, const std::vector<DocumentChange>& changes) {
  for (const DocumentChange& change : changes) {
    if (change.content) {
      PutDocument(path, change.name, *change.content, IsBeingMade(path));
    } else if (!IsBeingMade(path) &&
               (HasConditions(parts_.store) ||
                (!IsOnNetwork() && IsListed(parts_.store, *parts_.root.format, JoinKey(path, change.name))))) {
      // Removals have no conditions: what another process has just set would be lost. And after an interruption,
      // consolidated metadata would list a document that seems to be lost.
      const bool is_there = parts_.documents.Has(path, change.name);
      if (is_there) PutDocument(path, change.name, JsonNode::MakeObject({}), false);
    } else {
      const std::string key = JoinKey(path, change.name);
      parts_.documents.Erase(key, IsBeingMade(path));
      parts_.consolidated.Note(key, std::nullopt);
    }
  }
}

JsonNode NodeEditor::PutDocument(std::string_view path, std::string_view name, const JsonNode& content, bool may_wait,
                                 bool is_new) {
  const std::string key = JoinKey(path, name);
  const bool strips = !path.empty() && name == kV3Document;
  const std::string text = DumpDocument(name, strips ? WithoutConsolidated(content) : content);
  // A root document that contains the consolidated metadata is written together with them, so that they are not lost.
  const bool holds_others = !is_new && key == parts_.root.format->root_document() && parts_.consolidated.IsStored();
  // A pending document has no location in the store yet, which has another version of it.
  const bool waits = may_wait && !holds_others && parts_.documents.waiting().deferring();
  JsonNode document = JsonNode::Parse(text, parts_.store.name(), waits ? "" : key);
  if (!holds_others)
    may_wait ? parts_.documents.PutOrDefer(key, document, text, is_new) : parts_.documents.Put(key, document, text);
  parts_.consolidated.Note(key, document);
  if (holds_others) parts_.consolidated.SaveWithRoot();
  if (key == parts_.root.format->root_document()) parts_.documents.SetRoot(name, document);
  return document;
}

std::shared_ptr<const Array> NodeEditor::Reopen(std::string_view path) {
  parts_.arrays.Drop(std::string(path));
  return parts_.nodes.OpenArray(path);
}

void NodeEditor::ForgetNodes(std::string_view path) {
  ForgetCachedArrays(parts_.store, path);
  parts_.documents.Forget(path);
  parts_.arrays.DropIn(path);
}

std::shared_ptr<void> NodeEditor::LockAndRefresh(std::string_view path, const NodeFormat& format) {
  auto locked = parts_.locks.LockDocuments({GetLockKey(parts_.store, parts_.documents, format, path)});
  if (IsBeingMade(path)) return locked;
  // In a remote store each lookup is a request. Documents that are not in memory are read anyway.
  const bool is_read_anyway = !parts_.nodes.consolidated() && !path.empty() && !parts_.documents.waiting().deferring();
  if (IsOnNetwork() && is_read_anyway && !HasConditions(parts_.store)) return locked;
  if (auto stored = parts_.documents.Refresh(path, format.node_documents())) {
    auto shown = parts_.documents.waiting().ShowStored(*std::move(stored));
    return {this, [locked = std::move(locked), shown = std::move(shown)](NodeEditor*) mutable {
              shown.reset();
              locked.reset();
            }};
  }
  if (parts_.nodes.Probe(path) != NodeKind::kArray) return locked;
  throw Error(ErrorKind::kNotFound, parts_.store.name(), std::string(path), "",
              "the array has been removed or renamed since it was opened");
}

bool NodeEditor::NewNodesWait() const {
  return parts_.documents.waiting().deferring() && (IsOnNetwork() || parts_.making.made_in_empty_place());
}

void NodeEditor::NoteAbsent(std::string_view path) {
  if (!NewNodesWait() || IsOnNetwork()) return;
  for (const std::string_view name : kNodeDocuments) {
    parts_.documents.waiting().NoteAbsent(JoinKey(path, name));
  }
}

}  // namespace zarr
