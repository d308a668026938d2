// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/commit/garbage.h"

#include <algorithm>
#include <optional>

#include "zarrlib/base/error.h"
#include "zarrlib/store/icechunk/commit/repo_change.h"
#include "zarrlib/store/icechunk/manifests.h"
#include "zarrlib/store/icechunk/repository.h"

namespace zarr {
namespace {

constexpr std::int64_t kNanoseconds = 1000;  // in a microsecond

/// What the branches and tags of a repository lead to.
struct Reachable {
  std::set<ObjectId> snapshots;
  std::set<ObjectId> logs;  // also of snapshots that were removed from the history
  std::set<ObjectId> manifests;
  std::set<ObjectId> chunks;
};

std::set<ObjectId> FindSnapshots(const Repository& repository) {
  std::set<ObjectId> found;
  const auto follow = [&](const RepositoryVersion& version) {
    for (const Commit& commit : repository.ListCommits(repository.FindSnapshot(version), SIZE_MAX)) {
      if (!found.insert(commit.id).second) break;
    }
  };
  const auto branches = repository.ListBranches();
  const auto tags = repository.ListTags();
  if (!branches || !tags) {
    throw Error(ErrorKind::kUnsupported, repository.folder().name(), "", "", "the folder cannot be listed");
  }
  for (const std::string& branch : *branches) follow({.branch = branch});
  for (const std::string& tag : *tags) follow({.tag = tag});
  return found;
}

/// Finds the snapshots that nothing leads to, and that are old enough.
std::set<ObjectId> FindLost(const RepoInfo& info, const std::set<ObjectId>& reachable, std::uint64_t time) {
  std::set<ObjectId> lost;
  for (const auto& [id, commit] : info.commits) {
    if (!reachable.contains(id) && commit.time < time) lost.insert(id);
  }
  // One that stays keeps those before it.
  for (const auto& [id, commit] : info.commits) {
    if (lost.contains(id)) continue;
    for (auto parent = commit.parent; parent && lost.erase(*parent) > 0; parent = info.commits.at(*parent).parent) {
    }
  }
  return lost;
}

Reachable FindReachable(const std::shared_ptr<Store>& folder, std::set<ObjectId> snapshots) {
  Reachable reachable{std::move(snapshots), {}, {}, {}};
  reachable.logs = reachable.snapshots;
  if (const Repository repository(folder, Freshness::kNow); repository.info()) {
    for (const auto& [id, commit] : repository.info()->commits) {
      reachable.logs.insert(commit.expired.begin(), commit.expired.end());
    }
  }
  const Manifests manifests(folder);
  for (const ObjectId& id : reachable.snapshots) {
    const auto snapshot = ReadSnapshot(*folder, id);
    for (const auto& [path, node] : snapshot->nodes()) {
      if (!node.is_array) continue;
      for (const ManifestRef& ref : *node.manifests) {
        if (!reachable.manifests.insert(ref.id).second) continue;
        for (const auto& [array, table] : manifests.Get(ref.id)->arrays()) {
          table.ForEach([&](ChunkCoordinates, const ChunkRef& chunk) {
            if (chunk.kind == ChunkRef::Kind::kNative) reachable.chunks.insert(chunk.file);
          });
        }
      }
    }
  }
  return reachable;
}

/// Adds the objects of one kind that are not used. Files with other names are not the repository's.
void AddUnused(const Store& folder, const std::string& prefix, const std::set<ObjectId>& used, std::uint64_t time,
               Garbage* garbage) {
  const std::optional<Listing> listing = folder.List(prefix);
  if (!listing) throw Error(ErrorKind::kUnsupported, folder.name(), prefix, "", "the folder cannot be listed");
  for (const std::string& name : listing->keys) {
    const std::optional<ObjectId> id = ParseObjectId(name);
    VersionStamp stamp;
    if (!id || used.contains(*id) || !folder.GetStamp(prefix + name, &stamp)) continue;
    if (stamp.time / kNanoseconds >= static_cast<std::int64_t>(time)) continue;
    garbage->keys.push_back(prefix + name);
    garbage->bytes += stamp.size;
  }
}

}  // namespace

Garbage CollectGarbage(const std::shared_ptr<Store>& folder, std::uint64_t time, bool removes) {
  const Repository repository(folder, Freshness::kNow);
  std::set<ObjectId> kept = FindSnapshots(repository);
  if (repository.info()) {
    // First of all, no other process must be able to make a branch of what is removed.
    const auto remove = [&](RepoChange* repo) {
      const std::set<ObjectId> lost = FindLost(repo->info(), FindSnapshots(Repository(folder, Freshness::kNow)), time);
      for (const auto& [id, commit] : repo->info().commits) {
        if (!lost.contains(id)) kept.insert(id);
      }
      if (lost.empty() || !removes) return false;
      repo->RemoveSnapshots(lost);
      return true;
    };
    ChangeRepo(folder.get(), remove);
  }
  const Reachable reachable = FindReachable(folder, std::move(kept));
  Garbage garbage;
  AddUnused(*folder, "snapshots/", reachable.snapshots, time, &garbage);
  AddUnused(*folder, "transactions/", reachable.logs, time, &garbage);
  AddUnused(*folder, "manifests/", reachable.manifests, time, &garbage);
  AddUnused(*folder, "chunks/", reachable.chunks, time, &garbage);
  if (removes) folder->EraseAll(garbage.keys);
  return garbage;
}

}  // namespace zarr
