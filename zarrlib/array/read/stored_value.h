// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "zarrlib/codec/codec.h"
#include "zarrlib/store/broken_value.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// Thrown when a stored value is no longer the one whose index was read.
class ValueChanged : public std::exception {};

/// A part of a value that is kept in memory: it came with an index.
struct KeptPart {
  std::uint64_t begin = 0;
  Bytes bytes;

  bool Contains(const ByteRange& range) const {
    return range.offset >= begin && range.offset - begin <= bytes.size() &&
           range.length <= bytes.size() - (range.offset - begin);
  }
  /// Returns the part of a range that is not kept, if the other part is.
  std::optional<ByteRange> FindMissing(const ByteRange& range) const;
};

/// The length of the first access to an end of a value in a remote store, even if fewer bytes are needed: a request for
/// so many bytes takes little longer, and a shard that is no longer than this then takes one request.
inline constexpr std::uint64_t kReadWithIndex = std::uint64_t{64} << 10;

/// One value of a store. Keeps the version stamp of the first access; a later access throws ValueChanged if it finds
/// another stamp. In a remote store, also keeps the bytes that came with an index, and later accesses to these take no
/// request. Any number of threads may read after the first access, or if a stamp was given.
class StoredValue final : public ValueReader {
 public:
  /// `most_unpacked` is the maximum size in bytes of a value that has to be decompressed as a whole, even for a range.
  StoredValue(const Store& store, std::string key, std::uint64_t most_unpacked = UINT64_MAX,
              Freshness freshness = Freshness::kKnown)
      : store_(store), key_(std::move(key)), most_unpacked_(most_unpacked), freshness_(freshness) {}
  /// `kept` is a part of the value with that stamp, or null.
  StoredValue(const Store& store, std::string key, VersionStamp stamp, std::shared_ptr<const KeptPart> kept = nullptr)
      : store_(store), key_(std::move(key)), stamp_(std::move(stamp)), kept_(std::move(kept)) {}

  /// Call this only after an access that found the value.
  const VersionStamp& stamp() const { return *stamp_; }
  /// Returns null if no part is kept.
  const std::shared_ptr<const KeptPart>& kept() const { return kept_; }
  /// Returns the status of the last response with bytes; 0 if there was none.
  int status() const { return status_.load(); }
  std::optional<std::uint64_t> value_size() const override;
  bool Read(std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers) const override;
  std::optional<Suffix> ReadSuffix(std::uint64_t length) const override;
  std::optional<Bytes> ReadAll(std::uint64_t max_size) const override;

 private:
  ReadRequest MakeRequest(ReadRequest::Part part, VersionStamp* stamp) const;
  /// Returns true if the next access to an end of the value should get more bytes than are needed: it is the first, so
  /// that no other thread reads yet, and is to a remote store.
  bool MayKeep(std::uint64_t length) const;
  /// Reads the first bytes of the value, and keeps them. Returns false if the value does not exist.
  bool KeepStart() const;
  bool ReadFromStore(std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers) const;
  /// Reads a range, of which only the missing part is requested.
  bool ReadMissing(const ByteRange& missing, const ByteRange& range, MutableByteSpan buffer) const;
  bool ReadKept(std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers) const;
  bool IsAbsent() const;
  /// Call this when a range extends past the end of the value: the range may belong to an older version.
  void CheckUnchanged() const;
  void Check(VersionStamp stamp) const;

  const Store& store_;
  std::string key_;
  std::uint64_t most_unpacked_ = UINT64_MAX;
  Freshness freshness_ = Freshness::kKnown;
  mutable std::optional<VersionStamp> stamp_;
  mutable std::shared_ptr<const KeptPart> kept_;
  mutable std::atomic<int> status_ = 0;
};

/// How often a value is read again if it changes while it is read.
inline constexpr int kMostChanges = 20;
[[noreturn]] void FailChanging(const Store& store, const std::string& key);

/// Returns the result of `read`, which gets a StoredValue and accesses it several times. Calls it again, with a new
/// StoredValue, if the value changes in between, or if it cannot be decoded and should be read again.
template <typename Read>
auto ReadUnchanged(const Store& store, const std::string& key, const Read& read,
                   Freshness freshness = Freshness::kKnown) {
  int changes = 0;
  int failures = 0;
  while (true) {
    const StoredValue source(store, key, UINT64_MAX, freshness);
    try {
      return read(source);
    } catch (const ValueChanged&) {
      if (++changes >= kMostChanges) FailChanging(store, key);
    } catch (const Error& error) {
      RethrowUnlessWorthGetting(store, key, source.status(), ++failures, error);
    }
  }
}

}  // namespace zarr
