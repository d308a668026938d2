// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/base/fork_safety.h"
#include "zarrlib/store/forwarding_store.h"
#include "zarrlib/store/store_requests.h"

namespace gdal_zarr {

/// Wraps a store in an object store, such as S3, for a dataset in update mode. After a listing has shown that a prefix
/// is empty, only this dataset's own metadata is expected there, so that looking up documents and nodes does not cost a
/// request. The absence of a document is cached as well. Both hold for a few seconds, long enough to create a node;
/// nodes that other processes create later are found. Chunks are always requested, because other processes may write
/// them into an array that this one created. A failed request clears the cache, because the server may have executed
/// it. Thread-safe.
///
/// What this object knows may be outdated. Changes of a part of a value read it again (Freshness::kNow), and a new
/// document is put on the condition that there is none (ConditionalStore).
class FreshStore final : public zarr::ForwardingStore, private zarr::ForwardingRequests {
 public:
  /// How long an absence is trusted. Creating an array with its georeferencing takes less, even if a request takes 300
  /// ms.
  static constexpr std::chrono::milliseconds kTrusted{10'000};

  /// `store` must be a remote store.
  explicit FreshStore(const std::shared_ptr<zarr::Store>& store, std::chrono::milliseconds trusted = kTrusted)
      : ForwardingStore(store), ForwardingRequests(*store->requests()), trusted_(trusted) {}

  bool Read(const zarr::ReadRequest& request) const override;
  std::optional<zarr::Listing> List(std::string_view prefix, const zarr::ListOptions& options = {}) const override;
  bool Write(std::string_view key, zarr::ByteSpan value, zarr::WriteIf condition) override;
  bool WriteIfSame(std::string_view key, zarr::ByteSpan value, const zarr::VersionStamp* known) override;
  void EraseAll(std::span<const std::string> keys) override;
  const zarr::StoreRequests* requests() const override { return this; }

 private:
  using Times = std::map<std::string, std::chrono::steady_clock::time_point, std::less<>>;

  bool Prefetch(std::span<const std::string> documents, std::span<const std::string> values) const override;
  /// Returns true if a result obtained at that time still holds.
  bool IsTrusted(std::chrono::steady_clock::time_point time) const;
  /// Returns true if a path is below a prefix that was empty.
  bool IsFresh(std::string_view path) const;
  /// Returns nullopt if nothing is known about a key. Otherwise returns its document, or an inner nullopt if it is
  /// absent.
  std::optional<std::optional<zarr::Bytes>> FindDocument(std::string_view key, bool takes_early) const;
  /// Lists what this dataset has written under a fresh prefix. Returns nullopt if there are values whose names are
  /// unknown.
  std::optional<zarr::Listing> ListOwn(std::string_view prefix) const;
  bool ReadFromStore(const zarr::ReadRequest& request) const;
  std::optional<zarr::Listing> ListFolder(std::string_view prefix) const;
  std::optional<zarr::Listing> ListOne(std::string_view prefix, std::string_view name) const;
  std::optional<zarr::Listing> ListPresent(std::string_view prefix, const zarr::ListOptions& options) const;
  /// Returns the number of completed changes.
  std::uint64_t CountChanges() const;
  /// Caches an absence, unless a change has been completed since `changes` was counted, before the request.
  void NoteAbsent(std::string_view key, std::uint64_t changes) const;
  void NoteEmpty(const std::string& prefix, std::uint64_t changes) const;
  /// Sends a change to the store, and records it. If it fails, clears the cache.
  template <typename Request, typename Note>
  auto Change(const Request& request, const Note& note);
  void NoteWritten(std::string_view key, zarr::ByteSpan value);
  /// Drops what is known of a value that others have changed.
  void NoteChanged(std::string_view key);
  void NoteErased(std::string_view key);

  const std::chrono::milliseconds trusted_;
  mutable zarr::ForkSafeMutex mutex_;
  std::uint64_t changes_ = 0;
  mutable Times empty_;                                                // prefixes that were empty
  mutable std::map<std::string, zarr::Bytes, std::less<>> documents_;  // documents written there, by key
  mutable std::set<std::string, std::less<>> folders_;                 // prefixes there with other values
  mutable Times absent_;                                               // documents elsewhere that were absent
  mutable std::map<std::string, zarr::Bytes, std::less<>> early_;      // documents elsewhere that were prefetched
};

}  // namespace gdal_zarr
