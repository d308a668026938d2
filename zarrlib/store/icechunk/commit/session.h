// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <shared_mutex>
#include <string>
#include <vector>

#include "zarrlib/store/icechunk/commit/change_set.h"
#include "zarrlib/store/icechunk/commit/committer.h"
#include "zarrlib/store/icechunk/snapshot_chunks.h"
#include "zarrlib/store/store.h"
#include "zarrlib/store/store_requests.h"

namespace zarr {

/// A session on a branch of an Icechunk repository: a writable store of Zarr v3. It begins with the branch's last
/// snapshot, and no other reader sees what is written, until `Finish` commits all of it at once. Files of chunks are
/// written at once; they are removed again if the session ends without `Finish`, or if it overwrites them.
///
/// A snapshot without nodes looks as if it had a group as its root, which is committed with the first change.
///
/// Keys are those of IcechunkStore: documents (zarr.json) and chunks; others cannot be written.
class IcechunkSession final : public Store, private StoreRequests {
 public:
  /// Reads the snapshot, unless the repository is new. `name` is for messages. `folder` must write to the folder of
  /// `repository`. Throws the errors of ReadSnapshot.
  IcechunkSession(std::string name, std::shared_ptr<Store> folder, std::shared_ptr<const Repository> repository,
                  CommitOptions commit, ChunkOptions options);
  ~IcechunkSession() override;

  std::string identity() const override;
  StoreInfo info() const override;
  bool Read(const ReadRequest& request) const override;
  std::optional<Listing> List(std::string_view prefix, const ListOptions& options = {}) const override;
  /// Throws Error(unsupported) for other keys, and for documents that are not those of Zarr v3.
  bool Write(std::string_view key, ByteSpan value, WriteIf condition) override;
  void EraseAll(std::span<const std::string> keys) override;
  /// Commits, unless nothing was changed since the last commit. The session then goes on. If the branch has moved in a
  /// way that contradicts the changes, it ends, and takes no more of them. Throws Error(io) if others have committed
  /// something that contradicts this; see Committer::Commit.
  void Finish() override;
  const StoreRequests* requests() const override { return this; }

 private:
  struct Lookup;

  bool NoteBroken(std::string_view key, int status, int times, Error* error) const override;
  std::optional<ValueLocation> Locate(std::string_view key) const override;
  bool knows_keys() const override { return true; }
  std::optional<RequestCounts> counts() const override;

  std::optional<Lookup> Find(std::string_view key) const;
  std::optional<Lookup> FindLocked(std::string_view key) const;
  std::optional<SnapshotChunks::Found> FindRef(const Lookup& lookup) const;
  bool ReadDocument(const ReadRequest& request, const std::string& path) const;
  std::set<std::uint32_t> ListCoordinates(const ChunkPrefix& prefix, const ChunkChanges& changed) const;
  NodeChange& Change(std::string_view path, const SnapshotNode& node);
  void CheckOpen(std::string_view key) const;
  void AddRoot();
  bool HasChanges() const;
  void WriteDocument(std::string_view path, ByteSpan value);
  void WriteChunk(std::string_view key, ByteSpan value);
  void SetChunk(const Lookup& lookup, ChunkChange change);
  bool MayBeEarly(std::string_view key) const;
  void TakeEarly(std::string_view path);
  void EraseKey(std::string_view key);
  bool HasCopy(const SnapshotNode& node) const;
  void EraseNode(std::string_view path);
  void DropFile(const ChunkChange& chunk);
  template <typename Map>
  void DropFiles(const Map& chunks);
  void EraseDropped();

  const std::shared_ptr<Store> folder_;
  const SnapshotChunks chunks_;
  Committer committer_;
  const std::string tag_;  // tells the session from others, and from the snapshot
  mutable std::shared_mutex mutex_;
  // What follows is as the session sees it.
  std::shared_ptr<const Snapshot> snapshot_;  // null for a new repository
  SnapshotNodes nodes_;                       // with views of the snapshot and of what was changed
  ChangeSet changes_;
  std::map<std::string, ChunkChange, std::less<>> early_;  // chunks by keys, of arrays without a document yet
  std::vector<ObjectId> dropped_;                          // files of chunks that were overwritten
  std::uint64_t writes_ = 0;
  std::optional<std::uint64_t> own_root_;  // the version of the root that the session itself has added
  std::atomic<bool> ended_ = false;
};

}  // namespace zarr
