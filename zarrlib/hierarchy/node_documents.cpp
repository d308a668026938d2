// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/node_documents.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "zarrlib/base/executor.h"
#include "zarrlib/hierarchy/formats/node_format.h"
#include "zarrlib/hierarchy/stored_document.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"

namespace zarr {
namespace {

/// The most bytes of text of which the documents are kept; their parsed form takes several times as much.
constexpr std::size_t kMaxKept = std::size_t{8} << 20;

/// How many lists of names are kept, and how many names a list has that is kept.
constexpr std::size_t kMaxKeptLists = 256;
constexpr std::size_t kMaxKeptNames = 4096;

}  // namespace

void NodeDocuments::SetRoot(std::string_view name, JsonNode document) {
  const std::lock_guard lock(mutex_);
  root_name_ = name;
  root_ = std::move(document);
}

std::optional<JsonNode> NodeDocuments::Read(std::string_view path, std::string_view name) const {
  const std::string key = MakeDocumentKey(path, name);
  {
    const std::lock_guard lock(mutex_);
    if (root_ && path.empty() && name == root_name_) return root_;
    if (const auto change = changes_.find(key); change != changes_.end()) return change->second.document;
  }
  if (consolidated_) {
    if (auto document = consolidated_->Find(key)) return document;
    // The other documents of a node that is there are there too: no look-up for a document that was never written.
    if (consolidated_->HasNode(path)) return std::nullopt;
  }
  return Fetch(path, name);
}

std::optional<JsonNode> NodeDocuments::Fetch(std::string_view path, std::string_view name) const {
  const std::string key = MakeDocumentKey(path, name);
  {
    const std::lock_guard lock(mutex_);
    if (const auto kept = kept_.find(key); kept != kept_.end()) return kept->second;
  }
  auto document = ReadDocument(*store_, key, GetLimit(Limit::kDocument), keep_ ? nullptr : &parsed_);
  if (!document) return std::nullopt;
  Keep(key, document->content, document->size);
  return std::move(document->content);
}

void NodeDocuments::Keep(const std::string& key, const JsonNode& document, std::size_t size) const {
  const std::lock_guard lock(mutex_);
  if (!(keep_ || deferring_) || kept_size_ + size > kMaxKept) return;
  if (kept_.emplace(key, document).second) kept_size_ += size;
}

bool NodeDocuments::Has(std::string_view path, std::string_view name) const {
  const std::string key = MakeDocumentKey(path, name);
  {
    const std::lock_guard lock(mutex_);
    if (const auto change = changes_.find(key); change != changes_.end()) return change->second.document.has_value();
    if (kept_.contains(key)) return true;
  }
  if (consolidated_ && consolidated_->Has(key)) return true;
  if (consolidated_ && !Read(path, name)) return false;
  return store_->Exists(key);
}

bool NodeDocuments::Keeps(std::string_view path, std::string_view name) const {
  const std::lock_guard lock(mutex_);
  return (root_ && path.empty() && name == root_name_) || kept_.contains(MakeDocumentKey(path, name));
}

std::optional<std::vector<std::string>> NodeDocuments::ListNames(const NodeFormat& format,
                                                                 std::string_view path) const {
  const std::string group(path);
  if (!keep_ || !store_->info().is_on_network()) return format.ListNames(*store_, path);
  {
    const std::lock_guard lock(mutex_);
    if (const auto kept = kept_names_.find(group); kept != kept_names_.end()) return kept->second;
  }
  auto names = format.ListNames(*store_, path);
  const std::lock_guard lock(mutex_);
  if (names && kept_names_.size() < kMaxKeptLists && names->size() <= kMaxKeptNames) kept_names_[group] = *names;
  return names;
}

std::string_view NodeDocuments::GetNodeType(std::string_view path) const {
  return consolidated_ ? consolidated_->GetNodeType(path) : std::string_view();
}

bool NodeDocuments::Refresh(std::string_view path, std::span<const std::string_view> names) {
  {
    const std::lock_guard lock(mutex_);
    for (const std::string_view name : names) {
      if (changes_.contains(MakeDocumentKey(path, name))) return true;
    }
  }
  std::vector<std::optional<JsonNode>> documents;
  std::vector<std::size_t> sizes;
  for (const std::string_view name : names) {
    const std::string key = MakeDocumentKey(path, name);
    const auto document = ReadDocument(*store_, key, GetLimit(Limit::kText), &parsed_, Freshness::kNow);
    documents.push_back(document ? std::optional(WithoutConsolidated(document->content)) : std::nullopt);
    sizes.push_back(document ? document->size : 0);
  }
  // Some stores have consolidated metadata alone.
  if (std::none_of(documents.begin(), documents.end(), [](const auto& document) { return document.has_value(); })) {
    return false;
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    Adopt(path, names[i], documents[i]);
    if (documents[i]) Keep(MakeDocumentKey(path, names[i]), *documents[i], sizes[i]);
  }
  return true;
}

void NodeDocuments::Adopt(std::string_view path, std::string_view name, const std::optional<JsonNode>& document) {
  const std::string key = MakeDocumentKey(path, name);
  {
    const std::lock_guard lock(mutex_);
    kept_.erase(key);
    if (root_ && path.empty() && name == root_name_ && document) root_ = document;
  }
  if (!consolidated_) return;
  document ? consolidated_->Set(key, *document) : consolidated_->Erase(key);
}

void NodeDocuments::Put(const std::string& key, const JsonNode& document, const std::string& text) {
  {
    const std::lock_guard lock(mutex_);
    kept_.erase(key);
  }
  store_->Set(key, AsBytes(text));
  {
    const std::lock_guard lock(mutex_);
    changes_.erase(key);
  }
  parsed_.Keep(key, text, document);
  Keep(key, document, text.size());
}

void NodeDocuments::DropKept() {
  const std::lock_guard lock(mutex_);
  kept_.clear();
  kept_names_.clear();
  kept_size_ = 0;
}

void NodeDocuments::PutOrDefer(const std::string& key, const JsonNode& document, std::string text) {
  {
    const std::lock_guard lock(mutex_);
    if (deferring_) {
      kept_.erase(key);
      changes_[key] = {document, std::move(text)};
      return;
    }
  }
  Put(key, document, text);
}

void NodeDocuments::Erase(const std::string& key, bool may_wait) {
  bool waits = false;
  {
    const std::lock_guard lock(mutex_);
    kept_.erase(key);
    waits = may_wait && deferring_;
    if (waits) changes_[key] = {};
  }
  if (!waits) store_->Erase(key);
}

void NodeDocuments::Defer() {
  const std::lock_guard lock(mutex_);
  deferring_ = true;
}

bool NodeDocuments::deferring() const {
  const std::lock_guard lock(mutex_);
  return deferring_;
}

bool NodeDocuments::HasWaiting() const {
  const std::lock_guard lock(mutex_);
  return !changes_.empty();
}

bool NodeDocuments::HasWaitingAt(std::string_view path) const {
  const std::string prefix = std::string(path) + "/";
  const std::lock_guard lock(mutex_);
  const auto change = changes_.lower_bound(prefix);
  return change != changes_.end() && change->first.starts_with(prefix);
}

void NodeDocuments::PutChange(const std::string& key) {
  Change change;
  {
    const std::lock_guard lock(mutex_);
    change = changes_.at(key);
  }
  if (change.document) {
    store_->Set(key, AsBytes(change.text));
  } else {
    store_->Erase(key);
  }
  Settle(key);
}

void NodeDocuments::Settle(const std::string& key) {
  const std::lock_guard lock(mutex_);
  changes_.erase(key);
}

void NodeDocuments::Commit(std::string_view but) {
  // A process that is stopped in between leaves nodes that can be found and removed.
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
  for (const std::vector<std::string>& keys : {at_root, below, attributes}) {
    ParallelFor(keys.size(), options, [&](std::uint64_t i) { PutChange(keys[i]); });
  }
}

void NodeDocuments::Forget(std::string_view path) {
  const std::string prefix = path.empty() ? std::string() : std::string(path) + "/";
  const auto is_below = [&](const auto& entry) { return entry.first.starts_with(prefix); };
  const std::lock_guard lock(mutex_);
  std::erase_if(changes_, is_below);
  std::erase_if(kept_, is_below);
}

void NodeDocuments::EndDeferring() {
  Commit();
  const std::lock_guard lock(mutex_);
  deferring_ = false;
  if (!keep_) {
    kept_.clear();
    kept_size_ = 0;
  }
}

}  // namespace zarr
