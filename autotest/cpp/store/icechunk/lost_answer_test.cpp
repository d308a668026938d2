// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <utility>

#include "autotest/cpp/store/icechunk/sessions.h"
#include "autotest/cpp/support/store_texts.h"
#include "zarrlib/base/error.h"
#include "zarrlib/store/forwarding_store.h"
#include "zarrlib/store/icechunk/commit/repo_change.h"
#include "zarrlib/store/icechunk/flat/flat_schemas.h"
#include "zarrlib/store/icechunk/object_file.h"

namespace zarr {
namespace {

using test::Begin;
using test::Get;
using test::GetError;
using test::kArray;
using test::kGroup;
using test::kLong;
using test::MakeRepository;
using test::Put;
using test::ReadMain;

/// A store that carries out a conditional write, and does not say so.
class SilentStore final : public ForwardingStore {
 public:
  SilentStore(std::shared_ptr<Store> inner, std::function<void()> then)
      : ForwardingStore(std::move(inner)), then_(std::move(then)) {}
  /// Another one, so that others do not wait for its locks, as if they were in other processes.
  std::string identity() const override { return "silent"; }
  bool WriteIfSame(std::string_view key, ByteSpan value, const VersionStamp* known) override {
    if (!ForwardingStore::WriteIfSame(key, value, known)) return false;
    if (!then_) return true;
    std::exchange(then_, nullptr)();
    return false;
  }

 private:
  std::function<void()> then_;
};

TEST(IcechunkSession, FindsItsCommitBelowThoseOfOthersAfterALostAnswer) {
  const auto folder = MakeRepository();
  const auto commit_more = [&] {
    const auto theirs = Begin(folder);
    Put(theirs.get(), "g/a/c/0/0", "theirs");
    theirs->Finish();
  };
  const auto mine = Begin(std::make_shared<SilentStore>(folder, commit_more));
  Put(mine.get(), "g/a/c/0/1", kLong + "mine");
  mine->Finish();
  EXPECT_EQ(ReadMain(folder, "g/a/c/0/0"), "theirs");
  EXPECT_EQ(ReadMain(folder, "g/a/c/0/1"), kLong + "mine");
  EXPECT_EQ(Repository(folder).info()->commits.size(), 4u);
}

/// Returns the names of the copies that the repo info file names.
std::vector<std::string> ReadBackups(const std::shared_ptr<MemoryStore>& folder) {
  std::vector<std::string> names;
  ReadObject(*folder, std::string(kIcechunkRepoInfo), ObjectType::kRepoInfo, [&](const Bytes& payload) {
    FlatObject repo = FlatObject::Load(payload, kRepoSchema);
    for (const FlatObject& update : repo.tables(of_repo::kLatestUpdates)) {
      if (update.Has(of_update::kBackupPath)) names.emplace_back(update.bytes(of_update::kBackupPath));
    }
  });
  std::ranges::sort(names);
  return names;
}

TEST(RepoChange, KeepsItsCopyAfterALostAnswer) {
  const auto folder = MakeRepository();
  const ObjectId tip = Repository(folder).FindSnapshot({});
  const auto add_more = [&] {
    ChangeRepo(folder.get(), [&](RepoChange* repo) { return repo->AddTag("theirs", tip), true; });
  };
  SilentStore silent(folder, add_more);
  EXPECT_TRUE(ChangeRepo(&silent, [&](RepoChange* repo) { return repo->AddTag("mine", tip), true; }));
  EXPECT_EQ(*Repository(folder).ListTags(), (std::vector<std::string>{"mine", "theirs"}));
  EXPECT_EQ(ReadBackups(folder), folder->List("overwritten/")->keys);
  EXPECT_EQ(ReadBackups(folder).size(), 2u);
}

TEST(RepoChange, RemovesTheCopiesOfChangesThatWereNotMade) {
  const auto folder = MakeRepository();
  const ObjectId tip = Repository(folder).FindSnapshot({});
  bool is_first = true;
  ChangeRepo(folder.get(), [&](RepoChange* repo) {
    if (std::exchange(is_first, false)) {
      ChangeRepo(std::make_unique<SilentStore>(folder, nullptr).get(),
                 [&](RepoChange* other) { return other->AddTag("theirs", tip), true; });
    }
    return repo->AddTag("mine", tip), true;
  });
  EXPECT_EQ(ReadBackups(folder), folder->List("overwritten/")->keys);
}

TEST(IcechunkSession, FindsTheRepositoryThatItMadeAfterALostAnswer) {
  const auto folder = std::make_shared<MemoryStore>("repository");
  const auto commit_more = [&] {
    const auto theirs = Begin(folder);
    Put(theirs.get(), "t/zarr.json", kGroup);
    theirs->Finish();
  };
  const auto mine = Begin(std::make_shared<SilentStore>(folder, commit_more), true);
  Put(mine.get(), "zarr.json", kGroup);
  mine->Finish();
  EXPECT_EQ(ReadMain(folder, "zarr.json"), kGroup);
  EXPECT_EQ(ReadMain(folder, "t/zarr.json"), kGroup);
}

/// A store that cannot be read after a conditional write.
class FailingStore final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  bool Read(const ReadRequest& request) const override {
    if (fails_) throw Error(ErrorKind::kIo, "no answer");
    return ForwardingStore::Read(request);
  }
  bool WriteIfSame(std::string_view key, ByteSpan value, const VersionStamp* known) override {
    fails_ = ForwardingStore::WriteIfSame(key, value, known);
    return fails_;
  }

 private:
  std::atomic<bool> fails_ = false;
};

TEST(IcechunkSession, ACommitSucceedsEvenIfNothingCanBeReadAfterIt) {
  const auto folder = MakeRepository();
  const auto mine = Begin(std::make_shared<FailingStore>(folder));
  Put(mine.get(), "g/a/c/0/1", "mine");
  EXPECT_EQ(GetError([&] { mine->Finish(); }), "(no error)");
  EXPECT_EQ(ReadMain(folder, "g/a/c/0/1"), "mine");
  Put(mine.get(), "g/a/zarr.json", kArray + " ");
  EXPECT_EQ(Get(*mine, "g/a/zarr.json"), kArray + " ");
}

TEST(IcechunkSession, KeepsWhatMayBeCommitted) {
  const auto folder = MakeRepository();
  {
    const auto mine = Begin(std::make_shared<SilentStore>(folder, [] { throw Error(ErrorKind::kIo, "no answer"); }));
    Put(mine.get(), "g/a/c/0/1", kLong + "mine");
    EXPECT_NE(GetError([&] { mine->Finish(); }).find("no answer"), std::string::npos);
    EXPECT_THROW(Put(mine.get(), "g/a/c/0/1", "later"), Error);
  }
  EXPECT_EQ(ReadMain(folder, "g/a/c/0/1"), kLong + "mine");
}

}  // namespace
}  // namespace zarr
