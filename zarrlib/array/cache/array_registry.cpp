#include "zarrlib/array/cache/array_registry.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "zarrlib/array/cache/chunk_cache.h"
#include "zarrlib/array/cache/shard_index_cache.h"
#include "zarrlib/base/fork_safety.h"

namespace zarr {
namespace {

/// Objects that live as long as anyone uses them, by name.
template <typename T>
class WeakTable {
 public:
  /// The object of that name, or nullptr.
  std::shared_ptr<T> Find(const std::string& name) const {
    const auto entry = entries_.find(name);
    return entry == entries_.end() ? nullptr : entry->second.lock();
  }
  /// The object of that name, which is `made` if there is none yet.
  std::shared_ptr<T> FindOrPut(const std::string& name, const std::shared_ptr<T>& made) {
    if (auto object = Find(name)) return object;
    entries_.insert_or_assign(name, made);
    return made;
  }
  /// Those whose name is `name`, or starts with it and a "/".
  std::vector<std::shared_ptr<T>> Under(const std::string& name) const {
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

/// The same for an array of a store and for the store that is that array's folder.
std::string PlaceName(const std::string& store, const std::string& path) {
  return path.empty() ? store : store + "/" + path;
}

}  // namespace

std::mutex& ArrayPlace::Mutex() {
  static std::mutex* const shared = [] {
    Registry::Get();  // whose mutex is held while places are added to: it comes first
    auto* const mutex = new std::mutex;
    HoldWhileForking(mutex);
    return mutex;
  }();
  return *shared;
}

void ArrayPlace::Add(std::uint64_t id) {
  const std::lock_guard lock(Mutex());
  ids_.push_back(id);
}

void ArrayPlace::Remove(std::uint64_t id) {
  const std::lock_guard lock(Mutex());
  std::erase(ids_, id);
}

std::optional<std::uint64_t> ArrayPlace::Next(std::uint64_t id) const {
  const std::lock_guard lock(Mutex());
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
    places = registry.places.Under(PlaceName(store, path));
  }
  for (const auto& place : places) {
    place->Advance();
    for (auto id = place->Next(0); id; id = place->Next(*id)) {
      ChunkCache::Shared().EraseArray(*id);
      ShardIndexCache::Shared().EraseArray(*id);
    }
  }
}

ArrayIdentity::ArrayIdentity(std::uint64_t id, std::shared_ptr<ArrayPlace> place) : id_(id), place_(std::move(place)) {
  // Not for the first time in the destructor, which must need no memory.
  ChunkCache::Shared();
  ShardIndexCache::Shared();
  place_->Add(id_);
}

ArrayIdentity::~ArrayIdentity() {
  place_->Remove(id_);
  ChunkCache::Shared().EraseArray(id_);
  ShardIndexCache::Shared().EraseArray(id_);
}

std::shared_ptr<const ArrayIdentity> ArrayIdentity::Of(const std::string& store, const std::string& path,
                                                       std::size_t digest) {
  std::string place_name = PlaceName(store, path);
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
  // Without the mutex, which `release` takes: also if there is no memory for the pointer, or another thread was faster.
  // Moving it needs no memory, since what it holds is not constant.
  std::unique_ptr<const ArrayIdentity> owner(new ArrayIdentity(++registry.last_id, std::move(place)));
  const std::shared_ptr<const ArrayIdentity> made(owner.release(), std::move(release));
  const std::lock_guard lock(registry.mutex);
  return registry.identities.FindOrPut(name, made);
}

}  // namespace zarr
