#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "zarrlib/array/array.h"

namespace zarr {

/// Where elements are taken from: `data` is that of index 0 along every axis, `strides` are in bytes and may be
/// negative or 0. With a `converter` they are of another type, which it turns into the array's in native byte order
/// (into std::string_view for types of variable length, valid until the writer's call has returned). Owns nothing.
struct ElementSource {
  const std::byte* data = nullptr;
  Strides strides;
  const RowConverter* converter = nullptr;
};

/// How one call does its work.
struct WriteOptions {
  /// Threads that encode, the calling one included; 0 is one per CPU.
  std::size_t threads = 0;
  const WorkerHook* hook = nullptr;
  /// Polled on the calling thread with the share done; false stops the call: what it has stored by then stays. It may
  /// use the same array, of which it then sees what was written so far.
  std::function<bool(double)> progress;
  /// For calls that write a chunk each: chunks that are complete wait too, until there are a few for each thread, and
  /// are then encoded in parallel.
  bool defer = false;
};

struct WriterOptions {
  /// Bytes of chunks, decoded, that wait to be covered whole. Beyond it the ones written to least recently are stored.
  std::size_t buffer_limit = std::size_t{256} << 20;
  /// Whether chunks that equal the fill value byte for byte are stored all the same.
  bool store_empty_chunks = false;
  /// Whether chunks that are stored stay as they are, also if another process has stored them just now (where the store
  /// can tell, see Store::SetIfAbsent).
  bool only_absent = false;
};

/// Writes to one array. Chunks (of sharded arrays: shards) that a selection covers whole are encoded in parallel and
/// stored before `Write` returns; of others, what was written waits in a bounded buffer and is merged with what is
/// stored when it is complete, when the buffer is full, or at `Flush`. Chunks beyond the array's end are padded with
/// the fill value. A value is replaced whole (Store::Set), so that no reader meets a torn one; what the chunk cache
/// holds of it is dropped for all handles.
///
/// Thread-safe: calls of several threads are carried out one after the other where they meet the same chunk. A failed
/// call leaves what it could not store neither buffered nor stored, and every later call throws the same error: the
/// array does not hold what the caller believes. The destructor stores nothing.
class ArrayWriter {
 public:
  /// Throws Error(read_only) if the store takes no writes, and what `array->unsupported()` holds.
  static std::shared_ptr<ArrayWriter> Make(std::shared_ptr<const Array> array, const WriterOptions& options = {});
  virtual ~ArrayWriter() = default;

  virtual const Array& array() const = 0;
  /// False if `progress` stopped it. Throws Error: invalid_argument for a selection beyond the array, io from the
  /// store.
  virtual bool Write(const Selection& selection, const ElementSource& source, const WriteOptions& call = {}) = 0;
  /// Stores what waits. False if `progress` stopped it.
  virtual bool Flush(const WriteOptions& call = {}) = 0;
  /// Whether something waits.
  virtual bool dirty() const = 0;
  /// How many bytes wait. PendingBytes::OfProcess() tells of all writers.
  virtual std::size_t pending_bytes() const = 0;
  /// Goes on with another snapshot of the same array: after a change of its shape or attributes. What waits must have
  /// been flushed, and the chunk grid's live chunks and the codecs be the same.
  virtual void Replace(std::shared_ptr<const Array> array) = 0;
};

}  // namespace zarr
