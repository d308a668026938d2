// SPDX-License-Identifier: MIT
#include "driver/stores/document_store.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "driver/stores/http/http_value.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"

namespace gdal_zarr {
namespace {

/// Documents of more bytes are not kept: they are consolidated metadata, which their reader keeps.
constexpr std::size_t kLargestKept = std::size_t{1} << 20;
constexpr std::size_t kMostKept = std::size_t{32} << 20;

/// Whether a key is that of a document that this store deals with. Consolidated metadata and the roots of v3 and of v1
/// are read once, and by nobody who needs others with them.
bool IsNodeDocument(std::string_view key) {
  const std::string_view name = zarr::SplitKey(key).second;
  return name == zarr::kV2Array || name == zarr::kV2Group || name == zarr::kV2Attributes || name == zarr::kV3Document ||
         name == zarr::kV2Consolidated;
}

}  // namespace

DocumentStore::DocumentStore(std::shared_ptr<VsiStore> store, const std::optional<std::string>& array)
    : store_(std::move(store)) {
  if (!array || !zarr::IsKey(*array)) return;
  for (const std::string_view name : {zarr::kV2Array, zarr::kV2Attributes}) {
    with_root_.push_back(zarr::JoinKey(*array, name));
  }
}

std::shared_ptr<const DocumentStore::Answer> DocumentStore::Find(std::string_view key) const {
  const std::lock_guard lock(mutex_);
  const auto found = answers_.find(std::string(key));
  return found == answers_.end() ? nullptr : found->second;
}

void DocumentStore::Keep(const std::string& key, Answer answer) const {
  const std::size_t size = answer ? answer->size() : 0;
  auto kept = std::make_shared<const Answer>(std::move(answer));
  const std::lock_guard lock(mutex_);
  if (size > kLargestKept || kept_bytes_ + size > kMostKept) return;
  if (answers_.try_emplace(key, std::move(kept)).second) kept_bytes_ += size;
}

std::shared_ptr<const DocumentStore::Answer> DocumentStore::Fetch(std::string_view key) const {
  if (auto known = Find(key)) return known;
  const auto [path, name] = zarr::SplitKey(key);
  std::vector<std::string> wanted{std::string(key)};
  const auto add = [&, folder = path](std::string_view other) { wanted.push_back(zarr::JoinKey(folder, other)); };
  if (name == zarr::kV2Array || name == zarr::kV2Group) add(zarr::kV2Attributes);
  if (path.empty() && name == zarr::kV2Array) {
    add(zarr::kV2Group);
    wanted.insert(wanted.end(), with_root_.begin(), with_root_.end());
  }
  if (wanted.size() > 1) Prefetch(wanted);
  return Find(key);
}

void DocumentStore::Prefetch(std::span<const std::string> keys) const {
  if (!store_->fetches_together()) return;
  std::vector<std::string> wanted;
  for (const std::string& key : keys) {
    if (IsNodeDocument(key) && !Find(key) && std::find(wanted.begin(), wanted.end(), key) == wanted.end()) {
      wanted.push_back(key);
    }
  }
  std::vector<FetchedValue> values = store_->FetchTogether(wanted, zarr::kMaxDocumentSize);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].known) Keep(wanted[i], values[i].absent ? Answer() : Answer(std::move(values[i].bytes)));
  }
}

bool DocumentStore::Get(std::string_view key, zarr::Bytes* value, zarr::VersionStamp* stamp,
                        std::uint64_t max_size) const {
  if (stamp || !IsNodeDocument(key)) return store_->Get(key, value, stamp, max_size);
  if (const auto known = Fetch(key)) {
    if (!*known) return false;
    // Its reader keeps it. One that is broken is to be asked for again, because the server may have failed.
    Forget(key);
    zarr::CheckValueSize((*known)->size(), max_size);
    *value = **known;
    return true;
  }
  const bool found = store_->Get(key, value, nullptr, max_size);
  if (!found) Keep(std::string(key), Answer());
  return found;
}

bool DocumentStore::Exists(std::string_view key) const {
  if (!IsNodeDocument(key)) return store_->Exists(key);
  if (const auto known = Fetch(key)) return known->has_value();
  // It will be read if it is there.
  zarr::Bytes value;
  const bool found = store_->Get(key, &value, nullptr, zarr::kMaxTextSize);
  Keep(std::string(key), found ? Answer(std::move(value)) : Answer());
  return found;
}

void DocumentStore::Set(std::string_view key, zarr::ByteSpan value) {
  store_->Set(key, value);
  Forget(key);
}

void DocumentStore::Erase(std::string_view key) {
  store_->Erase(key);
  Forget(key);
}

void DocumentStore::Forget(std::string_view key) const {
  const std::lock_guard lock(mutex_);
  const auto found = answers_.find(std::string(key));
  if (found == answers_.end()) return;
  if (*found->second) kept_bytes_ -= (*found->second)->size();
  answers_.erase(found);
}

}  // namespace gdal_zarr
