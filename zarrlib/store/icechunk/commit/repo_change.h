// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "zarrlib/store/icechunk/flat/flat_object.h"
#include "zarrlib/store/icechunk/object_id.h"
#include "zarrlib/store/icechunk/repo_info.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// Returns the time in microseconds since 1970.
std::uint64_t GetMicroseconds();

/// The repo info file of format 2, as it is to be changed.
class RepoChange {
 public:
  /// Loads the FlatBuffer of a repo info file. Throws the errors of ParseRepoInfo and of FlatObject::Load, and
  /// Error(read_only) if its status forbids changes.
  explicit RepoChange(ByteSpan payload);
  /// Makes the repo info file of a new repository: a branch `main` with one snapshot, `first`. `config` is a
  /// FlexBuffer, empty for the default configuration.
  RepoChange(const Commit& first, const Bytes& config);

  const RepoInfo& info() const { return info_; }

  /// Adds a snapshot whose parent is there. `branch` then ends in it; if it is "", the snapshot is in no branch.
  /// `author` is its encoded author, empty if there is none.
  void AddSnapshot(const Commit& commit, const Bytes& author, const std::string& branch);
  /// Removes snapshots that no branch and no tag has, with those that follow them.
  void RemoveSnapshots(const std::set<ObjectId>& ids);
  /// Adds or removes a branch or a tag. Throw Error(invalid_argument) if that is not possible.
  void AddBranch(const std::string& name, const ObjectId& snapshot);
  void DeleteBranch(const std::string& name);
  void AddTag(const std::string& name, const ObjectId& snapshot);
  void DeleteTag(const std::string& name);

  /// Returns the new content of the file. `backup` is the name of the copy of the present one, in `overwritten/`; "" if
  /// there is none.
  Bytes Encode(const std::string& backup);

 private:
  FlatObject& AddUpdate(std::uint8_t type);
  std::vector<FlatObject>& refs(bool is_tag);
  void InsertRef(bool is_tag, const std::string& name, const ObjectId& snapshot);
  void EraseRef(bool is_tag, const std::string& name, std::uint8_t update);
  std::uint64_t FindSnapshot(const ObjectId& id) const;

  FlatObject repo_;
  RepoInfo info_;
};

/// Changes the repo info file of a repository, unless `change` returns false. A change by others in the meantime is
/// not lost: then `change` is called again, with the new state, unless this change was made before theirs, and only the
/// answer of the server was lost. Between processes on one file system, this needs locks, which other programs do not
/// have. Returns what `change` returned last.
///
/// Throws the store's errors, Error(not_found) if there is no repo info file, and the errors of RepoChange.
bool ChangeRepo(Store* folder, const std::function<bool(RepoChange* repo)>& change);

/// Creates the repo info file. Returns false if there is one.
bool CreateRepo(Store* folder, RepoChange* repo);

}  // namespace zarr
