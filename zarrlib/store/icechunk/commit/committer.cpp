// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/commit/committer.h"

#include <algorithm>
#include <utility>

#include "zarrlib/base/error.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/store/icechunk/commit/commit_metadata.h"
#include "zarrlib/store/icechunk/commit/repo_change.h"
#include "zarrlib/store/icechunk/commit/snapshot_writer.h"
#include "zarrlib/store/icechunk/commit/transaction_log.h"
#include "zarrlib/store/icechunk/flat/flat_schemas.h"
#include "zarrlib/store/icechunk/manifests.h"
#include "zarrlib/store/icechunk/object_file.h"
#include "zarrlib/store/store_locks.h"

namespace zarr {
namespace {

/// Returns an object that must be there.
Bytes ReadNow(const Store& folder, const std::string& key, ObjectType type) {
  Bytes payload;
  const auto take = [&](Bytes read) { payload = std::move(read); };
  if (!ReadObject(folder, key, type, take, Freshness::kNow)) FailMissingObject(folder, key);
  return payload;
}

FlatObject LoadLog(const Store& folder, const ObjectId& id) {
  return FlatObject::Load(ReadNow(folder, MakeLogKey(id), ObjectType::kTransactionLog), kLogSchema);
}

/// Returns the ID of the group in the first snapshot, which the session has changed or replaced.
NodeId FindFirstRoot(const ChangeSet& changes) {
  const auto deleted = changes.deleted.find("");
  if (deleted != changes.deleted.end()) return deleted->second.id;
  const auto root = changes.nodes.find("");
  return root != changes.nodes.end() ? root->second.id : MakeNodeId();
}

}  // namespace

/// A snapshot that no branch has yet.
struct Committer::Made {
  zarr::Commit commit;
  std::vector<std::string> keys = {};  // of its objects
  std::shared_ptr<const Snapshot> snapshot = {};
};

Committer::Committer(std::shared_ptr<Store> folder, CommitOptions options)
    : folder_(std::move(folder)), options_(std::move(options)) {}

FlatObject Committer::LoadSnapshot(const ObjectId& id) const {
  const std::string key = "snapshots/" + FormatObjectId(id);
  const Bytes payload = ReadNow(*folder_, key, ObjectType::kSnapshot);
  try {
    return FlatObject::Load(payload, kSnapshotSchema);
  } catch (const Error& error) {
    throw error.At(folder_->name(), key);
  }
}

ObjectId Committer::ReadTip() const {
  // A new object, because the present one knows the repository as it was when the session began.
  return Repository(folder_, Freshness::kNow).FindSnapshot({.branch = options_.branch});
}

std::string Committer::FindConflictIn(const ObjectId& id, const ChangeSet& changes) const {
  const auto conflict = zarr::FindConflict(LoadLog(*folder_, id), changes);
  return conflict ? "in " + FormatObjectId(id) + ", " + *conflict : "";
}

/// Returns "" if a commit, and those before it that expired, can be combined with the changes.
std::string Committer::FindConflictIn(const zarr::Commit& commit, const ChangeSet& changes) const {
  for (const ObjectId& id : commit.expired) {
    VersionStamp stamp;
    const bool is_there = folder_->GetStamp(MakeLogKey(id), &stamp, Freshness::kNow);
    if (!is_there) return "what changed in " + FormatObjectId(id) + ", which has expired, is not known any more";
    if (std::string conflict = FindConflictIn(id, changes); !conflict.empty()) return conflict;
  }
  return FindConflictIn(commit.id, changes);
}

/// Returns "" if what others have committed between two snapshots can be combined with the changes.
std::string Committer::FindConflict(const ObjectId& base, const ObjectId& tip, const ChangeSet& changes) const {
  const Repository repository(folder_, Freshness::kNow);
  for (std::optional<ObjectId> id = tip; id != base;) {
    if (!id) return "it was reset to a snapshot that does not follow " + FormatObjectId(base);
    const zarr::Commit commit = repository.ReadCommit(*id);
    if (std::string conflict = FindConflictIn(commit, changes); !conflict.empty()) return conflict;
    id = commit.parent;
    // Expired snapshots that are not listed are missing between the first one, which is kept, and the next.
    if (id != base || !commit.expired.empty() || repository.ReadCommit(base).parent) continue;
    const bool is_next =
        TellsAll(LoadLog(*folder_, commit.id), *ReadSnapshot(*folder_, base), *ReadSnapshot(*folder_, commit.id));
    if (!is_next) return "what changed before " + FormatObjectId(commit.id) + " has expired, and is not known any more";
  }
  return "";
}

/// Returns nullopt, and the reason, if the changes contradict the snapshot.
std::optional<Committer::Made> Committer::MakeSnapshot(FlatObject before, const ObjectId& base,
                                                       const ChangeSet& changes, std::string* conflict) {
  const Manifests manifests(folder_);
  SnapshotWriter writer(folder_.get(), options_.version, std::move(before));
  if (options_.base && base != *options_.base) {
    writer.SetKnown(SnapshotWriter(folder_.get(), options_.version, LoadSnapshot(*options_.base)).GetNodeIds());
  }
  Made made{{MakeObjectId(), base, GetMicroseconds(), options_.message}};
  try {
    *conflict = writer.Apply(changes, manifests);
    if (conflict->empty()) {
      const std::string log = MakeLogKey(made.commit.id);
      const Bytes payload = MakeLog(made.commit.id, changes).Save(kFileIdentifier);
      folder_->Set(log, EncodeObject(payload, ObjectType::kTransactionLog, options_.version));
      made.snapshot = std::make_shared<const Snapshot>(writer.Write(made.commit, options_.author));
      made.keys = writer.keys();
      made.keys.push_back(log);
      return made;
    }
  } catch (...) {
    TryErase(writer.keys());
    throw;
  }
  TryErase(writer.keys());
  return std::nullopt;
}

/// Removes objects that nothing refers to. What remains after a failure is harmless.
void Committer::TryErase(const std::vector<std::string>& keys) {
  try {
    folder_->EraseAll(keys);
  } catch (const Error&) {
  }
}

void Committer::AddTo(const Made& made, const std::string& branch, RepoChange* repo) const {
  const std::string& author = options_.author;
  const Bytes value = author.empty() ? Bytes() : EncodeMetadataText(author, options_.version);
  repo->AddSnapshot(made.commit, value, branch);
}

/// Returns false if the branch has moved.
bool Committer::Publish(const Made& made, const ObjectId& base) {
  // The answer to a request that was carried out may be lost: the snapshot may be there, with others after it.
  if (options_.version == 1) return PublishInFormat1(made, base) || IsInHistory(made.commit.id);
  return ChangeRepo(folder_.get(), [&](RepoChange* repo) {
    const auto branch = repo->info().branches.find(options_.branch);
    if (branch == repo->info().branches.end() || branch->second != base) return false;
    AddTo(made, options_.branch, repo);
    return true;
  });
}

bool Committer::IsInHistory(const ObjectId& snapshot) const {
  constexpr std::size_t kMost = 1000;
  const std::vector<zarr::Commit> commits = Repository(folder_, Freshness::kNow).ListCommits(ReadTip(), kMost);
  return std::ranges::find(commits, snapshot, &zarr::Commit::id) != commits.end();
}

bool Committer::PublishInFormat1(const Made& made, const ObjectId& base) {
  const std::string key = "refs/branch." + options_.branch + "/ref.json";
  const LockResult lock = Lock(*folder_, key, "");
  VersionStamp stamp;
  if (!folder_->GetStamp(key, &stamp, Freshness::kNow) || ReadTip() != base) return false;
  const std::string content = "{\"snapshot\":\"" + FormatObjectId(made.commit.id) + "\"}";
  return folder_->WriteIfSame(key, AsBytes(content), &stamp);
}

/// Keeps the session's state outside of the branches.
void Committer::KeepDetached(const ChangeSet& changes, const std::string& conflict) {
  std::string ignored;
  const ObjectId& base = *options_.base;
  const std::optional<Made> made = MakeSnapshot(LoadSnapshot(base), base, changes, &ignored);
  may_be_used_ = made.has_value();
  if (made && options_.version > 1) {
    ChangeRepo(folder_.get(), [&](RepoChange* repo) { return AddTo(*made, "", repo), true; });
  }
  const std::string id = made ? FormatObjectId(made->commit.id) : "";
  throw Error(ErrorKind::kIo, folder_->name(), "", "",
              "the branch " + QuoteKey(options_.branch) + " has moved since it was opened, and " + conflict +
                  (made ? "; what was written here is kept as snapshot " + id + " (?snapshot=" + id + ")" : ""));
}

CommittedSnapshot Committer::Create(const ChangeSet& changes) {
  const std::uint64_t time = GetMicroseconds();
  const ObjectId first = GetFirstSnapshotId();
  const FlatObject snapshot = MakeFirstSnapshot(time, FindFirstRoot(changes));
  RepoChange repo({first, std::nullopt, time, std::string(snapshot.bytes(of_snapshot::kMessage))}, options_.config);
  const auto encode = [&](const FlatObject& object, ObjectType type) {
    return EncodeObject(object.Save(kFileIdentifier), type, options_.version);
  };
  folder_->Set("snapshots/" + FormatObjectId(first), encode(snapshot, ObjectType::kSnapshot));
  folder_->Set(MakeLogKey(first), encode(MakeLog(first, {}), ObjectType::kTransactionLog));
  std::string conflict;
  const std::optional<Made> made = MakeSnapshot(snapshot, first, changes, &conflict);
  if (!made) throw Error(ErrorKind::kInvalidArgument, folder_->name(), "", "", conflict);
  AddTo(*made, options_.branch, &repo);
  may_be_used_ = true;  // as in Commit
  const auto is_there = [&] {
    try {
      const Repository present(folder_, Freshness::kNow);
      return present.info() && present.info()->commits.contains(made->commit.id);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kCorrupt) throw;
      return false;  // a file of another kind is not what was written here
    }
  };
  if (CreateRepo(folder_.get(), &repo) || is_there()) return {made->commit.id, made->snapshot};
  may_be_used_ = false;
  throw Error(ErrorKind::kIo, folder_->name(), std::string(kIcechunkRepoInfo), "",
              "another process has made a repository here in the meantime");
}

CommittedSnapshot Committer::Commit(const ChangeSet& changes) {
  if (!options_.base) return Create(changes);
  constexpr int kMostTries = 1000;
  ObjectId base = *options_.base;
  std::string conflict = "others move it all the time";
  for (int i = 0; i < kMostTries; ++i) {
    const ObjectId tip = ReadTip();
    if (tip != base) conflict = FindConflict(base, tip, changes);
    if (tip != base && !conflict.empty()) break;
    base = tip;
    const std::optional<Made> made = MakeSnapshot(LoadSnapshot(base), base, changes, &conflict);
    if (!made) break;
    may_be_used_ = true;  // if publishing fails, the server may have done it
    if (Publish(*made, base)) return {made->commit.id, made->snapshot};
    may_be_used_ = false;
    TryErase(made->keys);
  }
  KeepDetached(changes, conflict);
}

}  // namespace zarr
