// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/icechunk_store.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "zarrlib/base/error.h"

namespace zarr {

IcechunkStore::IcechunkStore(std::string name, std::shared_ptr<const Repository> repository, const ObjectId& snapshot,
                             ChunkOptions options)
    : Store(std::move(name)),
      id_(snapshot),
      snapshot_(ReadSnapshot(repository->folder(), snapshot)),
      chunks_(this->name(), std::move(repository), std::move(options)),
      settings_(chunks_.GetSettings()) {}

std::string IcechunkStore::identity() const {
  return "icechunk:" + folder().identity() + "@" + FormatObjectId(id_) + settings_;
}

bool IcechunkStore::KeepsIdentity() const {
  return zarr::KeepsIdentity(folder()) && settings_ == chunks_.GetSettings();
}

StoreInfo IcechunkStore::info() const {
  return {.lists = true, .concurrency = chunks_.concurrency()};
}

std::optional<RequestCounts> IcechunkStore::counts() const {
  const StoreRequests* const requests = folder().requests();
  return requests ? requests->counts() : std::nullopt;
}

std::optional<SnapshotChunks::Found> IcechunkStore::FindRef(std::string_view key) const {
  CheckKey(key);
  const std::optional<SnapshotKey> found = FindKey(snapshot_->nodes(), key);
  return found && !found->is_document ? chunks_.Find(*found->node, found->coordinates) : std::nullopt;
}

std::optional<ValueLocation> IcechunkStore::Locate(std::string_view key) const {
  try {
    const std::optional<SnapshotChunks::Found> found = FindRef(key);
    return found ? chunks_.Locate(found->ref) : std::nullopt;
  } catch (const Error& error) {
    throw error.At(name(), key);
  }
}

bool IcechunkStore::ReadTogether(std::span<const ReadRequest> requests) const {
  std::vector<SnapshotChunks::Found> found;
  try {
    for (const ReadRequest& request : requests) {
      auto one = FindRef(request.key);
      if (!one) return false;
      found.push_back(*std::move(one));
    }
    return chunks_.ReadTogether(requests, found);
  } catch (const Error&) {
    return false;
  }
}

bool IcechunkStore::NoteBroken(std::string_view key, int status, int times, Error* error) const {
  const std::optional<SnapshotChunks::Found> found = FindRef(key);
  return found && chunks_.NoteBroken(found->ref, status, times, error);
}

bool IcechunkStore::Read(const ReadRequest& request) const {
  CheckKey(request.key);
  try {
    const std::optional<SnapshotKey> key = FindKey(snapshot_->nodes(), request.key);
    if (!key) return false;
    if (key->is_document) return ReadFromMemory(request, key->node->metadata, FormatObjectId(id_)), true;
    const std::optional<SnapshotChunks::Found> found = chunks_.Find(*key->node, key->coordinates);
    if (found) chunks_.Read(request, found->ref);
    return found.has_value();
  } catch (const Error& error) {
    throw error.At(name(), request.key);
  }
}

std::optional<Listing> IcechunkStore::List(std::string_view prefix, const ListOptions& options) const {
  CheckPrefix(prefix);
  if (!options.is_plain()) return std::nullopt;
  const SnapshotNodes& nodes = snapshot_->nodes();
  try {
    if (const auto chunks = FindChunkPrefix(nodes, prefix)) {
      if (!HasDefaultKeys(*chunks->node)) return std::nullopt;
      return MakeChunkListing(*chunks, chunks_.ListCoordinates(*chunks));
    }
    Listing listing = ListNodes(nodes, prefix);
    const auto node = nodes.find(prefix.substr(0, prefix.size() - (prefix.empty() ? 0 : 1)));
    if (node == nodes.end()) return listing;
    const SnapshotNode& array = node->second;
    if (array.is_array && !HasDefaultKeys(array)) return std::nullopt;
    listing.keys.emplace_back("zarr.json");
    if (!array.is_array) return listing;
    if (array.rank > 0 && !array.manifests->empty()) listing.prefixes.emplace_back("c");
    if (array.rank == 0 && chunks_.Find(array, {})) listing.keys.insert(listing.keys.begin(), "c");
    return listing;
  } catch (const Error& error) {
    throw error.At(name(), prefix);
  }
}

void IcechunkStore::FailReadOnly(std::string_view key) const {
  throw Error(ErrorKind::kReadOnly, name(), std::string(key), "", "this is a snapshot of an Icechunk repository");
}

bool IcechunkStore::Write(std::string_view key, ByteSpan, WriteIf) {
  FailReadOnly(key);
}

void IcechunkStore::EraseAll(std::span<const std::string> keys) {
  for (const std::string& key : keys) FailReadOnly(key);
}

}  // namespace zarr
