// SPDX-License-Identifier: MIT
#include "driver/stores/listing_store.h"

#include <cpl_vsi.h>

#include <utility>

#include "zarrlib/metadata/document_names.h"

namespace gdal_zarr {

std::pair<std::string, std::string> ListingStore::Split(std::string_view key) {
  const std::size_t slash = key.rfind('/');
  const std::size_t length = slash == std::string_view::npos ? 0 : slash + 1;
  return {std::string(key.substr(0, length)), std::string(key.substr(length))};
}

bool ListingStore::MayExist(std::string_view key) const {
  const auto [folder, name] = Split(key);
  if (zarr::IsMetadataName(name) || store_->capabilities().concurrency == 0) return true;
  {
    const std::lock_guard lock(mutex_);
    const auto found = folders_.find(folder);
    if (found != folders_.end()) return !found->second || found->second->contains(name);
  }
  std::optional<Names> names = GetNames(folder);
  const std::lock_guard lock(mutex_);
  const auto& known = folders_.try_emplace(folder, std::move(names)).first->second;
  return !known || known->contains(name);
}

/// Returns nothing if the listing has no names: GDAL then may have failed to understand the server's page.
std::optional<ListingStore::Names> ListingStore::GetNames(const std::string& folder) const {
  // Drops the listing that GDAL may have cached: it would hide values that were added since.
  const std::string path = store_->name() + (folder.empty() ? "" : "/") + folder.substr(0, folder.rfind('/'));
  if (!VSIIsLocal(path.c_str())) VSICurlPartialClearCache(path.c_str());
  const std::optional<Listing> listing = store_->List(folder);
  if (!listing) return std::nullopt;
  if (listing->keys.empty() && listing->prefixes.empty()) return std::nullopt;
  return Names(listing->keys.begin(), listing->keys.end());
}

void ListingStore::Set(std::string_view key, zarr::ByteSpan value) {
  store_->Set(key, value);
  AddName(key);
}

bool ListingStore::SetIfAbsent(std::string_view key, zarr::ByteSpan value) {
  const bool is_set = store_->SetIfAbsent(key, value);
  AddName(key);
  return is_set;
}

void ListingStore::AddName(std::string_view key) {
  const auto [folder, name] = Split(key);
  const std::lock_guard lock(mutex_);
  const auto found = folders_.find(folder);
  if (found != folders_.end() && found->second) found->second->insert(name);
}

bool ListingStore::Get(std::string_view key, zarr::Bytes* value, zarr::VersionStamp* stamp,
                       std::uint64_t max_size) const {
  return MayExist(key) && store_->Get(key, value, stamp, max_size);
}

bool ListingStore::GetRanges(std::string_view key, std::span<const zarr::ByteRange> ranges,
                             std::span<const zarr::MutableByteSpan> buffers, zarr::VersionStamp* stamp) const {
  return MayExist(key) && store_->GetRanges(key, ranges, buffers, stamp);
}

bool ListingStore::GetSuffix(std::string_view key, std::uint64_t length, zarr::Bytes* value,
                             zarr::VersionStamp* stamp) const {
  return MayExist(key) && store_->GetSuffix(key, length, value, stamp);
}

bool ListingStore::Exists(std::string_view key) const {
  return MayExist(key) && store_->Exists(key);
}

bool ListingStore::GetStamp(std::string_view key, zarr::VersionStamp* stamp) const {
  return MayExist(key) && store_->GetStamp(key, stamp);
}

}  // namespace gdal_zarr
