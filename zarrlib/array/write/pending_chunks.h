// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "zarrlib/array/write/partial_chunk.h"
#include "zarrlib/array/write/pending_bytes.h"

namespace zarr {

/// A pending inner chunk (or the whole chunk, if it is not a shard). In a shard it may already be encoded.
struct PendingInnerChunk {
  std::unique_ptr<PartialChunk> open;  ///< The elements, until they are encoded.
  bool encoded = false;
  std::optional<Bytes> value;  ///< The encoded bytes; nullopt if the inner chunk equals the fill value.
};

/// A chunk that was written to and is not stored yet. Used under one lease at a time; several threads may work on
/// different inner chunks of a shard.
struct PendingChunk {
  std::string key;
  Shape grid_index;
  Shape live;  ///< The shape of the chunk's region inside the array.
  std::shared_ptr<const ChunkEncoder> codec;
  BufferStock* stock = nullptr;
  std::vector<PendingInnerChunk> inner_chunks;  ///< Created when the chunk is first written to.
  std::atomic<std::size_t> encoded_inner_chunks{0};
  std::vector<std::size_t> ready;  ///< The numbers of the inner chunks of a shard that are complete, but not encoded.
  std::atomic<std::size_t> bytes{0};  ///< The memory of the inner chunks.

  std::uint64_t live_inner_chunks() const;
  /// Returns the shape of the region inside the array of the inner chunk at an index; contains a 0 if it is outside.
  Shape GetLiveShape(const Shape& inner_index) const;
  /// Changes the shape of the region inside the array. Only elements inside both shapes count as written.
  void AdoptLive(const Shape& shape);

 private:
  friend class PendingChunks;  // and Lease
  /// Calls `use` with the number and the live shape of each inner chunk.
  void ForEachInnerChunk(const std::function<void(std::size_t, const Shape&)>& use) const;
  /// Marks the elements outside `kept` as not written.
  void Restrict(PendingInnerChunk* inner_chunk, const Shape& kept);
  bool leased_ = false;
  bool is_read_ = false;
  bool complete_ = false;
  std::size_t counted_ = 0;
  std::list<PendingChunk*> place_{this};  // the chunk's list node; empty while it is in the order
  std::list<PendingChunk*>::iterator in_order_;
};

/// The pending chunks of one array: incomplete ones, and complete ones that are stored later. A chunk is leased to one
/// caller at a time. Thread-safe.
class PendingChunks {
 public:
  /// The right to use a chunk while the object exists. When the lease ends, the chunk and its elements are dropped
  /// unless `Keep` was called. If an exception ends it, the content of the chunk is unknown: its elements and all
  /// others are dropped (Lose).
  class Lease {
   public:
    Lease() = default;
    Lease(PendingChunks* buffer, std::shared_ptr<PendingChunk> chunk) : buffer_(buffer), chunk_(std::move(chunk)) {}
    ~Lease();
    Lease(Lease&& other) noexcept;
    Lease& operator=(Lease&& other) noexcept;

    explicit operator bool() const { return chunk_ != nullptr; }
    PendingChunk& operator*() const { return *chunk_; }
    PendingChunk* operator->() const { return chunk_.get(); }
    /// Keeps the chunk pending after the lease; if it was written to, at the end of the order.
    void Keep(bool written, bool complete = false) {
      keep_ = true;
      written_ = written;
      chunk_->complete_ = complete;
    }
    /// Keeps the chunk pending, unchanged, as if it had just been written to.
    void KeepUnchanged() {
      keep_ = true;
      written_ = true;
    }
    /// Ends the lease.
    void Release();
    /// Ends the lease and drops the chunk.
    void Drop() {
      keep_ = false;
      Release();
    }

   private:
    PendingChunks* buffer_ = nullptr;
    std::shared_ptr<PendingChunk> chunk_;
    bool keep_ = false;
    bool written_ = false;
    int exceptions_ = std::uncaught_exceptions();  // exceptions in flight when the lease began
  };

  /// Leases the chunk of a key; a new, empty one if none is pending. Waits while another caller has the lease.
  Lease Take(const std::string& key);
  /// Leases the chunk of a key if it is pending; otherwise returns an empty lease.
  Lease TakePending(const std::string& key);
  /// Like TakePending, for a caller that copies elements of the chunk, and waits for nothing before the lease ends.
  /// GetPendingKeys waits until then, so that the chunk is not left out.
  Lease TakeToRead(const std::string& key);
  /// Leases the least recently written chunks that are not leased, until the others take at most `limit` bytes.
  std::vector<Lease> TakeExcess(std::size_t limit);
  /// Leases the complete pending chunks, if there are at least `least`.
  std::vector<Lease> TakeComplete(std::size_t least);
  /// Returns the keys of all pending chunks, sorted by their positions in the grid.
  std::vector<std::string> GetPendingKeys();
  /// Returns the bytes of all pending chunks.
  std::size_t bytes() const { return bytes_.load(); }
  bool empty() const;
  /// Returns how many chunks have left, stored or dropped.
  std::uint64_t left() const { return left_.load(); }
  /// Drops all chunks, now and in the future.
  void Close();
  /// Returns true if elements have been dropped because of an error.
  bool lost() const;

 private:
  Lease TakeIfPending(const std::string& key, bool to_read);
  void Release(const std::shared_ptr<PendingChunk>& chunk, bool keep, bool written);
  /// Like Close, because elements were lost that callers believe to be written.
  void Lose();
  /// The mutex must be held.
  void DropAll();
  /// Removes the chunk from the order, if it is there. The mutex must be held.
  void Leave(PendingChunk* chunk);

  BufferStock stock_;  // must outlive the chunks
  mutable std::mutex mutex_;
  std::condition_variable released_;
  std::unordered_map<std::string, std::shared_ptr<PendingChunk>> chunks_;
  std::list<PendingChunk*> order_;  // without leased chunks; the least recently written one comes first
  std::size_t readers_ = 0;         // the number of leases of TakeToRead
  std::size_t complete_ = 0;        // the number of complete chunks in the order
  PendingBytes bytes_;
  std::atomic<std::uint64_t> left_{0};
  bool closed_ = false;
  bool lost_ = false;
};

}  // namespace zarr
