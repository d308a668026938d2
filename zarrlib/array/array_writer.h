// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "zarrlib/array/array.h"

namespace zarr {

/// Elements that the caller gives to be written. `data` points to the element of index 0 along every axis; `strides`
/// are in bytes and may be negative or 0. With a `converter` the elements are of another type: it turns them into the
/// array's type in native byte order, or into std::string_view for types of variable length, which must stay valid
/// until the write has returned. Owns nothing.
struct ElementSource {
  const std::byte* data = nullptr;
  Strides strides;
  const RowConverter* converter = nullptr;
};

/// Options of one write or flush.
struct WriteOptions {
  /// Number of threads that encode, the calling one included; 0 means one per CPU.
  std::size_t threads = 0;
  const WorkerHook* hook = nullptr;
  /// Called on the calling thread with the share of the work that is done; false stops the write, and what was stored
  /// by then stays. It may read the array, and then sees what was written so far.
  std::function<bool(double)> progress;
  /// For callers that write one chunk at a time: chunks that are complete wait too, until there are a few for each
  /// thread, and are then encoded in parallel.
  bool defer = false;
};

struct WriterOptions {
  /// Limit of the decoded bytes of chunks that wait to be covered whole. Beyond it, the chunks that were written to
  /// least recently are stored.
  std::size_t buffer_limit = std::size_t{256} << 20;
  /// Whether chunks that equal the fill value byte for byte are stored too.
  bool store_empty_chunks = false;
  /// Whether chunks that are stored already are left as they are. This includes chunks that another process stores
  /// meanwhile, where the store can tell (see WriteIf::kAbsent).
  bool only_absent = false;
  /// Whether to refuse, with Error(unsupported), each chunk that would have to be merged with the stored one: for
  /// stores without locks, in which such chunks of several processes get lost.
  bool refuse_partial = false;
  /// Whether the caller has locked the whole array (zarr::Lock), so that chunks are not locked one by one.
  bool locked_by_caller = false;
};

/// Writes to one array. Chunks (shards, in a sharded array) that a selection covers whole are encoded in parallel and
/// stored before `Write` returns. Chunks that it covers in part wait in a bounded buffer; they are merged with the
/// stored chunk when they are complete, when the buffer is full, or at `Flush`. Chunks that reach beyond the array are
/// padded with the fill value. A stored value is replaced whole (Store::Write), so that no reader sees half of it, and
/// the chunk cache drops it for all handles.
///
/// Each chunk is locked while it is merged and stored (zarr::Lock), so that writers, also those of other processes,
/// lose nothing of each other. If another handle has given the array a larger shape, the elements that are new in it
/// stay. A chunk that the array has lost, and an array that was removed, renamed or replaced by then, are Error(io).
///
/// Thread-safe: writes of several threads that meet the same chunk are carried out one after the other. A write that
/// fails keeps nothing of what it could not store, and every later call throws the same error, because the array does
/// not hold what the caller believes. The destructor stores nothing.
class ArrayWriter {
 public:
  /// Throws Error(read_only) if the store, or the array's format, takes no writes, and the error that
  /// `array->unsupported()` holds.
  static std::shared_ptr<ArrayWriter> Make(std::shared_ptr<const Array> array, const WriterOptions& options = {});
  virtual ~ArrayWriter() = default;

  virtual const Array& array() const = 0;
  /// Writes a selection. Returns false if `progress` stopped it. Throws Error: invalid_argument for a selection beyond
  /// the array, io from the store.
  virtual bool Write(const Selection& selection, const ElementSource& source, const WriteOptions& options = {}) = 0;
  /// Stores all chunks that wait. Returns false if `progress` stopped it.
  virtual bool Flush(const WriteOptions& options = {}) = 0;
  /// Whether chunks wait to be stored.
  virtual bool dirty() const = 0;
  /// The memory of the chunks that wait, in bytes. PendingBytes::GetProcessTotal() tells that of all writers.
  virtual std::size_t pending_bytes() const = 0;
  /// Continues with another snapshot of the array, after its shape or attributes changed. No chunk may wait, and the
  /// codecs and the chunks inside the array must be the same as before.
  virtual void Replace(std::shared_ptr<const Array> array) = 0;
};

}  // namespace zarr
