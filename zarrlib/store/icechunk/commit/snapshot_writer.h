// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "zarrlib/store/icechunk/commit/change_set.h"
#include "zarrlib/store/icechunk/commit/manifest_writer.h"
#include "zarrlib/store/icechunk/flat/flat_object.h"
#include "zarrlib/store/icechunk/manifests.h"
#include "zarrlib/store/icechunk/repo_info.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// The well-known ID of the first snapshot of every repository.
ObjectId GetFirstSnapshotId();
/// Makes the first snapshot of a repository: a group without attributes, which has the given ID.
FlatObject MakeFirstSnapshot(std::uint64_t time, const NodeId& root);

/// Makes a snapshot of another one and of changes, and writes its manifests. Not thread-safe.
class SnapshotWriter {
 public:
  /// `before` is the FlatBuffer of the other snapshot. `version` is that of the format.
  SnapshotWriter(Store* folder, int version, FlatObject before);

  std::set<NodeId> GetNodeIds() const;
  /// Tells which nodes were there when the session began, if others have made the other snapshot since then.
  void SetKnown(std::set<NodeId> known) { known_ = std::move(known); }
  /// Applies changes. Returns "", or what makes that impossible: a path that others have taken, or a group that they
  /// have removed. Throws the errors of the store and of ParseNodeDocument.
  std::string Apply(const ChangeSet& changes, const Manifests& manifests);
  /// Writes the snapshot, and returns its FlatBuffer. `commit.parent` is that of the other one.
  Bytes Write(const Commit& commit, const std::string& author);

  /// The keys of the objects that were written.
  const std::vector<std::string>& keys() const { return keys_; }

 private:
  std::string Delete(const std::string& path, const DeletedNode& node);
  std::string CheckBelow(const std::string& group) const;
  std::string CheckPlace(const std::string& path, const NodeChange& change) const;
  void ApplyTo(const std::string& path, const NodeChange& change, const Manifests& manifests);
  void SetDocument(const std::string& document, FlatObject* node) const;
  void SetManifests(const NodeChange& change, const Manifests& manifests, FlatObject* node);
  void LoadFiles();
  void SaveFiles();

  Store* folder_;
  int version_;
  FlatObject snapshot_;
  std::set<NodeId> known_;                   // if others have made the other snapshot: the nodes before that
  std::map<std::string, FlatObject> nodes_;  // by their whole paths, from "/" on
  ManifestFiles files_;
  std::vector<std::string> keys_;
};

}  // namespace zarr
