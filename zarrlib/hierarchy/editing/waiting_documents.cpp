// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/editing/waiting_documents.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <set>

#include "zarrlib/base/executor.h"
#include "zarrlib/hierarchy/stored_document.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/store/repeated_change.h"
#include "zarrlib/store/store_locks.h"

namespace zarr {

void WaitingDocuments::Defer() {
  const std::lock_guard lock(mutex_);
  deferring_ = Deferring::kAll;
}

void WaitingDocuments::DeferNew() {
  const std::lock_guard lock(mutex_);
  if (deferring_ == Deferring::kNothing) deferring_ = Deferring::kNew;
}

void WaitingDocuments::EndDeferring() {
  const std::lock_guard lock(mutex_);
  deferring_ = Deferring::kNothing;
}

bool WaitingDocuments::deferring() const {
  const std::lock_guard lock(mutex_);
  return deferring_ == Deferring::kAll;
}

bool WaitingDocuments::defers_new() const {
  const std::lock_guard lock(mutex_);
  return deferring_ != Deferring::kNothing;
}

std::optional<std::optional<JsonNode>> WaitingDocuments::Find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  if (const auto change = changes_.find(key); change != changes_.end()) {
    return std::optional<std::optional<JsonNode>>(std::in_place, change->second.document);
  }
  const auto stored = stored_.find(key);
  if (stored == stored_.end()) return std::nullopt;
  return std::optional<std::optional<JsonNode>>(std::in_place, stored->second);
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

bool WaitingDocuments::HasOwn(std::string_view path) const {
  const std::lock_guard lock(mutex_);
  return !changes_.empty() && std::ranges::any_of(kNodeDocuments, [&](std::string_view name) {
    return changes_.contains(MakeDocumentKey(path, name));
  });
}

std::vector<std::string> WaitingDocuments::ListNames(std::string_view group) const {
  const std::string prefix = group.empty() ? std::string() : std::string(group) + "/";
  std::vector<std::string> names;
  const std::lock_guard lock(mutex_);
  for (auto change = changes_.lower_bound(prefix); change != changes_.end() && change->first.starts_with(prefix);
       ++change) {
    const std::size_t slash = change->first.find('/', prefix.size());
    if (slash == std::string::npos || !change->second.document) continue;
    std::string name = change->first.substr(prefix.size(), slash - prefix.size());
    if (names.empty() || names.back() != name) names.push_back(std::move(name));
  }
  return names;
}

bool WaitingDocuments::IsNew(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto change = changes_.find(key);
  return change != changes_.end() && change->second.is_new;
}

bool WaitingDocuments::Add(const std::string& key, const JsonNode& document, std::string text, bool is_new) {
  const std::lock_guard lock(mutex_);
  if (deferring_ == Deferring::kNothing) return false;
  Change& change = changes_[key];
  change = {document, std::move(text), is_new || change.is_new};
  return true;
}

bool WaitingDocuments::Erase(const std::string& key) {
  const std::lock_guard lock(mutex_);
  if (deferring_ == Deferring::kNothing) return false;
  changes_[key] = {};
  return true;
}

WaitingDocuments::Change WaitingDocuments::Put(const std::string& key) {
  Change change;
  {
    const std::lock_guard lock(mutex_);
    change = changes_.at(key);
  }
  if (change.document && change.is_new && (HasConditions(*store_) || !store_->info().is_on_network())) {
    PutNew(key, change);
  } else if (change.document) {
    store_->Set(key, AsBytes(change.text));
  } else {
    store_->Erase(key);
  }
  Settle(key);
  return change;
}

void WaitingDocuments::PutNew(const std::string& key, const Change& change) {
  const bool is_there = HasConditions(*store_) ? !store_->WriteIfSame(key, AsBytes(change.text), nullptr)
                                               : !store_->Write(key, AsBytes(change.text), WriteIf::kAbsent);
  if (!is_there) return;
  if (key.ends_with(kV2Attributes)) return RepeatWhileOutrun([&] { MergeAttributes(key, *change.document); });
  throw Error(ErrorKind::kInvalidArgument, store_->name(), key, "", "there is a node already");
}

void WaitingDocuments::MergeAttributes(const std::string& key, const JsonNode& attributes) {
  const LockResult lock = Lock(*store_, key, key);
  const auto stored = ReadDocument(*store_, key, GetLimit(Limit::kDocument), nullptr, Freshness::kNow);
  const JsonNode none = JsonNode::MakeObject({});
  const JsonNode merged = ApplyDifference(stored ? stored->content : none, none, attributes);
  store_->Set(key, AsBytes(merged.Dump(JsonNode::Style::kV2)));
}

WaitingDocuments::Order WaitingDocuments::MakeOrder(std::string_view but) const {
  // In this order a process that is stopped in between leaves nodes that can be found and removed.
  Order order;
  const std::lock_guard lock(mutex_);
  for (const auto& [key, change] : changes_) {
    if (key == but) continue;
    const bool is_root = key.find('/') == key.npos;
    (key.ends_with(kV2Attributes) ? order.attributes : is_root ? order.at_root : order.below).push_back(key);
  }
  return order;
}

WaitingDocuments::Documents WaitingDocuments::Commit(std::string_view but) {
  Order order = MakeOrder(but);
  if (!store_->info().is_on_network()) return CommitOneByOne(std::move(order));
  ExecutorOptions options;
  options.width = std::max<std::size_t>(1, store_->info().concurrency);
  for (const std::vector<std::string>& keys : {order.at_root, order.below, order.attributes}) {
    ParallelFor(keys.size(), options, [&](std::uint64_t i) { Put(keys[i]); });
  }
  return {};
}

WaitingDocuments::Documents WaitingDocuments::CommitOneByOne(Order order) {
  // A group before what is in it.
  std::ranges::stable_sort(order.below, {}, [](const std::string& key) { return std::ranges::count(key, '/'); });
  Documents written;
  std::set<std::string, std::less<>> failed;  // the paths of nodes
  std::exception_ptr first;
  for (const std::vector<std::string>& keys : {order.at_root, order.below, order.attributes}) {
    for (const std::string& key : keys) {
      const std::string_view node = SplitKey(key).first;
      if (failed.contains(node)) continue;
      try {
        Change change = Put(key);
        written[key] = std::move(change.document);
        if (!change.is_new) continue;
        for (const std::string_view name : kNodeDocuments) written.try_emplace(JoinKey(node, name), std::nullopt);
      } catch (...) {
        failed.emplace(node);
        if (!first) first = std::current_exception();
      }
    }
  }
  if (first) std::rethrow_exception(first);
  return written;
}

void WaitingDocuments::Settle(const std::string& key) {
  const std::lock_guard lock(mutex_);
  changes_.erase(key);
  stored_.erase(key);
}

void WaitingDocuments::Forget(std::string_view prefix) {
  const std::lock_guard lock(mutex_);
  std::erase_if(changes_, [&](const auto& change) { return change.first.starts_with(prefix); });
}

}  // namespace zarr
