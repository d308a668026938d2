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

/// Wraps a store in an object store, such as S3, for a dataset that changes it. A prefix that a listing has shown to be
/// empty holds from then on only the metadata that the dataset has put there itself: looking for documents and for
/// nodes there takes no request. That a document is absent is remembered, too. Both for a few seconds, which is enough
/// for making a node: of a node that another process makes later, the store is asked again. Values of chunks are always
/// asked for, because other processes may write them into an array that this one has made. After a request that has
/// failed, nothing is known: the server may have done what it was asked for. Thread-safe.
///
/// Object stores have no locks. If two processes make nodes of one name in the same seconds, one of them wins, with and
/// without this class.
class FreshStore final : public zarr::ForwardingStore, private zarr::ForwardingRequests {
 public:
  /// How long an absence holds. Making an array with its place takes less, also where a request takes 300 ms.
  static constexpr std::chrono::milliseconds kTrusted{10'000};

  /// `store` sends requests.
  explicit FreshStore(const std::shared_ptr<zarr::Store>& store, std::chrono::milliseconds trusted = kTrusted)
      : ForwardingStore(store), ForwardingRequests(*store->requests()), trusted_(trusted) {}

  bool Read(const zarr::ReadRequest& request) const override;
  std::optional<zarr::Listing> List(std::string_view prefix, const zarr::ListOptions& options = {}) const override;
  bool Write(std::string_view key, zarr::ByteSpan value, zarr::WriteIf condition) override;
  void EraseAll(std::span<const std::string> keys) override;
  const zarr::StoreRequests* requests() const override { return this; }

 private:
  using Times = std::map<std::string, std::chrono::steady_clock::time_point, std::less<>>;

  bool Prefetch(std::span<const std::string> documents, std::span<const std::string> values) const override;
  /// Whether what was found out at that time still holds.
  bool IsTrusted(std::chrono::steady_clock::time_point time) const;
  /// Whether a path is below a prefix that was empty.
  bool IsFresh(std::string_view path) const;
  /// The document at a key, or that there is none; nothing if that is not known.
  std::optional<std::optional<zarr::Bytes>> FindDocument(std::string_view key, bool takes_early) const;
  /// What this dataset has put under a fresh prefix; nothing if there are values that are not known by name.
  std::optional<zarr::Listing> ListOwn(std::string_view prefix) const;
  bool ReadFromStore(const zarr::ReadRequest& request) const;
  std::optional<zarr::Listing> ListFolder(std::string_view prefix) const;
  std::optional<zarr::Listing> ListOne(std::string_view prefix, std::string_view name) const;
  std::optional<zarr::Listing> ListPresent(std::string_view prefix, const zarr::ListOptions& options) const;
  /// The number of changes that have ended.
  std::uint64_t CountChanges() const;
  /// Notes what an answer has told, unless a change has ended since `changes` were counted, before the request.
  void NoteAbsent(std::string_view key, std::uint64_t changes) const;
  void NoteEmpty(const std::string& prefix, std::uint64_t changes) const;
  /// Sends what changes the store, and notes the change. Forgets all if that fails.
  template <typename Request, typename Note>
  auto Change(const Request& request, const Note& note);
  void NoteErased(std::string_view key);

  const std::chrono::milliseconds trusted_;
  mutable zarr::ForkSafeMutex mutex_;
  std::uint64_t changes_ = 0;
  mutable Times empty_;                                                // prefixes that were empty
  mutable std::map<std::string, zarr::Bytes, std::less<>> documents_;  // that were put there, by key
  mutable std::set<std::string, std::less<>> folders_;                 // prefixes there that hold values of other kinds
  mutable Times absent_;                                               // documents elsewhere that were not there
  mutable std::map<std::string, zarr::Bytes, std::less<>> early_;      // documents elsewhere that `Prefetch` has got
};

}  // namespace gdal_zarr
