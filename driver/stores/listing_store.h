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

/// Wraps a store on a network, and lists what is there once, when a chunk is first asked for: in an object store all
/// keys of its array, unless there are very many; else the folder that it is in. Threads that ask meanwhile wait. A
/// chunk that the listing lacks is absent, without a request. Values that others add later are not seen, but those set
/// through this store are; whoever asks for the present state (Freshness::kNow) sees all.
///
/// Listings are not used if a folder cannot be listed, if the wrapped store needs no requests, and for metadata
/// documents, which the listings of web servers may hide. Thread-safe.
class ListingStore final : public zarr::ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;

  bool Read(const zarr::ReadRequest& request) const override;
  /// Nothing of keys below: a reader who knew all keys of an array would have them listed once more.
  std::optional<zarr::Listing> List(std::string_view prefix, const zarr::ListOptions& options = {}) const override;
  bool Write(std::string_view key, zarr::ByteSpan value, zarr::WriteIf condition) override;

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

  mutable zarr::ForkSafeMutex mutex_;
  mutable ListedByPrefix arrays_;
  mutable ListedByPrefix folders_;
  mutable std::atomic<bool> is_refused_ = false;  // the object store lists nothing
};

}  // namespace gdal_zarr
