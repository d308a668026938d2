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

#include "zarrlib/array/part_buffer.h"
#include "zarrlib/array/waiting_bytes.h"

namespace zarr {

/// A part of a chunk that waits: being written, or, in shards, encoded already.
struct WaitingPart {
  std::unique_ptr<PartBuffer> open;  ///< While it is not written whole.
  bool encoded = false;
  std::optional<Bytes> value;  ///< If encoded; none if it equals the fill value.
};

/// A chunk of which something was written that is not stored yet. Used by one holder at a time; the parts of a shard
/// may be worked on by different threads.
struct WaitingChunk {
  std::string key;
  Shape grid_index;
  Shape live;  ///< Shape of what the array has of it.
  std::shared_ptr<const PartCodec> codec;
  BufferStock* stock = nullptr;
  std::vector<WaitingPart> parts;  ///< Made when first needed.
  std::atomic<std::size_t> encoded_parts{0};
  std::vector<std::size_t> ready;     ///< Of a shard: parts that are complete, but not encoded.
  std::atomic<std::size_t> bytes{0};  ///< What the parts take.

  std::uint64_t live_parts() const;
  /// Shape of what the array has of the part at that index.
  Shape LiveOf(const Shape& part_index) const;

 private:
  friend class WriteBuffer;  // and its Hold
  bool held_ = false;
  bool complete_ = false;
  std::size_t counted_ = 0;
  std::list<WaitingChunk*> place_{this};  // its place in the order; empty while it is there
  std::list<WaitingChunk*>::iterator in_order_;
};

/// The chunks of one array that wait to be covered whole. A chunk is held by one caller at a time. Thread-safe.
class WriteBuffer {
 public:
  /// Holds a chunk while it lives. Unless `Keep` was called, what waited of the chunk is then gone.
  class Hold {
   public:
    Hold() = default;
    Hold(WriteBuffer* buffer, std::shared_ptr<WaitingChunk> chunk) : buffer_(buffer), chunk_(std::move(chunk)) {}
    ~Hold() { Release(); }
    Hold(Hold&& other) noexcept;
    Hold& operator=(Hold&& other) noexcept;

    explicit operator bool() const { return chunk_ != nullptr; }
    WaitingChunk& operator*() const { return *chunk_; }
    WaitingChunk* operator->() const { return chunk_.get(); }
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
    WriteBuffer* buffer_ = nullptr;
    std::shared_ptr<WaitingChunk> chunk_;
    bool keep_ = false;
    bool written_ = false;
  };

  /// Holds the chunk of that key, which is an empty one if nothing waits. Waits for another holder.
  Hold Take(const std::string& key);
  /// Holds it if it waits still.
  Hold TakeWaiting(const std::string& key);
  /// Holds those that were written to least recently, and by no one now, so many that the others take `limit` bytes.
  std::vector<Hold> TakeExcess(std::size_t limit);
  /// Holds those that wait although they are complete, if there are that many.
  std::vector<Hold> TakeComplete(std::size_t least);
  /// The keys of all that wait, by their place in the grid.
  std::vector<std::string> WaitingKeys() const;
  /// The number of bytes that wait.
  std::size_t bytes() const { return bytes_.load(); }
  bool empty() const;
  /// Drops what waits, now and later.
  void Close();

 private:
  void Release(const std::shared_ptr<WaitingChunk>& chunk, bool keep, bool written);
  /// With the mutex held: takes it out of the order, if it is there.
  void Leave(WaitingChunk* chunk);

  BufferStock stock_;  // outlives the chunks
  mutable std::mutex mutex_;
  std::condition_variable released_;
  std::unordered_map<std::string, std::shared_ptr<WaitingChunk>> chunks_;
  std::list<WaitingChunk*> order_;  // the one written to least recently first; without those that are held
  std::size_t complete_ = 0;        // of those in the order
  WaitingBytes bytes_;
  bool closed_ = false;
};

}  // namespace zarr
