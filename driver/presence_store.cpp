#include "driver/presence_store.h"

#include <utility>

namespace gdal_zarr {

bool PresenceStore::MayExist(std::string_view key) const {
  const std::size_t slash = key.rfind('/');
  const std::string folder(slash == std::string_view::npos ? std::string_view() : key.substr(0, slash + 1));
  const std::string name(key.substr(folder.size()));
  {
    const std::lock_guard lock(mutex_);
    const auto found = folders_.find(folder);
    if (found != folders_.end()) return !found->second || found->second->contains(name);
  }
  std::shared_ptr<const Names> names;
  if (const std::optional<Listing> listing = store_->List(folder)) {
    names = std::make_shared<Names>(listing->keys.begin(), listing->keys.end());
  }
  const std::lock_guard lock(mutex_);
  folders_.emplace(folder, names);
  return !names || names->contains(name);
}

bool PresenceStore::Get(std::string_view key, zarr::Bytes* value, zarr::VersionStamp* stamp,
                        std::uint64_t max_size) const {
  return MayExist(key) && store_->Get(key, value, stamp, max_size);
}

bool PresenceStore::GetRanges(std::string_view key, std::span<const zarr::ByteRange> ranges,
                              std::span<const zarr::MutableByteSpan> buffers, zarr::VersionStamp* stamp) const {
  return MayExist(key) && store_->GetRanges(key, ranges, buffers, stamp);
}

bool PresenceStore::GetSuffix(std::string_view key, std::uint64_t length, zarr::Bytes* value,
                              zarr::VersionStamp* stamp) const {
  return MayExist(key) && store_->GetSuffix(key, length, value, stamp);
}

void PresenceStore::Set(std::string_view key, zarr::ByteSpan value) {
  {
    // From now on each key of this folder is asked for: a listing that is under way may lack this one.
    const std::lock_guard lock(mutex_);
    folders_.insert_or_assign(std::string(key.substr(0, key.rfind('/') + 1)), nullptr);
  }
  store_->Set(key, value);
}

bool PresenceStore::RenamePrefix(std::string_view from, std::string_view to) {
  const bool renamed = store_->RenamePrefix(from, to);
  const std::lock_guard lock(mutex_);
  folders_.clear();
  return renamed;
}

bool PresenceStore::Exists(std::string_view key) const {
  return MayExist(key) && store_->Exists(key);
}

}  // namespace gdal_zarr
