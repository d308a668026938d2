// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>

#include "zarrlib/store/store.h"

namespace zarr {

/// A store in memory: for tests, and as an example of a simple store.
class MemoryStore final : public Store {
 public:
  explicit MemoryStore(std::string name = "memory") : name_(std::move(name)) {}

  std::string name() const override { return name_; }
  StoreCapabilities capabilities() const override;
  bool Get(std::string_view key, Bytes* value, VersionStamp* stamp, std::uint64_t max_size) const override;
  bool GetRanges(std::string_view key, std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers,
                 VersionStamp* stamp) const override;
  bool GetSuffix(std::string_view key, std::uint64_t length, Bytes* value, VersionStamp* stamp) const override;
  bool Exists(std::string_view key) const override;
  bool GetStamp(std::string_view key, VersionStamp* stamp) const override;
  std::optional<Listing> List(std::string_view prefix) const override;
  void Set(std::string_view key, ByteSpan value) override;
  void Erase(std::string_view key) override;
  void RenamePrefix(std::string_view from, std::string_view to) override;
  bool ExchangePrefixes(std::string_view first, std::string_view second) override;

 private:
  struct Entry {
    Bytes bytes;
    VersionStamp stamp;
  };
  /// The mutex must be held.
  const Entry* FindEntry(std::string_view key, VersionStamp* stamp) const;
  /// The keys under one prefix, in their order, as they are under another one. The mutex must be held.
  std::vector<std::string> MakeMovedNames(std::string_view from, std::string_view to) const;

  std::string name_;
  mutable std::shared_mutex mutex_;
  std::map<std::string, Entry, std::less<>> entries_;
  std::int64_t clock_ = 0;
};

}  // namespace zarr
