// SPDX-License-Identifier: MIT
#include "zarrlib/array/read/listed_chunks.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "zarrlib/array/cache/value_state.h"
#include "zarrlib/base/await.h"

namespace zarr {
namespace {

/// A read of fewer chunks sends all requests at about the same time, and does not request a list in between.
constexpr std::uint64_t kManyChunks = 128;
/// The number of absent values after which such a read requests a list.
constexpr std::uint64_t kSeveralAbsent = 8;
/// A list returns a thousand keys per request, but its requests wait for each other.
constexpr std::uint64_t kKeysForOne = 4;
/// The number of keys that justify a request if no other requests are sent at the same time.
constexpr std::uint64_t kKeysForOneAlone = 125;
/// A read looks up chunks with a new list if the list takes this many times fewer requests.
constexpr std::uint64_t kChunksForRequest = 16;

std::size_t LimitKeys(std::uint64_t keys) {
  return static_cast<std::size_t>(
      std::clamp<std::uint64_t>(keys, KeyListCache::kKeysOfRequest, KeyListCache::kMostKeys));
}

}  // namespace

ListedChunks::ListedChunks(const Array& array, std::uint64_t chunks) : array_(array), chunks_(chunks) {}

bool ListedChunks::IsAbsent(std::string_view key) {
  const std::string_view name = GetName(key);
  const auto [list, is_own] = GetList();
  if (!list || list->Contains(name)) return false;
  const bool is_first = KeyListCache::GetShared().NoteRead(array_.id(), name);
  if (is_first || is_own) return true;
  const std::uint64_t requests = list->size() / KeyListCache::kKeysOfRequest + 1;
  if (chunks_ < requests * kChunksForRequest) return false;
  const List renewed = MakeList(LimitKeys(2 * list->size()));
  return renewed && !renewed->Contains(name);
}

void ListedChunks::NoteAbsent(std::string_view key) {
  KeyListCache& lists = KeyListCache::GetShared();
  const std::uint64_t alone = kKeysForOneAlone / std::max<std::uint64_t>(chunks_, 1);
  lists.NoteRead(array_.id(), GetName(key));
  lists.NoteRequest(array_.id(), static_cast<std::size_t>(std::max(kKeysForOne, alone)));
  // Whichever thread comes first makes the list, and the others wait for it here instead of sending more requests.
  if (++absent_ < kSeveralAbsent || chunks_ < kManyChunks) return;
  const std::size_t most = LimitKeys(std::min<std::uint64_t>(chunks_, KeyListCache::kMostKeys) * kKeysForOne);
  if (!lists.IsTooLong(array_.id(), most)) MakeList(most);
}

std::pair<ListedChunks::List, bool> ListedChunks::GetList() {
  std::unique_lock lock(mutex_);
  Await(&made_, &lock, [this] { return !is_making_; });
  if (std::exchange(has_begun_, true)) return {list_, is_own_};
  KeyListCache& lists = KeyListCache::GetShared();
  const List known = lists.Find(array_.id());
  if (known && known->Holds(array_.opened(), array_.generation(), std::chrono::steady_clock::now())) list_ = known;
  if (const auto worth = lists.GetWorth(array_.id())) MakeList(*worth, &lock);
  return {list_, is_own_};
}

ListedChunks::List ListedChunks::MakeList(std::size_t most) {
  std::unique_lock lock(mutex_);
  Await(&made_, &lock, [this] { return !is_making_; });
  MakeList(most, &lock);
  return is_own_ ? list_ : nullptr;
}

void ListedChunks::MakeList(std::size_t most, std::unique_lock<std::mutex>* lock) {
  if (std::exchange(was_tried_, true)) return;
  is_making_ = true;
  lock->unlock();
  List list;
  std::exception_ptr error;
  try {
    list = AskForKeys(most);
  } catch (...) {
    error = std::current_exception();
  }
  lock->lock();
  is_own_ = list != nullptr;
  if (is_own_) list_ = std::move(list);
  is_making_ = false;
  made_.notify_all();
  if (error) std::rethrow_exception(error);
}

ListedChunks::List ListedChunks::AskForKeys(std::size_t most) const {
  KeyListCache& lists = KeyListCache::GetShared();
  KeyList::Origin origin{OpeningClock::Now(), array_.generation(), {}};
  const auto keys = array_.store().List(array_.chunk_prefix(), {.below = true, .most = most});
  if (!keys) {
    lists.NoteTooLong(array_.id(), most);
    return nullptr;
  }
  origin.made = std::chrono::steady_clock::now();
  auto list = std::make_shared<const KeyList>(keys->keys, origin);
  lists.Put(array_.id(), list);
  return list;
}

}  // namespace zarr
