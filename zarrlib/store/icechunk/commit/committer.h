// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "zarrlib/store/icechunk/commit/change_set.h"
#include "zarrlib/store/icechunk/repo_info.h"
#include "zarrlib/store/icechunk/repository.h"
#include "zarrlib/store/icechunk/snapshot.h"
#include "zarrlib/store/store.h"

namespace zarr {

class FlatObject;
class RepoChange;

/// How a session commits.
struct CommitOptions {
  std::string branch;
  /// The branch's last snapshot when the session began; nullopt for a repository that is made by the commit.
  std::optional<ObjectId> base;
  int version = 2;  ///< Of the format.
  std::string message;
  std::string author;  ///< "" if it is not stored.
  Bytes config = {};   ///< Of a repository that is made by the commit: a FlexBuffer; empty for the default.
};

/// A snapshot that a branch has got.
struct CommittedSnapshot {
  ObjectId id{};
  std::shared_ptr<const Snapshot> snapshot;
};

/// Commits the changes of a session. Not thread-safe.
class Committer {
 public:
  /// `folder` is the repository's.
  Committer(std::shared_ptr<Store> folder, CommitOptions options);

  CommitOptions& options() { return options_; }

  /// Makes a snapshot of the branch's last one and of the changes, and moves the branch to it, at once. If others have
  /// moved the branch since the session began, and touched other nodes and chunks, the changes are made in what they
  /// left. Otherwise throws Error(io), which names the first conflict, and keeps a snapshot of the session's state, as
  /// the error says. Returns the snapshot, which is not read from the repository: nothing can fail after the branch was
  /// moved.
  ///
  /// Throws the errors of the store, of SnapshotWriter and of ChangeRepo.
  CommittedSnapshot Commit(const ChangeSet& changes);
  /// Returns true if a commit has failed, but a snapshot of the changes is in the repository, or may be.
  bool may_be_used() const { return may_be_used_; }

 private:
  struct Made;

  ObjectId ReadTip() const;
  FlatObject LoadSnapshot(const ObjectId& id) const;
  std::string FindConflictIn(const ObjectId& id, const ChangeSet& changes) const;
  std::string FindConflictIn(const zarr::Commit& commit, const ChangeSet& changes) const;
  std::string FindConflict(const ObjectId& base, const ObjectId& tip, const ChangeSet& changes) const;
  std::optional<Made> MakeSnapshot(FlatObject before, const ObjectId& base, const ChangeSet& changes,
                                   std::string* conflict);
  void TryErase(const std::vector<std::string>& keys);
  void AddTo(const Made& made, const std::string& branch, RepoChange* repo) const;
  bool Publish(const Made& made, const ObjectId& base);
  bool IsInHistory(const ObjectId& snapshot) const;
  bool PublishInFormat1(const Made& made, const ObjectId& base);
  [[noreturn]] void KeepDetached(const ChangeSet& changes, const std::string& conflict);
  CommittedSnapshot Create(const ChangeSet& changes);

  const std::shared_ptr<Store> folder_;
  CommitOptions options_;
  bool may_be_used_ = false;
};

}  // namespace zarr
