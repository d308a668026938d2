// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "zarrlib/array/array.h"

namespace zarr {

/// The elements to write. `data` points to the element of index 0 along every axis; `strides` are in bytes and may be
/// negative or 0. A `converter` is needed for elements of another type: it converts them to the array's type in native
/// byte order, or to std::string_view for variable-length types, which must stay valid until the write has returned.
/// Does not own the data.
struct ElementSource {
  const std::byte* data = nullptr;
  Strides strides;
  const RowConverter* converter = nullptr;
};

/// Options of one write or flush.
struct WriteOptions {
  /// Number of encoding threads, including the calling one; 0 means one per CPU.
  std::size_t threads = 0;
  const WorkerHook* hook = nullptr;
  /// Called on the calling thread with the completed fraction of the work; returning false stops the write, and chunks
  /// stored until then stay. The function may read the array, and sees the elements written so far.
  std::function<bool(double)> progress;
  /// For callers that write one chunk at a time: complete chunks also wait, until there are a few for each thread, and
  /// are then encoded in parallel.
  bool defer = false;
};

struct WriterOptions {
  /// Limit in decoded bytes of incomplete chunks that wait for more writes. Above it, the least recently written chunks
  /// are stored.
  std::size_t buffer_limit = std::size_t{256} << 20;
  /// True to also store chunks that equal the fill value byte for byte.
  bool store_empty_chunks = false;
  /// True to keep existing chunks unchanged. This includes chunks that another process stores at the same time, if the
  /// store can detect them (see WriteIf::kAbsent).
  bool only_absent = false;
  /// True to reject, with Error(unsupported), each chunk that would have to be merged with the stored one. For stores
  /// without locks, in which concurrent partial writes of several processes get lost.
  bool refuse_partial = false;
  /// True if the caller has locked the whole array (zarr::Lock), so that chunks are not locked one by one.
  bool locked_by_caller = false;
};

/// Writes to one array. Chunks (shards, in a sharded array) that a selection covers entirely are encoded in parallel
/// and stored before `Write` returns. Partly covered chunks wait in a bounded buffer; they are merged with the stored
/// chunk when they are complete, when the buffer is full, or at `Flush`. Chunks that extend past the end of the array
/// are padded with the fill value. A stored value is replaced as a whole (Store::Write), so that readers never see a
/// part of it, and the chunk cache drops it for all handles.
///
/// Each chunk is locked while it is merged and stored (zarr::Lock), so that concurrent writers, including other
/// processes, do not overwrite each other's elements. If another handle has enlarged the array, the new elements of a
/// chunk are kept. Storing a chunk that the array no longer has, or a chunk of an array that has been removed, renamed
/// or replaced, is Error(io).
///
/// Thread-safe: concurrent writes to the same chunk are executed one after the other. A failed write drops the elements
/// that it could not store, and every later call throws the same error, because the array does not contain what the
/// caller expects. The destructor does not store chunks.
class ArrayWriter {
 public:
  /// Throws Error(read_only) if the store, or the array's format, is read-only, and the error in
  /// `array->unsupported()`.
  static std::shared_ptr<ArrayWriter> Make(std::shared_ptr<const Array> array, const WriterOptions& options = {});
  virtual ~ArrayWriter() = default;

  virtual const Array& array() const = 0;
  /// Writes a selection. Returns false if `progress` stopped it. Throws Error: invalid_argument for a selection outside
  /// the array, io from the store.
  virtual bool Write(const Selection& selection, const ElementSource& source, const WriteOptions& options = {}) = 0;
  /// Reads a selection with all elements that have been written to it. Pending chunks stay pending where possible, so
  /// that a caller that reads and writes by turns does not store a chunk each time. Returns false if `progress` stopped
  /// it. Throws Error like Array::Read and Flush.
  virtual bool Read(const Selection& selection, const Destination& destination, const ReadOptions& options = {}) = 0;
  /// Stores all pending chunks. Returns false if `progress` stopped it.
  virtual bool Flush(const WriteOptions& options = {}) = 0;
  /// Returns true if chunks are waiting to be stored.
  virtual bool dirty() const = 0;
  /// Returns the memory of the pending chunks, in bytes. For all writers, see PendingBytes::GetProcessTotal().
  virtual std::size_t pending_bytes() const = 0;
  /// Continues with another snapshot of the array, after its shape or attributes have changed. The codecs and the
  /// chunks inside the array must be the same as before. Throws Error(invalid_argument) if the shape or the fill value
  /// differs and chunks are pending.
  virtual void Replace(std::shared_ptr<const Array> array) = 0;
};

}  // namespace zarr
