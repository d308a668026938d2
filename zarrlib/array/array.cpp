#include "zarrlib/array/array.h"

#include <algorithm>
#include <unordered_map>

#include "zarrlib/array/leaf_cache.h"

namespace zarr {
namespace {

/// The ids of the arrays that are open, so that all handles of one share the leaves in the cache. An id is never used
/// twice: what is opened after the last handle was closed sees the store's bytes anew.
class IdRegistry {
 public:
  static IdRegistry& Get() {
    static auto* const registry = new IdRegistry;  // never destroyed: handles may outlive static destructors
    return *registry;
  }

  std::shared_ptr<const std::uint64_t> IdOf(const std::string& identity) {
    const std::lock_guard lock(mutex_);
    std::weak_ptr<const std::uint64_t>& entry = ids_[identity];
    if (auto id = entry.lock()) return id;
    std::shared_ptr<const std::uint64_t> id(new std::uint64_t(++last_), [this, identity](const std::uint64_t* p) {
      Release(identity);
      LeafCache::Shared().EraseArray(*p);
      delete p;
    });
    entry = id;
    return id;
  }

  /// Makes the next handles of arrays at or below a path have ids of their own.
  void Forget(const std::string& identity) {
    const std::lock_guard lock(mutex_);
    std::erase_if(ids_, [&](const auto& entry) {
      const std::string& key = entry.first;
      if (!key.starts_with(identity)) return false;
      return identity.ends_with('\n') || key[identity.size()] == '\n' || key[identity.size()] == '/';
    });
  }

 private:
  void Release(const std::string& identity) {
    const std::lock_guard lock(mutex_);
    const auto entry = ids_.find(identity);
    if (entry != ids_.end() && entry->second.expired()) ids_.erase(entry);
  }

  std::mutex mutex_;
  std::unordered_map<std::string, std::weak_ptr<const std::uint64_t>> ids_;
  std::uint64_t last_ = 0;
};

std::string IdentityOf(const Store& store, std::string_view path) {
  return store.identity() + '\n' + std::string(path);
}

/// The metadata that decide what the leaves hold: not the attributes, which may change while leaves are kept.
std::string ContentOf(const ArrayMetadata& metadata) {
  std::string content;
  if (!metadata.document.IsObject()) return content;
  for (const auto& [name, value] : metadata.document.Members()) {
    if (name != "attributes" && name != "dimension_names") content += name + value.Dump() + '\n';
  }
  return content;
}

std::string Identity(const Store& store, const std::string& path, const ArrayMetadata& metadata) {
  const std::size_t digest = std::hash<std::string>()(ContentOf(metadata));
  return IdentityOf(store, path) + '\n' + std::to_string(digest);
}

bool CanWait(ErrorKind kind) {
  return kind == ErrorKind::kUnsupported || kind == ErrorKind::kLimitExceeded;
}

}  // namespace

std::shared_ptr<const Array> Array::Make(std::shared_ptr<Store> store, std::string path, ArrayMetadata metadata) {
  std::shared_ptr<Array> array(new Array);
  array->id_ = IdRegistry::Get().IdOf(Identity(*store, path, metadata));
  array->store_ = std::move(store);
  array->path_ = std::move(path);
  array->metadata_ = std::move(metadata);
  const ArrayMetadata& model = array->metadata_;
  try {
    if (model.data_type.kind == DataType::Kind::kUnknown) {
      throw Error(ErrorKind::kUnsupported, "data type \"" + model.data_type.name + "\" is not supported");
    }
    array->pipeline_ = CodecPipeline::Make(model.codecs, model.implicit_bytes);
    // Codecs that do not fit the type are found here, and not by the first reader.
    auto resolved = array->pipeline_->Resolve({model.chunk_grid.max_chunk_shape(), model.data_type, model.fill_value});
    if (model.chunk_grid.uniform_chunk_shape()) array->uniform_ = std::move(resolved);
  } catch (const Error& error) {
    const Error placed = error.At(model.document.store(), model.document.key());
    if (!CanWait(error.kind())) throw placed;
    array->unsupported_ = placed;
  }
  return array;
}

Array::~Array() = default;

bool Array::SameContent(const ArrayMetadata& a, const ArrayMetadata& b) {
  return ContentOf(a) == ContentOf(b);
}

void Array::ForgetIds(const Store& store, std::string_view path) {
  IdRegistry::Get().Forget(IdentityOf(store, path));
}

Shape Array::leaf_shape() const {
  const Shape chunk_shape = metadata_.chunk_grid.max_chunk_shape();
  if (unsupported_) return chunk_shape;
  const auto resolved = uniform_ ? uniform_ : ResolveFor(chunk_shape);
  return resolved->leaf_shape() ? *resolved->leaf_shape() : chunk_shape;
}

std::string Array::ChunkKey(const Shape& grid_index) const {
  std::string key = path_;
  if (!key.empty()) key += '/';
  metadata_.chunk_key_encoding.AppendTo(grid_index, &key);
  return key;
}

std::shared_ptr<const ResolvedPipeline> Array::ResolveFor(const Shape& chunk_shape) const {
  constexpr std::size_t kKept = 256;
  if (unsupported_) throw *unsupported_;
  if (uniform_ && uniform_->decoded().shape == chunk_shape) return uniform_;
  {
    const std::lock_guard lock(resolved_mutex_);
    const auto found = std::find_if(resolved_.begin(), resolved_.end(),
                                    [&](const auto& pipeline) { return pipeline->decoded().shape == chunk_shape; });
    if (found != resolved_.end()) return *found;
  }
  auto resolved = pipeline_->Resolve({chunk_shape, metadata_.data_type, metadata_.fill_value});
  const std::lock_guard lock(resolved_mutex_);
  if (resolved_.size() >= kKept) resolved_.erase(resolved_.begin());
  resolved_.push_back(resolved);
  return resolved;
}

}  // namespace zarr
