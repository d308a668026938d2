#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
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

/// A part of a chunk that waits: being written, or, in shards, encoded already.
struct PendingInnerChunk {
  std::unique_ptr<PartialChunk> open;  ///< While it is not written whole.
  bool encoded = false;
  std::optional<Bytes> value;  ///< If encoded; none if it equals the fill value.
};

/// A chunk of which something was written that is not stored yet. Used by one holder at a time; the parts of a shard
/// may be worked on by different threads.
struct PendingChunk {
  std::string key;
  Shape grid_index;
  Shape live;  ///< Shape of what the array has of it.
  std::shared_ptr<const ChunkEncoder> codec;
  BufferStock* stock = nullptr;
  std::vector<PendingInnerChunk> inner_chunks;  ///< Made when first needed.
  std::atomic<std::size_t> encoded_inner_chunks{0};
  std::vector<std::size_t> ready;     ///< Of a shard: parts that are complete, but not encoded.
  std::atomic<std::size_t> bytes{0};  ///< What the parts take.

  std::uint64_t live_inner_chunks() const;
  /// Shape of what the array has of the part at that index.
  Shape LiveOf(const Shape& inner_index) const;

 private:
  friend class PendingChunks;  // and its Lease
  bool held_ = false;
  bool complete_ = false;
  std::size_t counted_ = 0;
  std::list<PendingChunk*> place_{this};  // its place in the order; empty while it is there
  std::list<PendingChunk*>::iterator in_order_;
};

/// The chunks of one array that wait to be covered whole. A chunk is held by one caller at a time. Thread-safe.
class PendingChunks {
 public:
  /// Holds a chunk while it lives. Unless `Keep` was called, what waited of the chunk is then gone.
  class Lease {
   public:
    Lease() = default;
    Lease(PendingChunks* buffer, std::shared_ptr<PendingChunk> chunk) : buffer_(buffer), chunk_(std::move(chunk)) {}
    ~Lease() { Release(); }
    Lease(Lease&& other) noexcept;
    Lease& operator=(Lease&& other) noexcept;

    explicit operator bool() const { return chunk_ != nullptr; }
    PendingChunk& operator*() const { return *chunk_; }
    PendingChunk* operator->() const { return chunk_.get(); }
    /// Lets it wait on: at the end of the order, if it was written to.
    void Keep(bool written, bool complete = false) {
      keep_ = true;
      written_ = written;
      chunk_->complete_ = complete;
    }
    /// Ends the hold.
    void Release();
    /// Ends it; what waited of the chunk is gone.
    void Drop() {
      keep_ = false;
      Release();
    }

   private:
    PendingChunks* buffer_ = nullptr;
    std::shared_ptr<PendingChunk> chunk_;
    bool keep_ = false;
    bool written_ = false;
  };

  /// Holds the chunk of that key, which is an empty one if nothing waits. Waits for another holder.
  Lease Take(const std::string& key);
  /// Holds it if it waits still.
  Lease TakePending(const std::string& key);
  /// Holds those that were written to least recently, and by no one now, so many that the others take `limit` bytes.
  std::vector<Lease> TakeExcess(std::size_t limit);
  /// Holds those that wait although they are complete, if there are that many.
  std::vector<Lease> TakeComplete(std::size_t least);
  /// The keys of all that wait, by their place in the grid.
  std::vector<std::string> PendingKeys() const;
  /// The number of bytes that wait.
  std::size_t bytes() const { return bytes_.load(); }
  bool empty() const;
  /// Drops what waits, now and later.
  void Close();

 private:
  void Release(const std::shared_ptr<PendingChunk>& chunk, bool keep, bool written);
  /// With the mutex held: takes it out of the order, if it is there.
  void Leave(PendingChunk* chunk);

  BufferStock stock_;  // outlives the chunks
  mutable std::mutex mutex_;
  std::condition_variable released_;
  std::unordered_map<std::string, std::shared_ptr<PendingChunk>> chunks_;
  std::list<PendingChunk*> order_;  // the one written to least recently first; without those that are held
  std::size_t complete_ = 0;        // of those in the order
  PendingBytes bytes_;
  bool closed_ = false;
};

}  // namespace zarr
