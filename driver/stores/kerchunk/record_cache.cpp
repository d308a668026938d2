// SPDX-License-Identifier: MIT
#include "driver/stores/kerchunk/record_cache.h"

#include <atomic>

#include "zarrlib/base/fork_safety.h"

namespace gdal_zarr {
namespace {

constexpr std::size_t kMostMemoryOfRecords = std::size_t{128} << 20;
constexpr std::size_t kSizeOfEntry = 256;

}  // namespace

RecordCache::RecordCache() {
  zarr::HoldWhileForking(&mutex_);
}

RecordCache& RecordCache::GetShared() {
  static auto* const cache = new RecordCache;
  return *cache;
}

std::uint64_t RecordCache::MakeOwner() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

RecordCache::Records RecordCache::Get(const Key& key, const std::function<Records()>& read) {
  const std::shared_ptr<Entry> entry = Use(key);
  entry->once.Run([&] {
    entry->records = read();
    Count(key, entry.get());
  });
  return entry->records;
}

std::shared_ptr<RecordCache::Entry> RecordCache::Use(const Key& key) {
  const std::lock_guard lock(mutex_);
  const auto [found, is_new] = entries_.try_emplace(key);
  if (is_new) {
    found->second = std::make_shared<Entry>();
    found->second->position = keys_.insert(keys_.begin(), key);
  } else {
    keys_.splice(keys_.begin(), keys_, found->second->position);
  }
  return found->second;
}

void RecordCache::Count(const Key& key, Entry* entry) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(key);
  if (found == entries_.end() || found->second.get() != entry) return;  // it was dropped in the meantime
  entry->size = kSizeOfEntry + (entry->records ? entry->records->memory_size() : 0);
  size_ += entry->size;
  keys_.splice(keys_.begin(), keys_, entry->position);
  while (size_ > kMostMemoryOfRecords && keys_.size() > 1) {
    const auto last = entries_.find(keys_.back());
    size_ -= last->second->size;
    entries_.erase(last);
    keys_.pop_back();
  }
}

void RecordCache::EraseOwner(std::uint64_t owner) {
  const std::lock_guard lock(mutex_);
  auto entry = entries_.lower_bound(Key{owner, ""});
  while (entry != entries_.end() && entry->first.first == owner) {
    size_ -= entry->second->size;
    keys_.erase(entry->second->position);
    entry = entries_.erase(entry);
  }
}

}  // namespace gdal_zarr
