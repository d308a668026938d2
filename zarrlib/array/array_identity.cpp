#include "zarrlib/array/array_identity.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "zarrlib/array/leaf_cache.h"
#include "zarrlib/array/shard_cache.h"

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
  /// Forgets objects, which live on for those who have them.
  template <typename Predicate>
  void EraseIf(const Predicate& predicate) {
    std::erase_if(entries_, [&](const auto& entry) { return predicate(entry.first); });
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
    static auto* const registry = new Registry;  // never destroyed: handles may outlive static destructors
    return *registry;
  }
};

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
  const std::string place_name = store + '\n' + path;
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

void ArrayIdentity::Forget(const std::string& store, std::string_view path) {
  const std::string place = store + '\n' + std::string(path);
  Registry& registry = Registry::Get();
  const std::lock_guard lock(registry.mutex);
  registry.identities.EraseIf([&](const std::string& name) {
    if (!name.starts_with(place)) return false;
    return path.empty() || name[place.size()] == '\n' || name[place.size()] == '/';
  });
}

}  // namespace zarr
