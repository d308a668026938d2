// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "zarrlib/base/fork_safety.h"
#include "zarrlib/base/once.h"
#include "zarrlib/store/forwarding_store.h"

namespace gdal_zarr {

/// Wraps a remote store, and lists its keys once, when a chunk is first requested. In an object store, lists all keys
/// of the chunk's array unless there are very many; otherwise, lists the chunk's folder. Other threads wait for the
/// listing. A chunk that is not in the listing is absent, without a request. Values that other processes add later are
/// not seen, but values set through this store are. Requests for the current state (Freshness::kNow) see all values.
///
/// Listings are not used if a folder cannot be listed, if the wrapped store does not need requests, and for metadata
/// documents, which web servers may hide in listings. Thread-safe.
class ListingStore final : public zarr::ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;

  bool Read(const zarr::ReadRequest& request) const override;
  /// Does not list keys recursively: a reader that asks for all keys of an array would make the store list them again.
  std::optional<zarr::Listing> List(std::string_view prefix, const zarr::ListOptions& options = {}) const override;
  bool Write(std::string_view key, zarr::ByteSpan value, zarr::WriteIf condition) override;
  bool WriteIfSame(std::string_view key, zarr::ByteSpan value, const zarr::VersionStamp* known) override;

 private:
  using Names = std::unordered_set<std::string>;
  /// A listing, made by one thread.
  struct Listed {
    zarr::Once once;
    std::optional<Names> names;  // relative to the prefix; nullopt if they cannot be listed
    Names added;                 // set before the listing was complete
    bool is_made = false;
  };
  using ListedByPrefix = std::unordered_map<std::string, std::shared_ptr<Listed>>;

  bool MayExist(std::string_view key) const;
  /// Returns whether a listing has a key below its prefix, or nullopt if there is no listing. `list` creates the
  /// listing, once for each prefix.
  template <typename MakeList>
  std::optional<bool> IsListed(ListedByPrefix* listings, const std::string& prefix, std::string_view key,
                               const MakeList& list) const;
  /// Returns the keys of an array, or nullopt if the store cannot list them in a few requests.
  std::optional<Names> ListArray(const std::string& prefix) const;
  /// Returns the names in a folder, or nullopt if they cannot be listed.
  std::optional<Names> ListFolder(const std::string& folder) const;
  /// Adds a key to the listings of its array and its folder.
  void AddName(std::string_view key);

  mutable zarr::ForkSafeMutex mutex_;
  mutable ListedByPrefix arrays_;
  mutable ListedByPrefix folders_;
  mutable std::atomic<bool> is_refused_ = false;  // the object store refuses to list
};

}  // namespace gdal_zarr
