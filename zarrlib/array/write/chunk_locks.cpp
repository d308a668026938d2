// SPDX-License-Identifier: MIT
#include "zarrlib/array/write/chunk_locks.h"

#include <algorithm>
#include <utility>

#include "zarrlib/array/write/array_replacement.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/store/store_locks.h"

namespace zarr {
namespace {

/// Returns true if an array's metadata were read from its document, or from consolidated metadata, whose parts have a
/// pointer. A new array may not have a document yet, or one without a pending change of the fill value.
bool WasRead(const Array& array, const std::string& document) {
  const JsonNode& source = array.metadata().document;
  return source.store() == array.store().name() && (source.key() == document || !source.pointer().empty());
}

}  // namespace

ChunkLocks::ChunkLocks(const Array& array, bool locks, bool merges)
    : array_(array),
      locks_(locks),
      merges_on_conditions_(merges && HasConditions(array.store())),
      document_(JoinKey(array.path(), GetArrayDocumentName(array.metadata().zarr_format))),
      is_new_(!WasRead(array, document_)),
      is_there_(!is_new_),
      agrees_(is_there_) {}

ChunkLock ChunkLocks::LockWhole(const std::string& key, const Shape& grid_index, const Shape& live) const {
  ChunkLock locked = Lock(key, grid_index, live);
  if (!merges_on_conditions_ || !locked.lock || !is_new_ || locked.live == live) return locked;
  array_.store().locks()->ExpectAbsent(key);
  return {std::move(locked.lock), live, false, true};
}

ChunkLock ChunkLocks::Lock(const std::string& key, const Shape& grid_index, const Shape& live, bool waits) const {
  if (!locks_) return {nullptr, live, false};
  const Store& store = array_.store();
  // While this thread looks, another one may write the document of a new array and find it.
  const bool was_there = IsThere();
  LockResult locked = zarr::Lock(store, document_, key, waits);
  if (!locked.lock) return {nullptr, live, true};
  if (merges_on_conditions_) return {std::move(locked.lock), GetWholeShape(grid_index), false};
  // In a remote store checking the document costs a request for each chunk, and the lock does not exclude other
  // processes anyway.
  const bool is_near = store.info().lists_cheaply();
  if (!locked.stamp && is_near) {
    VersionStamp stamp;
    locked.has_document = store.GetStamp(document_, &stamp, Freshness::kNow);
    if (locked.has_document) locked.stamp = stamp;
  }
  if (!locked.has_document && was_there) {
    throw Error(ErrorKind::kIo, store.name(), document_, "",
                "the array has been removed or renamed since it was opened");
  }
  if (locked.has_document) NoteThere();
  if (!locked.stamp) return {std::move(locked.lock), live, false};
  const std::shared_ptr<const Shape> shape = GetShape(*locked.stamp);
  if (*shape == array_.shape()) return {std::move(locked.lock), live, false};
  return {std::move(locked.lock), ComputeLive(key, grid_index, *shape), false};
}

bool ChunkLocks::IsThere() const {
  const std::lock_guard lock(mutex_);
  return is_there_;
}

void ChunkLocks::NoteThere() const {
  const std::lock_guard lock(mutex_);
  is_there_ = true;
}

std::shared_ptr<const Shape> ChunkLocks::FindShape(const VersionStamp& stamp) const {
  const std::lock_guard lock(mutex_);
  return shape_ && stamp_ == stamp ? shape_ : nullptr;
}

std::shared_ptr<const Shape> ChunkLocks::GetShape(const VersionStamp& stamp) const {
  if (auto known = FindShape(stamp)) return known;
  const std::lock_guard reading(read_mutex_);  // of the threads that need it, only one reads it
  if (auto known = FindShape(stamp)) return known;
  const Store& store = array_.store();
  const auto text = store.GetText(document_, GetLimit(Limit::kDocument), Freshness::kNow);
  if (!text) throw Error(ErrorKind::kIo, store.name(), document_, "", "the document was removed while it was locked");
  const JsonNode document = JsonNode::Parse(*text, store.name(), document_);
  const ArrayMetadata stored = ParseUnreplaced(document, array_.metadata(), agrees_);
  auto shape = std::make_shared<const Shape>(stored.shape);
  agrees_ = agrees_ || !FindReplacement(array_.metadata(), stored);
  const std::lock_guard lock(mutex_);
  stamp_ = stamp;
  shape_ = shape;
  return shape;
}

Shape ChunkLocks::GetWholeShape(const Shape& grid_index) const {
  Shape shape(grid_index.size());
  for (std::size_t i = 0; i < shape.size(); ++i) {
    shape[i] = array_.metadata().chunk_grid.axis(i).At(grid_index[i]).encoded;
  }
  return shape;
}

Shape ChunkLocks::ComputeLive(const std::string& key, const Shape& grid_index, const Shape& shape) const {
  Shape live(shape.size());
  bool inside = shape.size() == grid_index.size();
  for (std::size_t i = 0; inside && i < shape.size(); ++i) {
    const ChunkSpan span = array_.metadata().chunk_grid.axis(i).At(grid_index[i]);
    inside = span.start < shape[i];
    live[i] = inside ? std::min(span.encoded, shape[i] - span.start) : 0;
  }
  if (inside) return live;
  throw Error(ErrorKind::kIo, array_.store().name(), key, "",
              "the array has got the shape " + ToString(shape) + " since it was opened, without this chunk");
}

}  // namespace zarr
