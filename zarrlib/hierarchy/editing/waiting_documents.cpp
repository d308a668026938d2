// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/editing/waiting_documents.h"

#include <algorithm>
#include <vector>

#include "zarrlib/base/executor.h"
#include "zarrlib/hierarchy/editing/node_locks.h"
#include "zarrlib/hierarchy/stored_document.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/store/repeated_change.h"
#include "zarrlib/store/store_locks.h"

namespace zarr {
namespace {

bool IsAtOrBelow(std::string_view key, std::string_view path) {
  return key.starts_with(path) && (path.empty() || key.size() == path.size() || key[path.size()] == '/');
}

}  // namespace

void WaitingDocuments::Defer() {
  const std::lock_guard lock(mutex_);
  deferring_ = true;
}

void WaitingDocuments::EndDeferring() {
  const std::lock_guard lock(mutex_);
  deferring_ = false;
  absent_.clear();
}

bool WaitingDocuments::deferring() const {
  const std::lock_guard lock(mutex_);
  return deferring_;
}

std::optional<std::optional<JsonNode>> WaitingDocuments::Find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  if (const auto change = changes_.find(key); change != changes_.end()) {
    return std::optional<std::optional<JsonNode>>(std::in_place, change->second.document);
  }
  if (const auto stored = stored_.find(key); stored != stored_.end()) {
    return std::optional<std::optional<JsonNode>>(std::in_place, stored->second);
  }
  if (absent_.contains(key)) return std::optional<std::optional<JsonNode>>(std::in_place, std::nullopt);
  return std::nullopt;
}

std::shared_ptr<void> WaitingDocuments::ShowStored(Documents documents) {
  // If the pointer cannot be created, this is called immediately, and needs the mutex.
  std::shared_ptr<void> shown(this, [](WaitingDocuments* self) {
    const std::lock_guard lock(self->mutex_);
    self->stored_.clear();
  });
  const std::lock_guard lock(mutex_);
  stored_ = std::move(documents);
  return shown;
}

bool WaitingDocuments::HasAny() const {
  const std::lock_guard lock(mutex_);
  return !changes_.empty();
}

bool WaitingDocuments::HasAt(std::string_view path) const {
  const std::string prefix = std::string(path) + "/";
  const std::lock_guard lock(mutex_);
  const auto change = changes_.lower_bound(prefix);
  return change != changes_.end() && change->first.starts_with(prefix);
}

std::set<std::string> WaitingDocuments::GetNewNames(std::string_view group) const {
  const std::string prefix = group.empty() ? std::string() : std::string(group) + "/";
  std::set<std::string> names;
  const std::lock_guard lock(mutex_);
  for (auto change = changes_.lower_bound(prefix); change != changes_.end() && change->first.starts_with(prefix);
       ++change) {
    const std::size_t slash = change->first.find('/', prefix.size());
    if (change->second.is_new && slash != std::string::npos) {
      names.insert(change->first.substr(prefix.size(), slash - prefix.size()));
    }
  }
  return names;
}

bool WaitingDocuments::HasOwn(std::string_view path) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(changes_, [&](const auto& change) { return SplitKey(change.first).first == path; });
}

bool WaitingDocuments::IsNew(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto change = changes_.find(key);
  return change != changes_.end() && change->second.is_new;
}

void WaitingDocuments::NoteAbsent(const std::string& key) {
  const std::lock_guard lock(mutex_);
  if (deferring_ && !changes_.contains(key)) absent_.insert(key);
}

bool WaitingDocuments::Add(const std::string& key, const JsonNode& document, std::string text, bool is_new) {
  const std::lock_guard lock(mutex_);
  if (!deferring_) return false;
  // The new node did not have this document, but others may have written one.
  is_new |= absent_.erase(key) > 0 || (key.ends_with(kV2Attributes) && IsOfNewNode(key));
  Change& change = changes_[key];
  change = {document, std::move(text), is_new || change.is_new, ++number_, std::move(change.tried)};
  return true;
}

bool WaitingDocuments::IsOfNewNode(const std::string& key) const {
  const std::string_view path = SplitKey(key).first;
  return std::ranges::any_of(kNodeDocuments, [&](std::string_view name) {
    const auto change = changes_.find(JoinKey(path, name));
    return change != changes_.end() && change->second.is_new;
  });
}

bool WaitingDocuments::Erase(const std::string& key) {
  const std::lock_guard lock(mutex_);
  if (deferring_)
    changes_[key] = {.document = std::nullopt, .text = {}, .is_new = false, .number = ++number_, .tried = {}};
  return deferring_;
}

WaitingDocuments::Outcome WaitingDocuments::Put(const std::string& key) {
  Change change;
  {
    const std::lock_guard lock(mutex_);
    const auto found = changes_.find(key);
    if (found == changes_.end()) return Outcome::kNone;  // perhaps refused together with another document of the node
    change = found->second;
    found->second.tried = change.text;
  }
  if (change.document && change.is_new && (HasConditions(*store_) || !store_->info().is_on_network())) {
    if (!PutNew(key, change)) return Outcome::kLocked;
  } else if (change.document) {
    store_->Set(key, AsBytes(change.text));
  } else {
    store_->Erase(key);
  }
  SettleChange(key, change.number);
  return Outcome::kPut;
}

void WaitingDocuments::SettleChange(const std::string& key, std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  const auto change = changes_.find(key);
  if (change != changes_.end() && change->second.number != number) {
    change->second.is_new = false;
  } else if (change != changes_.end()) {
    changes_.erase(change);
  }
  stored_.erase(key);
  absent_.erase(key);
}

bool WaitingDocuments::PutNew(const std::string& key, const Change& change) {
  const ByteSpan text = AsBytes(change.text);
  if (HasConditions(*store_) ? store_->WriteIfSame(key, text, nullptr) : store_->Write(key, text, WriteIf::kAbsent)) {
    return true;
  }
  // A document that an earlier attempt has stored was not made by another process.
  const bool is_tried = !change.tried.empty();
  if (is_tried && store_->GetText(key, GetLimit(Limit::kDocument), Freshness::kNow) == change.tried) {
    if (change.tried != change.text) store_->Set(key, text);
    return true;
  }
  if (key.ends_with(kV2Attributes)) return RepeatWhileOutrun([&] { return MergeAttributes(key, *change.document); });
  Refuse(key, *change.document);
  return true;
}

void WaitingDocuments::Refuse(const std::string& key, const JsonNode& document) {
  const auto [path, name] = SplitKey(key);
  const bool is_array = name == kV3Document ? GetNodeTypeV3(document) == "array" : name == kV2Array;
  const Error error(ErrorKind::kInvalidArgument, store_->name(), key, "", "there is a node already");
  const std::lock_guard lock(mutex_);
  const auto is_of_node = [node = path](std::string_view other) { return SplitKey(other).first == node; };
  std::erase_if(changes_, [&](const auto& pending) { return is_of_node(pending.first); });
  std::erase_if(absent_, is_of_node);
  refused_.insert_or_assign(std::string(path), Refusal{error, is_array});
  unreported_ = error;
}

void WaitingDocuments::ReportRefused() {
  const std::lock_guard lock(mutex_);
  if (unreported_) throw *std::exchange(unreported_, std::nullopt);
}

bool WaitingDocuments::IsRefused(std::string_view path) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(refused_, [path](const auto& refused) { return IsAtOrBelow(refused.first, path); });
}

void WaitingDocuments::CheckNotRefused(std::string_view key) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [path, refusal] : refused_) {
    if (key == path || (refusal.is_array && IsAtOrBelow(key, path))) throw Error(refusal.error);
  }
}

std::string WaitingDocuments::GetLockingDocument(const std::string& attributes_key) const {
  // The one that all changes of the node lock, see GetLockKey. It has been stored before the attributes.
  const std::string_view path = SplitKey(attributes_key).first;
  std::string array = JoinKey(path, kV2Array);
  return store_->Exists(array, Freshness::kNow) ? array : JoinKey(path, kV2Group);
}

bool WaitingDocuments::MergeAttributes(const std::string& key, const JsonNode& attributes) {
  const std::string document = GetLockingDocument(key);
  const LockResult lock = document == held_ ? LockResult() : Lock(*store_, document, key, false);
  if (document != held_ && !lock.lock) return false;
  const auto stored = ReadDocument(*store_, key, GetLimit(Limit::kDocument), nullptr, Freshness::kNow);
  const JsonNode none = JsonNode::MakeObject({});
  const JsonNode merged = ApplyDifference(stored ? stored->content : none, none, attributes);
  store_->Set(key, AsBytes(merged.Dump(JsonNode::Style::kV2)));
  return true;
}

void WaitingDocuments::CommitNodeOf(std::string_view key) {
  const std::lock_guard commit_lock(commit_mutex_);
  held_.clear();
  for (std::string_view path = SplitKey(key).first;; path = ParentPath(path)) {
    bool is_node = false;
    for (const std::string_view name : kNodeDocuments)  // attributes last
      is_node |= Put(JoinKey(path, name)) != Outcome::kNone;
    if (is_node || path.empty()) return;
  }
}

void WaitingDocuments::Commit(NodeLocks* locks, std::string_view but) {
  std::vector<std::string> locking = CommitOnce(but, "");
  while (locks && !locking.empty()) {
    // Waits without the mutex: the holder of a lock may need it to write a value.
    const auto locked = locks->LockDocuments({locking.front()});
    locking = CommitOnce(but, locking.front());
  }
}

std::vector<std::string> WaitingDocuments::CommitOnce(std::string_view but, const std::string& held) {
  const std::lock_guard commit_lock(commit_mutex_);
  held_ = held;
  // In this order a process that is stopped in between leaves nodes that can be found and removed.
  std::vector<std::string> at_root;
  std::vector<std::string> below;
  std::vector<std::string> attributes;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, change] : changes_) {
      if (key == but) continue;
      const bool is_root = key.find('/') == key.npos;
      (key.ends_with(kV2Attributes) ? attributes : is_root ? at_root : below).push_back(key);
    }
  }
  ExecutorOptions options;
  options.width = std::max<std::size_t>(1, store_->info().concurrency);
  std::vector<std::string> locking;
  for (const std::vector<std::string>& keys : {at_root, below, attributes}) {
    std::vector<Outcome> outcomes(keys.size());
    ParallelFor(keys.size(), options, [&](std::uint64_t i) { outcomes[i] = Put(keys[i]); });
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (outcomes[i] == Outcome::kLocked) locking.push_back(GetLockingDocument(keys[i]));
    }
  }
  return locking;
}

void WaitingDocuments::Settle(const std::string& key) {
  const std::lock_guard lock(mutex_);
  changes_.erase(key);
  stored_.erase(key);
  absent_.erase(key);
}

void WaitingDocuments::Forget(std::string_view prefix) {
  const std::lock_guard lock(mutex_);
  std::erase_if(changes_, [&](const auto& change) { return change.first.starts_with(prefix); });
  std::erase_if(absent_, [&](const std::string& key) { return key.starts_with(prefix); });
}

}  // namespace zarr
