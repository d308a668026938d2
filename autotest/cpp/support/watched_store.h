// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zarrlib/store/filesystem_store.h"

namespace zarr::test {

/// A folder that calls `before` ahead of each change, and exchanges folders only if it is told to.
class WatchedStore final : public Store {
 public:
  WatchedStore(const std::string& folder, bool exchanges, std::function<void()> before)
      : files_(folder), exchanges_(exchanges), before_(std::move(before)) {}

  std::string name() const override { return files_.name(); }
  StoreCapabilities capabilities() const override { return files_.capabilities(); }
  bool Get(std::string_view key, Bytes* value, VersionStamp* stamp, std::uint64_t max_size) const override {
    return files_.Get(key, value, stamp, max_size);
  }
  bool GetRanges(std::string_view key, std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers,
                 VersionStamp* stamp) const override {
    return files_.GetRanges(key, ranges, buffers, stamp);
  }
  bool GetSuffix(std::string_view key, std::uint64_t length, Bytes* value, VersionStamp* stamp) const override {
    return files_.GetSuffix(key, length, value, stamp);
  }
  bool Exists(std::string_view key) const override { return files_.Exists(key); }
  bool GetStamp(std::string_view key, VersionStamp* stamp) const override { return files_.GetStamp(key, stamp); }
  std::optional<Listing> List(std::string_view prefix) const override { return files_.List(prefix); }
  void Set(std::string_view key, ByteSpan value) override {
    before_();
    files_.Set(key, value);
  }
  void Erase(std::string_view key) override {
    before_();
    files_.Erase(key);
  }
  std::optional<std::vector<Entry>> ListEntries(std::string_view prefix) const override {
    return files_.ListEntries(prefix);
  }
  std::optional<EntryKind> GetEntryKind(std::string_view path) const override { return files_.GetEntryKind(path); }
  Leftovers EraseChosen(std::string_view prefix, const Chooser& choose) override {
    before_();
    return files_.EraseChosen(prefix, choose);
  }
  void RenamePrefix(std::string_view from, std::string_view to) override {
    before_();
    files_.RenamePrefix(from, to);
  }
  bool ExchangePrefixes(std::string_view first, std::string_view second) override {
    before_();
    return exchanges_ && files_.ExchangePrefixes(first, second);
  }
  bool LeadsOut(std::string_view prefix) const override { return files_.LeadsOut(prefix); }
  LockResult Lock(std::string_view document, std::string_view value, bool waits) const override {
    return files_.Lock(document, value, waits);
  }

 private:
  FilesystemStore files_;
  bool exchanges_;
  std::function<void()> before_;
};

}  // namespace zarr::test
