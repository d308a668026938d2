// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <utility>

#include "zarrlib/array/array.h"

namespace zarr {

/// Values in an array's folder whose keys look like the array's chunk keys in another form.
struct OtherChunkKeys {
  std::string form;      ///< The form of these keys, one of kChunkKeyForms.
  std::string example;   ///< A key of the store.
  std::string declared;  ///< The key of the same chunk according to the metadata.
};

/// Searches an array's folder (and, for keys with "/", the first folders below it) for chunks under keys in another
/// form than the metadata declare: readers do not find them, and see the fill value. Returns nullopt if there are none,
/// if the store cannot list, and for versions with only one form of keys. Throws the store's errors.
std::optional<OtherChunkKeys> FindOtherChunkKeys(const Array& array);

/// Describes the keys in a sentence, for messages.
std::string Describe(const OtherChunkKeys& keys);

/// Searches for such keys once, when a read of an array does not find any stored chunk, and reports them to `warn`.
/// Thread-safe.
class ChunkKeyCheck {
 public:
  explicit ChunkKeyCheck(ArrayWarner warn) : warn_(std::move(warn)) {}
  /// Call this after each read, in the thread that requested it.
  void NoteRead(const Array& array, bool found_nothing);

 private:
  const ArrayWarner warn_;
  std::atomic<bool> done_ = false;
};

}  // namespace zarr
