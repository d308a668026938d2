// SPDX-License-Identifier: MIT
#include "zarrlib/array/cache/array_registry.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "zarrlib/array/cache/chunk_cache.h"
#include "zarrlib/array/cache/key_list_cache.h"
#include "zarrlib/array/cache/shard_index_cache.h"
#include "zarrlib/base/fork_safety.h"

namespace zarr {
namespace {

/// Objects by name. Each exists while it is used.
template <typename T>
class WeakTable {
 public:
  /// Returns the object of that name, or null.
  std::shared_ptr<T> Find(const std::string& name) const {
    const auto entry = entries_.find(name);
    return entry == entries_.end() ? nullptr : entry->second.lock();
  }
  /// Returns the object of that name; `made` becomes that object if there is none yet.
  std::shared_ptr<T> FindOrPut(const std::string& name, const std::shared_ptr<T>& made) {
    if (auto object = Find(name)) return object;
    entries_.insert_or_assign(name, made);
    return made;
  }
  /// Returns the objects whose name is `name`, or starts with `name` and a "/".
  std::vector<std::shared_ptr<T>> FindUnder(const std::string& name) const {
    std::vector<std::shared_ptr<T>> objects;
    for (const auto& [key, entry] : entries_) {
      const bool under = key.starts_with(name) && (key.size() == name.size() || key[name.size()] == '/');
      if (auto object = under ? entry.lock() : nullptr) objects.push_back(std::move(object));
    }
    return objects;
  }
  void DropExpired(const std::string& name) {
    const auto entry = entries_.find(name);
    if (entry != entries_.end() && entry->second.expired()) entries_.erase(entry);
  }

 private:
  std::unordered_map<std::string, std::weak_ptr<T>> entries_;
};

struct Registry {
  std::mutex mutex;
  WeakTable<ArrayPlace> places;
  WeakTable<const ArrayIdentity> identities;
  std::atomic<std::uint64_t> last_id{0};

  static Registry& Get() {
    // Never destroyed: handles may outlive static destructors.
    static Registry* const shared = [] {
      auto* const registry = new Registry;
      HoldWhileForking(&registry->mutex);
      return registry;
    }();
    return *shared;
  }
};

/// Makes the same name for an array whether the store's root is the array's folder or one of its parents.
std::string MakePlaceName(const std::string& store, const std::string& path) {
  return path.empty() ? store : store + "/" + path;
}

}  // namespace

std::mutex& ArrayPlace::GetMutex() {
  static std::mutex* const shared = [] {
    Registry::Get();  // locks the registry's mutex before this one
    auto* const mutex = new std::mutex;
    HoldWhileForking(mutex);
    return mutex;
  }();
  return *shared;
}

void ArrayPlace::Add(std::uint64_t id) {
  const std::lock_guard lock(GetMutex());
  ids_.push_back(id);
}

void ArrayPlace::Remove(std::uint64_t id) {
  const std::lock_guard lock(GetMutex());
  std::erase(ids_, id);
}

std::optional<std::uint64_t> ArrayPlace::FindNext(std::uint64_t id) const {
  const std::lock_guard lock(GetMutex());
  std::optional<std::uint64_t> next;
  for (const std::uint64_t other : ids_) {
    if (other > id && (!next || other < *next)) next = other;
  }
  return next;
}

void ArrayIdentity::Forget(const std::string& store, const std::string& path) {
  std::vector<std::shared_ptr<ArrayPlace>> places;
  {
    Registry& registry = Registry::Get();
    const std::lock_guard lock(registry.mutex);
    places = registry.places.FindUnder(MakePlaceName(store, path));
  }
  for (const auto& place : places) {
    place->Advance();
    for (auto id = place->FindNext(0); id; id = place->FindNext(*id)) {
      ChunkCache::GetShared().EraseArray(*id);
      ShardIndexCache::GetShared().EraseArray(*id);
      KeyListCache::GetShared().EraseArray(*id);
    }
  }
}

ArrayIdentity::ArrayIdentity(std::uint64_t id, std::shared_ptr<ArrayPlace> place) : id_(id), place_(std::move(place)) {
  // Creates the caches now: the destructor, which must not allocate, uses them.
  ChunkCache::GetShared();
  ShardIndexCache::GetShared();
  KeyListCache::GetShared();
  place_->Add(id_);
}

ArrayIdentity::~ArrayIdentity() {
  place_->Remove(id_);
  ChunkCache::GetShared().EraseArray(id_);
  ShardIndexCache::GetShared().EraseArray(id_);
  KeyListCache::GetShared().EraseArray(id_);
}

std::shared_ptr<const ArrayIdentity> ArrayIdentity::Get(const std::string& store, const std::string& path,
                                                        std::size_t digest) {
  std::string place_name = MakePlaceName(store, path);
  std::string name = place_name + '\n' + std::to_string(digest);
  Registry& registry = Registry::Get();
  auto place = std::make_shared<ArrayPlace>();
  {
    const std::lock_guard lock(registry.mutex);
    if (auto identity = registry.identities.Find(name)) return identity;
    place = registry.places.FindOrPut(place_name, place);
  }
  auto release = [place_name, name](const ArrayIdentity* identity) {
    delete identity;
    Registry& all = Registry::Get();
    const std::lock_guard release_lock(all.mutex);
    all.identities.DropExpired(name);
    all.places.DropExpired(place_name);
  };
  // The registry's mutex is not held here, because `release` locks it: when there is no memory for the pointer, or when
  // another thread was faster. Moving the pointer does not allocate, since it does not point to a constant object.
  std::unique_ptr<const ArrayIdentity> owner(new ArrayIdentity(++registry.last_id, std::move(place)));
  const std::shared_ptr<const ArrayIdentity> made(owner.release(), std::move(release));
  const std::lock_guard lock(registry.mutex);
  return registry.identities.FindOrPut(name, made);
}

}  // namespace zarr
