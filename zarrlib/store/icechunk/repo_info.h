// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "zarrlib/base/bytes.h"
#include "zarrlib/store/icechunk/containers.h"
#include "zarrlib/store/icechunk/object_id.h"

namespace zarr {

/// What a repository knows of one of its snapshots.
struct Commit {
  ObjectId id{};
  std::optional<ObjectId> parent;
  std::uint64_t time = 0;  ///< In microseconds since 1970.
  std::string message;
  std::string author = {};  ///< "" if it is not known.
  /// The snapshots between the parent and this one that expired. Their transaction logs remain.
  std::vector<ObjectId> expired = {};
};

/// The repo info file of format 2.
struct RepoInfo {
  std::map<std::string, ObjectId, std::less<>> branches;
  std::map<std::string, ObjectId, std::less<>> tags;
  std::set<std::string, std::less<>> deleted_tags;
  std::map<ObjectId, Commit> commits;
  std::vector<Container> containers;
};

/// Parses the FlatBuffer of a repo info file. Throws Error(corrupt) if it is invalid, and Error(unsupported) for a
/// later version of the format.
RepoInfo ParseRepoInfo(ByteSpan payload);

}  // namespace zarr
