// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "autotest/cpp/support/store_texts.h"
#include "zarrlib/base/error.h"
#include "zarrlib/store/icechunk/commit/garbage.h"
#include "zarrlib/store/icechunk/commit/repo_change.h"
#include "zarrlib/store/icechunk/commit/session.h"
#include "zarrlib/store/icechunk/commit/snapshot_writer.h"
#include "zarrlib/store/icechunk/commit/transaction_log.h"
#include "zarrlib/store/icechunk/flat/flat_schemas.h"
#include "zarrlib/store/icechunk/icechunk_store.h"
#include "zarrlib/store/icechunk/object_file.h"
#include "zarrlib/store/memory_store.h"

namespace zarr {
namespace {

using test::Get;
using test::GetError;
using test::kArray;
using test::kGroup;
using Folder = std::shared_ptr<MemoryStore>;
const std::string kChanged = R"({"zarr_format":3,"node_type":"group","attributes":{"a":1}})";

ObjectId FindTip(const Folder& folder) {
  return Repository(folder).FindSnapshot({});
}

std::shared_ptr<IcechunkSession> BeginAt(const Folder& folder, std::optional<ObjectId> base) {
  const auto repository = std::make_shared<const Repository>(folder);
  const CommitOptions options{"main", base, 2, "message", ""};
  return std::make_shared<IcechunkSession>("test", folder, repository, options, ChunkOptions());
}

void PutInto(IcechunkSession* session, std::string_view key, std::string_view value) {
  session->Set(key, AsBytes(value));
}

/// Commits one change, and returns the snapshot.
ObjectId CommitChange(const Folder& folder, std::string_view key, std::string_view value) {
  const auto session = BeginAt(folder, FindTip(folder));
  PutInto(session.get(), key, value);
  session->Finish();
  return FindTip(folder);
}

/// A repository with an array.
Folder MakeRepositoryOfArray() {
  auto folder = std::make_shared<MemoryStore>("repository");
  const auto session = BeginAt(folder, std::nullopt);
  PutInto(session.get(), "zarr.json", kGroup);
  PutInto(session.get(), "a/zarr.json", kArray);
  session->Finish();
  return folder;
}

/// Makes the last snapshot follow `parent`, as expiration does, and stores which snapshots it removed from between them
/// if `tells`, as writers of format 2.1 do.
void Expire(const Folder& folder, const ObjectId& parent, bool tells) {
  const std::string key(kIcechunkRepoInfo);
  const RepoInfo info = *Repository(folder).info();
  const ObjectId tip = FindTip(folder);
  std::string removed;
  for (ObjectId id = *info.commits.at(tip).parent; id != parent; id = *info.commits.at(id).parent) {
    removed.insert(0, AsText(ByteSpan(id)));
  }
  ReadObject(*folder, key, ObjectType::kRepoInfo, [&](const Bytes& payload) {
    FlatObject repo = FlatObject::Load(payload, kRepoSchema);
    std::vector<FlatObject>& snapshots = repo.tables(of_repo::kSnapshots);
    const auto find = [&](const ObjectId& id) {
      return std::ranges::find_if(snapshots, [&](const FlatObject& snapshot) {
        return snapshot.bytes(of_snapshot_info::kId) == AsText(ByteSpan(id));
      });
    };
    const auto last = find(tip);
    last->SetNumber(of_snapshot_info::kParentOffset, static_cast<std::uint64_t>(find(parent) - snapshots.begin()));
    if (tells) last->SetBytes(of_snapshot_info::kPrunedLogs, removed);
    folder->Set(key, EncodeObject(repo.Save(kFileIdentifier), ObjectType::kRepoInfo, 2));
  });
}

std::string FinishWithError(const std::shared_ptr<IcechunkSession>& session) {
  return GetError([&] { session->Finish(); });
}

TEST(ExpiredHistory, ChangesInExpiredSnapshotsAreConflicts) {
  const auto folder = MakeRepositoryOfArray();
  const auto base = FindTip(folder);
  const auto mine = BeginAt(folder, base);
  const auto other = BeginAt(folder, base);
  PutInto(mine.get(), "a/c/0/0", "mine");
  PutInto(other.get(), "a/c/1/1", "other");
  const std::string expired = FormatObjectId(CommitChange(folder, "a/c/0/0", "theirs"));
  CommitChange(folder, "a/c/0/1", "theirs");
  Expire(folder, base, true);
  const std::string error = FinishWithError(mine);
  EXPECT_NE(error.find("in " + expired + ", it changed chunk a/c/0/0"), std::string::npos) << error;
  other->Finish();
  EXPECT_EQ(Get(*BeginAt(folder, FindTip(folder)), "a/c/0/0"), "theirs");
}

TEST(ExpiredHistory, ALogThatIsMissingIsAConflict) {
  const auto folder = MakeRepositoryOfArray();
  const auto base = FindTip(folder);
  const auto mine = BeginAt(folder, base);
  PutInto(mine.get(), "a/c/0/0", "mine");
  const auto expired = CommitChange(folder, "a/c/0/0", "theirs");
  CommitChange(folder, "a/c/0/1", "theirs");
  Expire(folder, base, true);
  folder->Erase(MakeLogKey(expired));
  const std::string error = FinishWithError(mine);
  EXPECT_NE(error.find("what changed in " + FormatObjectId(expired) + ", which has expired, is not known"),
            std::string::npos)
      << error;
}

TEST(ExpiredHistory, SnapshotsThatExpiredWithoutATraceAreAConflict) {
  for (const auto& [key, value] : {std::pair("zarr.json", kChanged), std::pair("g/zarr.json", std::string(kGroup))}) {
    const auto folder = std::make_shared<MemoryStore>("repository");
    const auto first = GetFirstSnapshotId();
    const auto start = BeginAt(folder, std::nullopt);
    PutInto(start.get(), "a/zarr.json", kArray);
    start->Finish();
    const auto mine = BeginAt(folder, first);
    PutInto(mine.get(), "zarr.json", R"({"zarr_format":3,"node_type":"group","attributes":{"a":2}})");
    CommitChange(folder, key, value);
    CommitChange(folder, "a/c/0/0", "theirs");
    Expire(folder, first, false);
    const std::string error = FinishWithError(mine);
    EXPECT_NE(error.find("what changed before " + FormatObjectId(FindTip(folder)) + " has expired"), std::string::npos)
        << error;
  }
}

TEST(ExpiredHistory, WhatFollowsTheFirstSnapshotIsKnown) {
  const auto folder = std::make_shared<MemoryStore>("repository");
  const auto start = BeginAt(folder, std::nullopt);
  PutInto(start.get(), "a/zarr.json", kArray);
  PutInto(start.get(), "a/c/0/0", "theirs");
  start->Finish();
  const auto mine = BeginAt(folder, GetFirstSnapshotId());
  PutInto(mine.get(), "zarr.json", kChanged);
  mine->Finish();
  const auto tip = BeginAt(folder, FindTip(folder));
  EXPECT_EQ(Get(*tip, "zarr.json"), kChanged);
  EXPECT_EQ(Get(*tip, "a/c/0/0"), "theirs");
}

}  // namespace
}  // namespace zarr
