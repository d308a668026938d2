// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/node_documents.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "zarrlib/hierarchy/formats/node_format.h"
#include "zarrlib/hierarchy/stored_document.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"

namespace zarr {
namespace {

/// The maximum text size in bytes of cached documents; their parsed form takes several times as much.
constexpr std::size_t kMaxKept = std::size_t{32} << 20;

/// How many lists of names are cached, and how many names a cached list may have.
constexpr std::size_t kMaxKeptLists = 256;
constexpr std::size_t kMaxKeptNames = 4096;

/// How many absent documents are remembered.
constexpr std::size_t kMaxAbsent = std::size_t{1} << 17;

}  // namespace

void NodeDocuments::SetConsolidated(std::shared_ptr<ConsolidatedMetadata> consolidated) {
  consolidated_ = std::move(consolidated);
  refreshed_.clear();  // they may be older than what was refreshed
}

void NodeDocuments::SetRoot(std::string_view name, JsonNode document) {
  const std::lock_guard lock(mutex_);
  root_name_ = name;
  root_ = std::move(document);
}

std::optional<JsonNode> NodeDocuments::Read(std::string_view path, std::string_view name) const {
  const std::string key = MakeDocumentKey(path, name);
  std::uint64_t changes = 0;
  {
    const std::lock_guard lock(mutex_);
    if (root_ && path.empty() && name == root_name_) return root_;
    changes = changes_;
  }
  if (auto change = waiting_.Find(key)) return *std::move(change);
  if (consolidated_) {
    if (auto document = consolidated_->Find(key)) return document;
    // If one document of a node is listed, all its documents are: no lookup for a document that was never written.
    if (consolidated_->HasNode(path)) return std::nullopt;
  }
  return Fetch(path, name, changes);
}

std::optional<JsonNode> NodeDocuments::Fetch(std::string_view path, std::string_view name,
                                             std::uint64_t changes) const {
  const std::string key = MakeDocumentKey(path, name);
  {
    const std::lock_guard lock(mutex_);
    if (const auto kept = kept_.find(key); kept != kept_.end()) return kept->second.document;
    if (absent_.contains(key)) return std::nullopt;
  }
  auto document =
      LookFor(key, [&] { return ReadDocument(*store_, key, GetLimit(Limit::kDocument), keep_ ? nullptr : &parsed_); });
  if (!document) {
    NoteAbsent(key, changes);
    return std::nullopt;
  }
  Keep(key, document->content, document->size, changes);
  return std::move(document->content);
}

template <typename Look>
auto NodeDocuments::LookFor(const std::string& key, const Look& look) const -> decltype(look()) {
  if (!refused_absence_) return look();
  {
    const std::lock_guard lock(mutex_);
    if (refused_.contains(key)) return {};
  }
  try {
    return look();
  } catch (const Error& error) {
    if (!refused_absence_->Explains(error)) throw;
    const std::lock_guard lock(mutex_);
    if (refused_.size() < kMaxAbsent) refused_.insert(key);
    return {};
  }
}

void NodeDocuments::Keep(const std::string& key, const JsonNode& document, std::size_t size,
                         std::uint64_t changes) const {
  if (!keep_ && !waiting_.deferring()) return;
  const std::lock_guard lock(mutex_);
  if (kept_size_ + size > kMaxKept || changes != changes_) return;
  if (kept_.try_emplace(key, Kept{document, size}).second) kept_size_ += size;
}

std::shared_ptr<void> NodeDocuments::RememberAbsent() const {
  {
    const std::lock_guard lock(mutex_);
    ++remembering_;
  }
  // Without the lock: if there is no memory for the object, the function that takes the lock is called at once.
  return {static_cast<void*>(&absent_), [this](void*) {
            const std::lock_guard again(mutex_);
            if (--remembering_ == 0) absent_.clear();
          }};
}

void NodeDocuments::NoteAbsent(const std::string& key, std::uint64_t changes) const {
  const std::lock_guard lock(mutex_);
  if (remembering_ > 0 && changes == changes_ && absent_.size() < kMaxAbsent) absent_.insert(key);
}

std::uint64_t NodeDocuments::DropKept(const std::string& key) {
  const std::lock_guard lock(mutex_);
  if (const auto kept = kept_.find(key); kept != kept_.end()) {
    kept_size_ -= kept->second.size;
    kept_.erase(kept);
  }
  absent_.erase(key);
  return ++changes_;
}

bool NodeDocuments::Has(std::string_view path, std::string_view name) const {
  const std::string key = MakeDocumentKey(path, name);
  if (const auto change = waiting_.Find(key)) return change->has_value();
  {
    const std::lock_guard lock(mutex_);
    if (kept_.contains(key)) return true;
  }
  if (consolidated_ && consolidated_->Has(key)) return true;
  if (consolidated_ && !Read(path, name)) return false;
  return LookFor(key, [&] { return store_->Exists(key); });
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

std::optional<WaitingDocuments::Documents> NodeDocuments::Refresh(std::string_view path,
                                                                  std::span<const std::string_view> names, When when) {
  if (when == When::kIfChanged) return RefreshIfChanged(path, names);
  for (const std::string_view name : names) {
    if (waiting_.Find(MakeDocumentKey(path, name))) return WaitingDocuments::Documents();
  }
  WaitingDocuments::Documents documents;
  std::vector<std::size_t> sizes;
  for (const std::string_view name : names) {
    const std::string key = MakeDocumentKey(path, name);
    const auto document = ReadDocument(*store_, key, GetLimit(Limit::kText), &parsed_, Freshness::kNow);
    documents[key] = document ? std::optional(WithoutConsolidated(document->content)) : std::nullopt;
    sizes.push_back(document ? document->size : 0);
  }
  // Some stores have only consolidated metadata.
  if (std::ranges::none_of(documents, [](const auto& document) { return document.second.has_value(); })) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string key = MakeDocumentKey(path, names[i]);
    const std::optional<JsonNode>& document = documents[key];
    Adopt(path, names[i], document);
    if (document) Keep(key, *document, sizes[i], DropKept(key));
  }
  return documents;
}

std::optional<WaitingDocuments::Documents> NodeDocuments::RefreshIfChanged(std::string_view path,
                                                                           std::span<const std::string_view> names) {
  std::vector<std::pair<std::string, std::optional<VersionStamp>>> stamps;
  bool is_there = false;
  bool is_same = true;
  for (const std::string_view name : names) {
    std::string key = MakeDocumentKey(path, name);
    VersionStamp stamp;
    std::optional<VersionStamp> present;
    if (store_->GetStamp(key, &stamp, Freshness::kNow)) present = stamp;
    is_there = is_there || present;
    const std::lock_guard lock(mutex_);
    const auto known = refreshed_.find(key);
    is_same = is_same && known != refreshed_.end() && known->second == present;
    stamps.emplace_back(std::move(key), std::move(present));
  }
  if (!is_there) return std::nullopt;
  if (is_same) return WaitingDocuments::Documents();
  auto documents = Refresh(path, names);
  if (!documents || documents->empty()) return documents;
  // A document that was replaced between the two looks has another stamp at the next call.
  const std::lock_guard lock(mutex_);
  for (auto& [key, stamp] : stamps) {
    if (!stamp || stamp->settled) refreshed_[key] = std::move(stamp);
  }
  return documents;
}

void NodeDocuments::Adopt(std::string_view path, std::string_view name, const std::optional<JsonNode>& document) {
  const std::string key = MakeDocumentKey(path, name);
  DropKept(key);
  {
    const std::lock_guard lock(mutex_);
    if (root_ && path.empty() && name == root_name_ && document) root_ = document;
  }
  if (!consolidated_) return;
  document ? consolidated_->Set(key, *document) : consolidated_->Erase(key);
}

void NodeDocuments::Put(const std::string& key, const JsonNode& document, const std::string& text) {
  DropKept(key);
  store_->Set(key, AsBytes(text));
  waiting_.Settle(key);
  parsed_.Keep(key, text, document);
  Keep(key, document, text.size(), DropKept(key));
}

void NodeDocuments::DropKept() {
  const std::lock_guard lock(mutex_);
  ++changes_;
  kept_.clear();
  absent_.clear();
  kept_names_.clear();
  kept_size_ = 0;
}

void NodeDocuments::PutOrDefer(const std::string& key, const JsonNode& document, const std::string& text, bool is_new) {
  if (!waiting_.Add(key, document, text, is_new)) return Put(key, document, text);
  DropKept(key);  // afterwards, so that no thread caches the stored document
}

void NodeDocuments::Erase(const std::string& key, bool may_wait) {
  const bool waits = may_wait && waiting_.Erase(key);
  if (!waits) {
    DropKept(key);
    store_->Erase(key);
    waiting_.Settle(key);
  }
  DropKept(key);
}

void NodeDocuments::Forget(std::string_view path) {
  const std::string prefix = path.empty() ? std::string() : std::string(path) + "/";
  waiting_.Forget(prefix);
  const std::lock_guard lock(mutex_);
  ++changes_;
  std::erase_if(kept_, [&](const auto& entry) {
    const bool is_below = entry.first.starts_with(prefix);
    if (is_below) kept_size_ -= entry.second.size;
    return is_below;
  });
  absent_.clear();
}

void NodeDocuments::EndDeferring(NodeLocks& locks) {
  waiting_.Commit(&locks);
  waiting_.EndDeferring();
  if (!keep_) {
    const std::lock_guard lock(mutex_);
    ++changes_;
    kept_.clear();
    kept_size_ = 0;
  }
  waiting_.ReportRefused();
}

}  // namespace zarr
