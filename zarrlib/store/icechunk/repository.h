// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "zarrlib/store/icechunk/object_id.h"
#include "zarrlib/store/icechunk/repo_info.h"
#include "zarrlib/store/icechunk/snapshot.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// Selects a snapshot of a repository. At most one of `branch`, `tag` and `snapshot` may be given, and `as_of` only
/// with a branch or alone. Without any, it is the last snapshot of the branch `main`, or of the only branch.
struct RepositoryVersion {
  std::string branch = {};
  std::string tag = {};
  std::string snapshot = {};  ///< Its ID in Base32.
  std::optional<std::int64_t> as_of =
      std::nullopt;  ///< The last snapshot of the branch until then, in microseconds since 1970.
};

/// An Icechunk repository of format 1 or 2, of which later commits may add snapshots. It is read from a store of its
/// folder, by keys alone: listing is only needed for the names in format 1.
///
/// Format 2 has all branches, tags and commits in the repo info file, which is read once. Format 1 has a file for each
/// branch and tag, and the parent of each snapshot in its file. Thread-safe.
///
/// All functions throw the store's errors, Error(corrupt) for damaged files and Error(unsupported) for a later version
/// of the format.
class Repository {
 public:
  /// Reads the repo info file. `folder` is the repository's folder.
  explicit Repository(std::shared_ptr<const Store> folder, Freshness freshness = Freshness::kKnown);

  /// Returns true if a store has the entry point of a repository: its repo info file, or the branch `main` of format 1.
  static bool IsIn(const Store& folder);
  /// Returns true if a store has the branch `main` of format 1.
  static bool HasMainOfFormat1(const Store& folder);

  const Store& folder() const { return *folder_; }
  /// Throws Error(not_found), without a key, if the folder has no repository.
  void CheckExists() const;
  /// Null for format 1.
  const RepoInfo* info() const { return info_ ? &*info_ : nullptr; }
  /// Returns the containers of the configuration. In format 1, reads the file that has them.
  std::vector<Container> ReadContainers() const;

  /// Returns the ID of a version's snapshot. Throws Error(invalid_argument) if there is no such branch, tag or time,
  /// and Error(not_found), without a key, if there is no repository.
  ObjectId FindSnapshot(const RepositoryVersion& version) const;
  /// A branch and its last snapshot.
  struct Branch {
    std::string name;
    ObjectId last{};
  };
  /// Returns a branch, or the one that FindSnapshot takes if the name is "". Throws the same errors.
  Branch FindLast(const std::string& name) const;
  /// The following functions return sorted names, or nullopt if the store cannot list those of format 1.
  std::optional<std::vector<std::string>> ListBranches() const;
  std::optional<std::vector<std::string>> ListTags() const;
  Commit ReadCommit(const ObjectId& id) const;
  /// Returns a snapshot and those before it, the last one first. In format 1, each costs a request.
  std::vector<Commit> ListCommits(const ObjectId& last, std::size_t most) const;

 private:
  std::optional<ObjectId> ReadRef(const std::string& name) const;
  std::optional<ObjectId> FindBranch(const std::string& name) const;
  ObjectId FindTag(const std::string& name) const;
  Branch FindDefault() const;
  ObjectId FindAsOf(const ObjectId& last, std::int64_t time) const;
  std::optional<std::vector<std::string>> ListRefs(const std::string& prefix) const;
  [[noreturn]] void Fail(const std::string& message) const;
  /// For a branch of which there is a folder, but not the file that format 1 has in it.
  [[noreturn]] void FailBefore1(const std::string& branch) const;

  const std::shared_ptr<const Store> folder_;
  const Freshness freshness_;
  std::optional<RepoInfo> info_;
};

/// Reads a snapshot. Throws the errors of ReadObject, and Error(io) if it is missing.
std::shared_ptr<const Snapshot> ReadSnapshot(const Store& folder, const ObjectId& id);
/// Parses the ID of a snapshot. Throws Error(invalid_argument).
ObjectId ParseSnapshotId(const std::string& text);

}  // namespace zarr
