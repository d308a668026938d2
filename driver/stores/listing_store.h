// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "zarrlib/base/fork_safety.h"
#include "zarrlib/base/once.h"
#include "zarrlib/store/store.h"

namespace gdal_zarr {

/// Wraps a store on a network, and lists what is there once, when a chunk is first asked for: in an object store all
/// keys of its array, unless there are very many; else the folder that it is in. Threads that ask meanwhile wait. A
/// chunk that the listing lacks is absent, without a request. Values that others add later are not seen, but those set
/// through this store are; `current` returns a store that sees all.
///
/// Listings are not used if a folder cannot be listed, if the wrapped store needs no requests, and for metadata
/// documents, which the listings of web servers may hide. Thread-safe.
class ListingStore final : public zarr::Store {
 public:
  explicit ListingStore(std::shared_ptr<zarr::Store> store) : store_(std::move(store)) {}

  /// The wrapped store.
  const zarr::Store& inner() const { return *store_; }

  std::string name() const override { return store_->name(); }
  std::string identity() const override { return store_->identity(); }
  bool KeepsIdentity() const override { return store_->KeepsIdentity(); }
  zarr::StoreCapabilities capabilities() const override { return store_->capabilities(); }
  bool Get(std::string_view key, zarr::Bytes* value, zarr::VersionStamp* stamp, std::uint64_t max_size) const override;
  bool GetRanges(std::string_view key, std::span<const zarr::ByteRange> ranges,
                 std::span<const zarr::MutableByteSpan> buffers, zarr::VersionStamp* stamp) const override;
  std::optional<std::uint64_t> GetUnpackedSize(std::string_view key) const override {
    return store_->GetUnpackedSize(key);
  }
  bool GetSuffix(std::string_view key, std::uint64_t length, zarr::Bytes* value,
                 zarr::VersionStamp* stamp) const override;
  bool Exists(std::string_view key) const override;
  bool Prefetch(std::span<const std::string> documents, std::span<const std::string> values) const override {
    return store_->Prefetch(documents, values);
  }
  bool GetStamp(std::string_view key, zarr::VersionStamp* stamp) const override;
  const zarr::Store& current() const override { return store_->current(); }
  std::optional<Listing> List(std::string_view prefix) const override { return store_->List(prefix); }
  void Set(std::string_view key, zarr::ByteSpan value) override;
  void Erase(std::string_view key) override { store_->Erase(key); }
  std::optional<std::vector<Entry>> ListEntries(std::string_view prefix) const override {
    return store_->ListEntries(prefix);
  }
  std::optional<zarr::EntryKind> GetEntryKind(std::string_view path) const override {
    return store_->GetEntryKind(path);
  }
  Leftovers EraseChosen(std::string_view prefix, const zarr::Chooser& choose) override {
    return store_->EraseChosen(prefix, choose);
  }
  void RenamePrefix(std::string_view from, std::string_view to) override { store_->RenamePrefix(from, to); }
  bool ExchangePrefixes(std::string_view first, std::string_view second) override {
    return store_->ExchangePrefixes(first, second);
  }
  bool LeadsOut(std::string_view prefix) const override { return store_->LeadsOut(prefix); }
  std::optional<LinkedFolder> FindLinkedFolder(std::string_view path) const override {
    return store_->FindLinkedFolder(path);
  }
  bool SetIfAbsent(std::string_view key, zarr::ByteSpan value) override;
  std::shared_ptr<void> TryHold(std::string_view key) const override { return store_->TryHold(key); }
  zarr::LockResult Lock(std::string_view document, std::string_view value, bool waits) const override {
    return store_->Lock(document, value, waits);
  }
  std::unique_ptr<zarr::StoreLock> LockFolder(std::string_view prefix) const override {
    return store_->LockFolder(prefix);
  }
  std::string lock_fault() const override { return store_->lock_fault(); }
  void EraseAbandoned() override { store_->EraseAbandoned(); }
  void Finish() override { store_->Finish(); }

 private:
  using Names = std::unordered_set<std::string>;
  /// A listing, which one thread makes.
  struct Listed {
    zarr::Once once;
    std::optional<Names> names;  // relative to the prefix; nothing if they cannot be told
    Names added;                 // set before that
    bool is_made = false;
  };
  using ListedByPrefix = std::unordered_map<std::string, std::shared_ptr<Listed>>;

  bool MayExist(std::string_view key) const;
  /// Whether a listing has a key below its prefix; nothing if there is no listing. `list` makes one, once for each
  /// prefix.
  template <typename MakeList>
  std::optional<bool> IsListed(ListedByPrefix* listings, const std::string& prefix, std::string_view key,
                               const MakeList& list) const;
  /// The keys of an array; nothing if the store cannot tell them by few requests.
  std::optional<Names> ListArray(const std::string& prefix) const;
  /// The names in a folder; nothing if they cannot be listed.
  std::optional<Names> ListFolder(const std::string& folder) const;
  /// Adds a key to the listings of its array and its folder.
  void AddName(std::string_view key);

  std::shared_ptr<zarr::Store> store_;
  mutable zarr::ForkSafeMutex mutex_;
  mutable ListedByPrefix arrays_;
  mutable ListedByPrefix folders_;
  mutable std::atomic<bool> is_refused_ = false;  // the object store lists nothing
};

}  // namespace gdal_zarr
