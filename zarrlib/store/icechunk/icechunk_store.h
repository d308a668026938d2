// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "zarrlib/store/icechunk/snapshot_chunks.h"
#include "zarrlib/store/store.h"
#include "zarrlib/store/store_requests.h"

namespace zarr {

/// One snapshot of an Icechunk repository, as a read-only store of Zarr v3. Later commits do not change it: all objects
/// that it refers to are immutable. A node's document is in the snapshot, which is read when the store is made, and
/// chunks are found by SnapshotChunks; one that no manifest lists is absent.
class IcechunkStore final : public Store, private StoreRequests {
 public:
  /// Reads the snapshot. `name` is for messages. Throws the errors of ReadSnapshot.
  IcechunkStore(std::string name, std::shared_ptr<const Repository> repository, const ObjectId& snapshot,
                ChunkOptions options);

  std::string identity() const override;
  StoreInfo info() const override;
  bool Read(const ReadRequest& request) const override;
  /// Lists nodes, and chunks of arrays with the default keys. Listing chunks reads all manifests of the array.
  std::optional<Listing> List(std::string_view prefix, const ListOptions& options = {}) const override;
  bool Write(std::string_view key, ByteSpan value, WriteIf condition) override;
  void EraseAll(std::span<const std::string> keys) override;
  const StoreRequests* requests() const override { return this; }

 private:
  bool KeepsIdentity() const override;
  bool NoteBroken(std::string_view key, int status, int times, Error* error) const override;
  std::optional<ValueLocation> Locate(std::string_view key) const override;
  bool knows_keys() const override { return true; }
  bool ReadTogether(std::span<const ReadRequest> requests) const override;
  bool reads_together() const override { return chunks_.reads_together(); }
  std::optional<RequestCounts> counts() const override;

  const Store& folder() const { return chunks_.repository().folder(); }
  /// Returns nullopt for an absent key, and for a document.
  std::optional<SnapshotChunks::Found> FindRef(std::string_view key) const;
  [[noreturn]] void FailReadOnly(std::string_view key) const;

  const ObjectId id_;
  const std::shared_ptr<const Snapshot> snapshot_;
  const SnapshotChunks chunks_;
  const std::string settings_;
};

}  // namespace zarr
