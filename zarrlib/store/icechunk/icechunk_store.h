// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "zarrlib/store/icechunk/manifests.h"
#include "zarrlib/store/icechunk/repository.h"
#include "zarrlib/store/icechunk/snapshot_keys.h"
#include "zarrlib/store/icechunk/virtual_files.h"
#include "zarrlib/store/store.h"
#include "zarrlib/store/store_requests.h"

namespace zarr {

/// One snapshot of an Icechunk repository, as a read-only store of Zarr v3. Later commits do not change it: all objects
/// that it refers to are immutable.
///
/// A node's document is in the snapshot, which is read when the store is made. A chunk is found in a manifest, which is
/// read when it is needed, and its bytes are in the manifest, in the repository or in another file. What the snapshot
/// and its manifests refer to is never absent: if an object or a file is missing, damaged or too short, reading fails,
/// because absent chunks would be filled with the fill value. A chunk that no manifest lists is absent.
class IcechunkStore final : public Store, private StoreRequests {
 public:
  struct Options {
    /// Null if virtual chunks cannot be read.
    std::shared_ptr<const VirtualFiles> files;
    /// Whether a file must have the entity tag that the reference to it gives, or be no younger than it says.
    bool check_files = true;
  };

  /// Reads the snapshot. `name` is for messages. Throws the errors of ReadSnapshot.
  IcechunkStore(std::string name, std::shared_ptr<const Repository> repository, const ObjectId& snapshot,
                Options options);

  std::string identity() const override;
  StoreInfo info() const override;
  bool Read(const ReadRequest& request) const override;
  /// Lists nodes, and chunks of arrays with the default keys. Listing chunks reads all manifests of the array.
  std::optional<Listing> List(std::string_view prefix, const ListOptions& options = {}) const override;
  bool Write(std::string_view key, ByteSpan value, WriteIf condition) override;
  void EraseAll(std::span<const std::string> keys) override;
  const StoreRequests* requests() const override { return this; }

 private:
  /// A reference to a chunk, with the manifest that has its bytes if it is inline.
  struct FoundRef {
    std::shared_ptr<const Manifest> manifest;
    ChunkRef ref;
  };

  bool KeepsIdentity() const override;
  bool NoteBroken(std::string_view key, int status, int times, Error* error) const override;
  std::optional<ValueLocation> Locate(std::string_view key) const override;
  std::optional<RequestCounts> counts() const override;

  std::string GetSettings() const;
  std::optional<FoundRef> FindRef(const SnapshotNode& array, ChunkCoordinates coordinates) const;
  /// Returns nullopt for an absent key, and for a document.
  std::optional<FoundRef> FindRef(std::string_view key) const;
  bool ReadKey(const ReadRequest& request) const;
  bool ReadBytes(const ReadRequest& request, ByteSpan value) const;
  void ReadNative(const ReadRequest& request, const ChunkRef& ref) const;
  void ReadVirtual(const ReadRequest& request, const ChunkRef& ref) const;
  VirtualFiles::File FindFile(const ChunkRef& ref) const;
  std::string ExpandLocation(const std::string& location) const;
  std::set<std::uint32_t> ListCoordinates(const ChunkPrefix& prefix) const;
  Listing ListNodes(std::string_view prefix) const;
  [[noreturn]] void FailReadOnly(std::string_view key) const;

  const std::shared_ptr<const Repository> repository_;
  const ObjectId id_;
  const std::shared_ptr<const Snapshot> snapshot_;
  const Options options_;
  const std::string settings_;
  const Manifests manifests_;
};

}  // namespace zarr
