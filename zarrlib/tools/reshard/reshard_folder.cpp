// SPDX-License-Identifier: MIT
#include "zarrlib/tools/reshard/reshard_folder.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "zarrlib/base/system/file_names.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/store/files/filesystem_tree.h"
#include "zarrlib/store/files/folder_names.h"
#include "zarrlib/store/files/lock_file.h"
#include "zarrlib/store/files/path_text.h"
#include "zarrlib/store/filesystem_store.h"
#include "zarrlib/store/store_folders.h"
#include "zarrlib/store/temporary_names.h"
#include "zarrlib/tools/array_folder.h"
#include "zarrlib/tools/interrupt.h"

namespace zarr::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kState = "reshard.json";
constexpr std::string_view kLock = "lock";

bool IsThere(const fs::path& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

/// Reads the document of a group; returns nullopt if it does not contain consolidated metadata.
std::optional<JsonNode> FetchGroup(const Store& store, std::string_view group) {
  const std::string key = JoinKey(group, kV3Document);
  const auto text = store.GetText(key, GetLimit(Limit::kText));
  if (!text) return std::nullopt;
  JsonNode document = JsonNode::Parse(*text, store.name(), key);
  return document.Has(kConsolidatedMember) ? std::optional(std::move(document)) : std::nullopt;
}

void DropMember(Store* store, std::string_view group, const JsonNode& document) {
  const std::string text = CopyWithoutMember(document, kConsolidatedMember).Dump(JsonNode::Style::kV3);
  store->Set(JoinKey(group, kV3Document), AsBytes(text));
}

JsonNode MakeList(const std::vector<std::string>& groups) {
  std::vector<JsonNode> list;
  for (const std::string& group : groups) list.push_back(JsonNode::MakeString("/" + group));
  return JsonNode::MakeArray(list);
}

std::vector<std::string> ReadList(const JsonNode& list) {
  // Earlier states told whether the root is one of them, and nothing of others.
  if (list.IsBoolean()) return std::vector<std::string>(list.AsBoolean() ? 1 : 0);
  std::vector<std::string> groups;
  for (const JsonNode& group : list.GetItems()) groups.push_back(group.AsString().substr(1));
  return groups;
}

HierarchyOptions MakeOwnDocumentOptions() {
  HierarchyOptions options;
  options.use_consolidated = false;
  return options;
}

}  // namespace

ReshardFolder::ReshardFolder(std::shared_ptr<Store> store, std::string_view path)
    : store_(std::move(store)), path_(path), folder_(GetKey(path)) {
  CheckOwn();
  Lock();
  CheckOwn();  // again, now that no other process can change the folder
  if (!store_->Exists(JoinKey(folder_, kState))) Save();
}

std::string ReshardFolder::GetKey(std::string_view path) {
  const auto [parent, name] = SplitKey(path);
  return JoinKey(parent, std::string(kReshardPrefix) + std::string(name));
}

bool ReshardFolder::Exists(const Store& store, std::string_view path) {
  return IsThere(ToPath(store.name() + "/" + GetKey(path)));
}

std::string ReshardFolder::GetPath(std::string_view key) const {
  return store_->name() + "/" + std::string(key);
}

void ReshardFolder::CheckOwn() {
  const fs::path path = ToPath(GetPath(folder_));
  if (!IsThere(path)) return;
  const auto fail = [&] {
    throw Error(ErrorKind::kInvalidArgument, store_->name(), folder_, "",
                "zarrkit needs this name, but has not made this folder: move it away");
  };
  if (!fs::is_directory(fs::symlink_status(path))) fail();
  if (const auto text = store_->GetText(JoinKey(folder_, kState))) {
    const JsonNode state = JsonNode::Parse(*text, store_->name(), JoinKey(folder_, kState));
    if (!state.Has("zarrkit")) fail();
    state_ = {state.At("step").AsString() == "swap", ReadList(state.At("consolidated")),
              state.At("zarr_format").AsInt64() == 3};
    TakePlaceOf(state);
    return;
  }
  for (const auto& [name, kind] : ListFolder(GetPath(folder_)).value_or(std::vector<StoreEntry>())) {
    if (name != kLock && !IsOwnTemporaryName(name)) fail();
  }
}

void ReshardFolder::TakePlaceOf(const JsonNode& state) {
  const std::string noted = state.At("array").AsString().substr(1);
  if (noted == path_) return;
  if (path_.ends_with("/" + noted)) {  // the work began in the folder of a group
    const std::string group = path_.substr(0, path_.size() - noted.size() - 1);
    for (std::string& inner : state_.consolidated) inner = inner.empty() ? group : JoinKey(group, inner);
    return;
  }
  const std::string group = noted.ends_with("/" + path_) ? noted.substr(0, noted.size() - path_.size() - 1) : "";
  if (group.empty() || !store_->name().ends_with("/" + group))
    state.At("array").FailExpected("the array of this folder, /" + path_);
  // The work began in a larger store.
  store_ = std::make_shared<FilesystemStore>(store_->name().substr(0, store_->name().size() - group.size() - 1));
  path_ = noted;
  folder_ = GetKey(path_);
}

void ReshardFolder::Lock() {
  lock_ = HoldLockFile(GetPath(JoinKey(folder_, kLock)));
  if (!lock_)
    throw Error(ErrorKind::kIo, store_->name(), folder_, "", "another zarrkit reshard is at work on this array");
}

void ReshardFolder::Save() {
  const JsonNode state = JsonNode::MakeObject({{"zarrkit", JsonNode::MakeString("reshard")},
                                               {"array", JsonNode::MakeString("/" + path_)},
                                               {"step", JsonNode::MakeString(state_.swapping ? "swap" : "copy")},
                                               {"consolidated", MakeList(state_.consolidated)},
                                               {"zarr_format", JsonNode::MakeInteger(state_.v3 ? 3 : 2)}});
  const std::string text = state.Dump(JsonNode::Style::kV3);
  store_->Set(JoinKey(folder_, kState), AsBytes(text));
}

std::vector<std::string> ReshardFolder::FindConsolidated() const {
  std::vector<std::string> groups;
  std::string_view group = path_;
  while (!group.empty()) {
    group = ParentPath(group);
    const bool has =
        state_.v3 ? FetchGroup(*store_, group).has_value() : store_->Exists(JoinKey(group, kV2Consolidated));
    if (has) groups.emplace_back(group);
  }
  return groups;
}

void ReshardFolder::CheckTakesChanges(ZarrFormat format) {
  state_.v3 = format == ZarrFormat::kV3;
  for (const std::string& group : FindConsolidated()) {
    if (MayChangeNamesIn(GetPath(group))) continue;
    throw Error(ErrorKind::kIo, store_->name(), group, "",
                "the consolidated metadata in this folder list the array, and this process may not replace them");
  }
}

void ReshardFolder::DropConsolidated() {
  for (const std::string& group : state_.consolidated) {
    if (!state_.v3) {
      store_->Erase(JoinKey(group, kV2Consolidated));
    } else if (const auto document = FetchGroup(*store_, group)) {
      DropMember(store_.get(), group, *document);
    }
  }
}

void ReshardFolder::RestoreConsolidated() {
  const auto hierarchy = EditableHierarchy::Open(store_, MakeOwnDocumentOptions());
  for (const std::string& group : state_.consolidated) hierarchy->SetConsolidate(true, group);
  hierarchy->WriteConsolidated();
}

bool ReshardFolder::HasArray(std::string_view path) const {
  return store_->Exists(JoinKey(path, state_.v3 ? kV3Document : kV2Array));
}

void ReshardFolder::Swap(const Array& old_array, const std::vector<MetadataDocument>& documents) {
  state_.v3 = old_array.metadata().zarr_format == ZarrFormat::kV3;
  const auto style = state_.v3 ? JsonNode::Style::kV3 : JsonNode::Style::kV2;
  for (const MetadataDocument& document : documents) {
    const std::string text = document.content.Dump(style);
    store_->Set(JoinKey(array_path(), document.name), AsBytes(text));
  }
  const ArrayFolder own(*store_, old_array.metadata());
  own.CopyOthers(path_, array_path());
  state_.consolidated = FindConsolidated();
  state_.swapping = true;
  Save();
  DropConsolidated();
  if (store_->folders()->Exchange(path_ + "/", array_path() + "/")) return;
  store_->folders()->Rename(path_ + "/", JoinKey(folder_, "old") + "/");
  store_->folders()->Rename(array_path() + "/", path_ + "/");
}

bool ReshardFolder::Clear() {
  const std::string places[] = {array_path(), JoinKey(folder_, "old")};
  bool placed = false;
  if (state_.swapping) {
    for (const std::string& place : places) {
      if (HasArray(path_) || !HasArray(place)) continue;
      store_->folders()->Rename(place + "/", path_ + "/");
      placed = true;
    }
    const auto array = Hierarchy::Open(store_, MakeOwnDocumentOptions())->OpenArray(path_);
    const ArrayFolder own(*store_, array->metadata());
    for (const std::string& place : places) own.CopyOthers(place, path_);
    ForgetCachedArrays(*store_, path_);
    if (!state_.consolidated.empty()) RestoreConsolidated();
  }
  // Unrelated files have been linked or copied to the array's folder by now.
  const auto choose_all = [](std::string_view, EntryKind kind) {
    InterruptWatch::Check();
    return kind == EntryKind::kFolder ? Choice::kEnter : Choice::kErase;
  };
  for (const std::string& place : places) EraseChosen(*store_, place + "/", choose_all);
  store_->Erase(JoinKey(folder_, kState));
  store_->Erase(JoinKey(folder_, kLock));
  lock_.reset();  // some systems keep the name of a removed file while the file is open
  std::error_code error;
  for (const std::string& name : ListNames(GetPath(folder_), &error)) {
    if (IsOwnTemporaryName(name)) RemoveFile(GetPath(folder_) + "/" + name);
  }
  RemoveFolder(GetPath(folder_));
  return placed;
}

}  // namespace zarr::tools
