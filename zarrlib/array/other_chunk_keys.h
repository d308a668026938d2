// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <utility>

#include "zarrlib/array/array.h"

namespace zarr {

/// Values in an array's folder whose keys look like those of its chunks in another form.
struct OtherChunkKeys {
  std::string form;      ///< One of kChunkKeyForms, in which the array's chunks have such keys.
  std::string example;   ///< A key of the store.
  std::string declared;  ///< The key that the metadata give the same chunk.
};

/// Looks into an array's folder, and, for keys with "/", into the first folders below it, for chunks under keys of
/// another form than the metadata declare: readers do not find them, and see the fill value. Nothing if there are none,
/// if the store cannot list, and for versions whose keys have one form. Throws the store's errors.
std::optional<OtherChunkKeys> FindOtherChunkKeys(const Array& array);

/// Says that in a sentence, for messages.
std::string Describe(const OtherChunkKeys& keys);

/// Looks for such keys once, when a read of an array finds nothing stored, and tells `warn` of them. Thread-safe.
class ChunkKeyCheck {
 public:
  explicit ChunkKeyCheck(ArrayWarner warn) : warn_(std::move(warn)) {}
  /// To be called after each read, in the thread that asked for it.
  void NoteRead(const Array& array, bool found_nothing);

 private:
  const ArrayWarner warn_;
  std::atomic<bool> done_ = false;
};

}  // namespace zarr
