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

bool PresenceStore::Exists(std::string_view key) const {
  return MayExist(key) && store_->Exists(key);
}

}  // namespace gdal_zarr
