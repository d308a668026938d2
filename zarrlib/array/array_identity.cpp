#include "zarrlib/array/array_identity.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "zarrlib/array/leaf_cache.h"
#include "zarrlib/array/shard_cache.h"
#include "zarrlib/base/fork_safety.h"

namespace zarr {
namespace {

/// Objects that live as long as anyone uses them, by name.
template <typename T>
class WeakTable {
 public:
  /// The object of that name; one that `make` gives if there is none.
  template <typename Make>
  std::shared_ptr<T> Get(const std::string& name, const Make& make) {
    if (auto object = entries_[name].lock()) return object;
    std::shared_ptr<T> object = make();
    entries_[name] = object;
    return object;
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
  std::uint64_t last_id = 0;

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

/// So that a root array's name is the beginning of all others' in its store.
std::string PlaceName(const std::string& store, const std::string& path) {
  return path.empty() ? store + '\n' : store + "\n/" + path;
}

}  // namespace

void ArrayPlace::Add(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  ids_.push_back(id);
}

void ArrayPlace::Remove(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  std::erase(ids_, id);
}

std::vector<std::uint64_t> ArrayPlace::OthersThan(std::uint64_t id) const {
  const std::lock_guard lock(mutex_);
  if (ids_.size() == 1 && ids_[0] == id) return {};
  std::vector<std::uint64_t> others = ids_;
  std::erase(others, id);
  return others;
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
    for (const std::uint64_t id : place->OthersThan(0)) {
      LeafCache::Shared().EraseArray(id);
      ShardCache::Shared().EraseArray(id);
    }
  }
}

ArrayIdentity::ArrayIdentity(std::uint64_t id, std::shared_ptr<ArrayPlace> place) : id_(id), place_(std::move(place)) {
  place_->Add(id_);
}

ArrayIdentity::~ArrayIdentity() {
  place_->Remove(id_);
  LeafCache::Shared().EraseArray(id_);
  ShardCache::Shared().EraseArray(id_);
}

std::shared_ptr<const ArrayIdentity> ArrayIdentity::Of(const std::string& store, const std::string& path,
                                                       std::size_t digest) {
  const std::string place_name = PlaceName(store, path);
  const std::string name = place_name + '\n' + std::to_string(digest);
  Registry& registry = Registry::Get();
  const std::lock_guard lock(registry.mutex);
  return registry.identities.Get(name, [&] {
    auto place = registry.places.Get(place_name, [] { return std::make_shared<ArrayPlace>(); });
    const auto release = [place_name, name](const ArrayIdentity* identity) {
      delete identity;
      Registry& all = Registry::Get();
      const std::lock_guard release_lock(all.mutex);
      all.identities.DropExpired(name);
      all.places.DropExpired(place_name);
    };
    return std::shared_ptr<const ArrayIdentity>(new ArrayIdentity(++registry.last_id, std::move(place)), release);
  });
}

}  // namespace zarr
