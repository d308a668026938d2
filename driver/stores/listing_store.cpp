// SPDX-License-Identifier: MIT
#include "driver/stores/listing_store.h"

#include <cpl_vsi.h>

#include <algorithm>
#include <utility>

#include "driver/stores/network_listing.h"
#include "zarrlib/metadata/document_names.h"

namespace gdal_zarr {
namespace {

/// Listing the keys of a larger array takes too many consecutive requests: its folders are listed one by one.
constexpr std::size_t kMostKeys = std::size_t{1} << 16;

/// Returns the prefix of the folder that contains a key: "a/b/" for "a/b/c".
std::string_view GetFolder(std::string_view key) {
  return key.substr(0, key.rfind('/') + 1);
}

bool IsNumber(std::string_view name) {
  return std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

/// Returns true if the last component of a key may be a chunk's: "3", "0.2", "c", "c.0.2".
bool MayBeChunk(std::string_view name) {
  if (name.starts_with('c')) name.remove_prefix(1);
  return name.find_first_not_of(".0123456789") == name.npos;
}

/// Returns the prefix of the keys of a chunk's array, assuming that only folders of chunks have numbers as names. The
/// top-level folder is kept, because it may be an array with a number as its name.
std::string GetArrayPrefix(std::string_view key) {
  std::string_view prefix = GetFolder(key);
  while (!prefix.empty()) {
    const std::string_view path = prefix.substr(0, prefix.size() - 1);
    const std::string_view parent = GetFolder(path);
    if (parent.empty() || !IsNumber(path.substr(parent.size()))) break;
    prefix = parent;
  }
  return std::string(prefix);
}

}  // namespace

bool ListingStore::MayExist(std::string_view key) const {
  const std::string folder(GetFolder(key));
  if (zarr::IsMetadataName(key.substr(folder.size())) || !info().is_on_network()) return true;
  if (MayBeChunk(key.substr(folder.size()))) {
    const auto in_array =
        IsListed(&arrays_, GetArrayPrefix(key), key, [this](const std::string& prefix) { return ListArray(prefix); });
    if (in_array) return *in_array;
  }
  const auto in_folder =
      IsListed(&folders_, folder, key, [this](const std::string& prefix) { return ListFolder(prefix); });
  return in_folder.value_or(true);
}

template <typename MakeList>
std::optional<bool> ListingStore::IsListed(ListedByPrefix* listings, const std::string& prefix, std::string_view key,
                                           const MakeList& list) const {
  std::shared_ptr<Listed> listed;
  {
    const std::lock_guard lock(mutex_);
    const auto known = listings->find(prefix);
    listed = known != listings->end() ? known->second : std::make_shared<Listed>();
    if (known == listings->end()) listings->emplace(prefix, listed);
  }
  listed->once.Run([&] {
    std::optional<Names> names = list(prefix);
    const std::lock_guard lock(mutex_);
    // Keys that were set in the meantime may be missing in the list.
    if (names) names->merge(listed->added);
    listed->names = std::move(names);
    listed->is_made = true;
  });
  const std::lock_guard lock(mutex_);
  if (!listed->names) return std::nullopt;
  return listed->names->contains(std::string(key.substr(prefix.size())));
}

std::optional<ListingStore::Names> ListingStore::ListArray(const std::string& prefix) const {
  const auto all = inner().List(prefix, {.below = true, .most = kMostKeys});
  return all ? std::optional(Names(all->keys.begin(), all->keys.end())) : std::nullopt;
}

std::optional<ListingStore::Names> ListingStore::ListFolder(const std::string& folder) const {
  const bool is_object_store = IsInObjectStore(name());
  if (is_refused_) return std::nullopt;
  // Drops the listing that GDAL may have cached: it would hide values that were added since.
  const std::string path = name() + (folder.empty() ? "" : "/") + folder.substr(0, folder.rfind('/'));
  if (!is_object_store && !VSIIsLocal(path.c_str())) VSICurlPartialClearCache(path.c_str());
  const auto listing = inner().List(folder);
  if (!listing) {
    is_refused_ = is_object_store;
    return std::nullopt;
  }
  // GDAL may not have understood the page of a web server if it finds no names.
  if (!is_object_store && listing->empty()) return std::nullopt;
  return Names(listing->keys.begin(), listing->keys.end());
}

bool ListingStore::Write(std::string_view key, zarr::ByteSpan value, zarr::WriteIf condition) {
  const bool is_written = inner().Write(key, value, condition);
  AddName(key);
  return is_written;
}

bool ListingStore::WriteIfSame(std::string_view key, zarr::ByteSpan value, const zarr::VersionStamp* known) {
  const bool is_written = inner().WriteIfSame(key, value, known);
  AddName(key);  // also of a value that another process has set
  return is_written;
}

void ListingStore::AddName(std::string_view key) {
  const auto add = [&](ListedByPrefix* listings, const std::string& prefix) {
    const auto found = listings->find(prefix);
    if (found == listings->end()) return;
    Listed& listed = *found->second;
    if (listed.is_made && !listed.names) return;
    try {
      (listed.is_made ? *listed.names : listed.added).emplace(key.substr(prefix.size()));
    } catch (const std::bad_alloc&) {
      listings->erase(found);  // a list without the name would hide the value
      throw;
    }
  };
  const std::lock_guard lock(mutex_);
  add(&arrays_, GetArrayPrefix(key));
  add(&folders_, std::string(GetFolder(key)));
}

bool ListingStore::Read(const zarr::ReadRequest& request) const {
  const bool is_now = request.freshness == zarr::Freshness::kNow;
  return (is_now || MayExist(request.key)) && inner().Read(request);
}

std::optional<zarr::Listing> ListingStore::List(std::string_view prefix, const zarr::ListOptions& options) const {
  if (options.below && options.freshness != zarr::Freshness::kNow) return std::nullopt;
  return inner().List(prefix, options);
}

}  // namespace gdal_zarr
