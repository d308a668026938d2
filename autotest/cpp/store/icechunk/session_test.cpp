// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/commit/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>

#include "autotest/cpp/store/icechunk/sessions.h"
#include "autotest/cpp/support/store_texts.h"
#include "zarrlib/base/error.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/hierarchy/resize.h"
#include "zarrlib/store/forwarding_store.h"
#include "zarrlib/store/icechunk/commit/garbage.h"
#include "zarrlib/store/icechunk/commit/repo_change.h"
#include "zarrlib/store/icechunk/icechunk_store.h"

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

TEST(IcechunkSession, ShowsItsChangesToItselfOnly) {
  const auto folder = MakeRepository();
  const auto session = Begin(folder);
  EXPECT_EQ(Get(*session, "g/a/c/0/0"), "short");
  EXPECT_EQ(Get(*session, "g/a/c/1/1"), kLong);
  Put(session.get(), "g/a/c/0/0", "changed");
  Put(session.get(), "g/a/c/0/1", "new");
  session->Erase("g/a/c/1/1");
  Put(session.get(), "h/zarr.json", kGroup);
  EXPECT_EQ(Get(*session, "g/a/c/0/0"), "changed");
  EXPECT_EQ(Get(*session, "g/a/c/1/1"), "(absent)");
  EXPECT_EQ(session->List("")->prefixes, (std::vector<std::string>{"g", "h"}));
  EXPECT_EQ(session->List("g/a/c/0/")->keys, (std::vector<std::string>{"0", "1"}));
  EXPECT_TRUE(session->List("g/a/c/1/")->keys.empty());
  EXPECT_EQ(ReadMain(folder, "g/a/c/0/0"), "short");
  session->Finish();
  EXPECT_EQ(ReadMain(folder, "g/a/c/0/0"), "changed");
  EXPECT_EQ(ReadMain(folder, "g/a/c/0/1"), "new");
  EXPECT_EQ(ReadMain(folder, "g/a/c/1/1"), "(absent)");
  EXPECT_EQ(ReadMain(folder, "h/zarr.json"), kGroup);
}

TEST(IcechunkSession, GoesOnAfterACommit) {
  const auto folder = MakeRepository();
  const auto session = Begin(folder);
  Put(session.get(), "g/a/c/0/0", kLong + "1");
  session->Finish();
  session->Finish();  // nothing is left to commit
  Put(session.get(), "g/a/c/0/1", kLong + "2");
  EXPECT_EQ(Get(*session, "g/a/c/0/0"), kLong + "1");
  session->Finish();
  EXPECT_EQ(ReadMain(folder, "g/a/c/0/1"), kLong + "2");
  const Repository repository(folder);
  EXPECT_EQ(repository.ListCommits(repository.FindSnapshot({}), 99).size(), 4u);
  EXPECT_EQ(repository.ListCommits(repository.FindSnapshot({}), 1).front().author, "author");
}

TEST(IcechunkSession, LeavesNothingWithoutACommit) {
  const auto folder = MakeRepository();
  const auto list = [&] { return folder->List("chunks/")->keys; };
  const auto before = list();
  Put(Begin(folder).get(), "g/a/c/0/0", kLong);
  EXPECT_EQ(list(), before);
}

TEST(IcechunkSession, DeletesNodes) {
  const auto folder = MakeRepository();
  const auto session = Begin(folder);
  session->Erase("g/a/zarr.json");
  EXPECT_EQ(Get(*session, "g/a/c/0/0"), "(absent)");
  Put(session.get(), "g/a/zarr.json", kArray);  // another array, which has none of the chunks
  EXPECT_EQ(Get(*session, "g/a/c/0/0"), "(absent)");
  Put(session.get(), "g/a/c/0/1", "new");
  session->Finish();
  EXPECT_EQ(ReadMain(folder, "g/a/c/0/0"), "(absent)");
  EXPECT_EQ(ReadMain(folder, "g/a/c/0/1"), "new");
}

TEST(IcechunkSession, TakesChunksBeforeTheDocumentOfTheirArray) {
  const auto folder = MakeRepository();
  const auto session = Begin(folder);
  Put(session.get(), "b/c/0/0", "early");
  Put(session.get(), "b/c/1/0", kLong);
  EXPECT_NE(GetError([&] { Put(session.get(), "h/zarr.json", kGroup), session->Finish(); }).find("b/c/0/0"),
            std::string::npos);
  Put(session.get(), "b/zarr.json", kArray);
  EXPECT_EQ(Get(*session, "b/c/1/0"), kLong);
  session->Finish();
  EXPECT_EQ(ReadMain(folder, "b/c/0/0"), "early");
  EXPECT_EQ(ReadMain(folder, "b/c/1/0"), kLong);
}

TEST(IcechunkSession, WritesOnlyIfAbsent) {
  const auto folder = MakeRepository();
  const auto session = Begin(folder);
  EXPECT_FALSE(session->Write("g/a/c/0/0", AsBytes("x"), WriteIf::kAbsent));
  EXPECT_TRUE(session->Write("g/a/c/1/0", AsBytes("x"), WriteIf::kAbsent));
  EXPECT_FALSE(session->Write("g/zarr.json", AsBytes(kGroup), WriteIf::kAbsent));
}

TEST(IcechunkSession, RefusesOtherKeysAndDocuments) {
  const auto folder = MakeRepository();
  const auto session = Begin(folder);
  for (const char* key : {"a.txt", "g/.zarray", "g/a/c/0", "g/a/d/0/0"}) {
    EXPECT_THROW(Put(session.get(), key, "x"), Error) << key;
  }
  for (const char* document : {"", "[]", "{}", R"({"zarr_format":2,"node_type":"group"})", R"({"zarr_format":3})"}) {
    EXPECT_THROW(Put(session.get(), "h/zarr.json", document), Error) << document;
  }
  session->Finish();
  EXPECT_EQ(Repository(folder).info()->commits.size(), 2u);
}

TEST(IcechunkSession, RebasesOnOtherChunksAndNodes) {
  const auto folder = MakeRepository();
  const auto mine = Begin(folder);
  const auto theirs = Begin(folder);
  Put(theirs.get(), "g/a/c/0/0", "theirs");
  Put(theirs.get(), "t/zarr.json", kGroup);
  Put(mine.get(), "g/a/c/0/1", "mine");
  Put(mine.get(), "g/m/zarr.json", kGroup);
  theirs->Finish();
  mine->Finish();
  EXPECT_EQ(ReadMain(folder, "g/a/c/0/0"), "theirs");
  EXPECT_EQ(ReadMain(folder, "g/a/c/0/1"), "mine");
  EXPECT_EQ(ReadMain(folder, "t/zarr.json"), kGroup);
  EXPECT_EQ(ReadMain(folder, "g/m/zarr.json"), kGroup);
}

struct Conflict {
  const char* theirs;
  const char* mine;
  const char* message;
};

/// Writes a key, or erases it if it begins with "-".
void Do(Store* store, std::string_view what) {
  if (what.starts_with('-')) return store->Erase(what.substr(1));
  const bool is_array = what.ends_with("a/zarr.json");
  Put(store, what, what.ends_with("zarr.json") ? (is_array ? kArray + " " : kGroup) : "changed");
}

TEST(IcechunkSession, NamesConflictsAndKeepsTheState) {
  const Conflict conflicts[] = {
      {"g/a/c/0/0", "g/a/c/0/0", "it changed chunk g/a/c/0/0"},
      {"g/a/c/0/0", "-g/a/c/0/0", "it changed chunk g/a/c/0/0"},
      {"-g/a/c/0/0", "g/a/c/0/0", "it changed chunk g/a/c/0/0"},
      {"g/a/zarr.json", "g/a/c/0/0", "it changed the metadata of \"/g/a\""},
      {"g/a/c/0/0", "g/a/zarr.json", "it changed chunks of \"/g/a\", whose metadata changed here"},
      {"-g/a/zarr.json", "g/a/c/0/0", "it deleted \"/g/a\""},
      {"g/a/c/0/0", "-g/a/zarr.json", "it changed \"/g/a\", which is deleted here"},
      {"n/zarr.json", "n/zarr.json", "it made \"/n\", as was done here"},
      {"-g/zarr.json", "g/n/zarr.json", "it removed the group \"/g\", in which \"/g/n\" was made here"},
      {"g/n/zarr.json", "-g/zarr.json", "it made \"/g/n\" in a group that is deleted here"},
  };
  for (const Conflict& conflict : conflicts) {
    const auto folder = MakeRepository();
    const auto mine = Begin(folder);
    const auto theirs = Begin(folder);
    Do(theirs.get(), conflict.theirs);
    Do(mine.get(), conflict.mine);
    theirs->Finish();
    const ObjectId tip = Repository(folder).FindSnapshot({});
    const std::string error = GetError([&] { mine->Finish(); });
    EXPECT_NE(error.find(conflict.message), std::string::npos) << error;
    EXPECT_EQ(Repository(folder).FindSnapshot({}), tip);
    const std::string kept = error.substr(std::min(error.size(), error.rfind('=') + 1), 20);
    const auto repository = std::make_shared<const Repository>(folder);
    ASSERT_TRUE(ParseObjectId(kept).has_value()) << error;
    const IcechunkStore state("test", repository, repository->FindSnapshot({.snapshot = kept}), ChunkOptions());
    const std::string_view key(conflict.mine);
    const bool is_erased = key.starts_with('-');
    EXPECT_EQ(Get(state, key.substr(is_erased ? 1 : 0)) == "(absent)", is_erased) << key;
    EXPECT_THROW(Put(mine.get(), "g/a/c/1/0", "later"), Error);
  }
}

TEST(IcechunkSession, ANodeIsRenamedOnce) {
  for (const std::string path : {"g/a", "g"}) {
    const auto folder = MakeRepository();
    const auto mine = Begin(folder);
    const auto theirs = Begin(folder);
    EditableHierarchy::Open(theirs)->Rename(path, path + "theirs");
    EditableHierarchy::Open(mine)->Rename(path, path + "mine");
    theirs->Finish();
    const std::string error = GetError([&] { mine->Finish(); });
    EXPECT_NE(error.find("it deleted or renamed \"/g"), std::string::npos) << error;
    EXPECT_NE(error.find("which is renamed here"), std::string::npos) << error;
    EXPECT_EQ(ReadMain(folder, path + "mine/zarr.json"), "(absent)");
    EXPECT_EQ(ReadMain(folder, path + "theirs/zarr.json"), path == "g" ? kGroup : kArray);
  }
}

TEST(IcechunkSession, ANodeMayBeDeletedTwice) {
  const auto folder = MakeRepository();
  const auto mine = Begin(folder);
  const auto theirs = Begin(folder);
  for (const auto& session : {theirs, mine}) session->Erase("g/a/zarr.json");
  theirs->Finish();
  mine->Finish();
  EXPECT_EQ(ReadMain(folder, "g/a/zarr.json"), "(absent)");
}

TEST(IcechunkSession, ANodeMayBeDeletedTwiceByOneThatMakesAnotherNode) {
  const auto folder = MakeRepository();
  const auto mine = Begin(folder);
  const auto theirs = Begin(folder);
  for (const auto& session : {theirs, mine}) session->Erase("g/a/zarr.json");
  Put(mine.get(), "g/b/zarr.json", kArray + " ");
  Put(mine.get(), "g/b/c/0/0", "mine");
  theirs->Finish();
  mine->Finish();
  EXPECT_EQ(ReadMain(folder, "g/a/zarr.json"), "(absent)");
  EXPECT_EQ(ReadMain(folder, "g/b/c/0/0"), "mine");
}

TEST(IcechunkSession, FailsWithoutTheObjectsOfOthers) {
  const auto folder = MakeRepository();
  const auto mine = Begin(folder);
  const auto theirs = Begin(folder);
  Put(theirs.get(), "g/a/c/0/0", "theirs");
  Put(mine.get(), "g/a/c/0/1", "mine");
  theirs->Finish();
  const std::string log = "transactions/" + FormatObjectId(Repository(folder).FindSnapshot({}));
  folder->Erase(log);
  EXPECT_NE(GetError([&] { mine->Finish(); }).find(log + ": the object is missing"), std::string::npos);
  EXPECT_EQ(ReadMain(folder, "g/a/c/0/1"), "(absent)");
}

TEST(RepoChange, KeepsIndicesInOrder) {
  const auto folder = MakeRepository();
  const auto find = [&](const RepositoryVersion& version) { return Repository(folder).FindSnapshot(version); };
  const ObjectId first = find({});
  ChangeRepo(folder.get(), [&](RepoChange* repo) { return repo->AddTag("t", first), true; });
  ChangeRepo(folder.get(), [&](RepoChange* repo) { return repo->AddBranch("b", first), true; });
  for (int i = 0; i < 20; ++i) {
    const auto session = Begin(folder);
    Put(session.get(), "g/a/c/0/0", std::to_string(i));
    session->Finish();
    EXPECT_EQ(find({.tag = "t"}), first);
    EXPECT_EQ(find({.branch = "b"}), first);
    EXPECT_EQ(ReadMain(folder, "g/a/c/0/0"), std::to_string(i));
  }
  const Repository repository(folder);
  EXPECT_EQ(repository.ListCommits(repository.FindSnapshot({}), 99).size(), 22u);
  EXPECT_EQ(folder->List("overwritten/")->keys.size(), 22u);
}

TEST(RepoChange, RefusesWhatIsNotPossible) {
  const auto folder = MakeRepository();
  const ObjectId tip = Repository(folder).FindSnapshot({});
  const auto change = [&](const auto& run) {
    return GetError([&] { ChangeRepo(folder.get(), [&](RepoChange* repo) { return run(repo), true; }); });
  };
  EXPECT_NE(change([&](RepoChange* repo) { repo->DeleteBranch("main"); }).find("cannot be deleted"), std::string::npos);
  EXPECT_NE(change([&](RepoChange* repo) { repo->AddBranch("main", tip); }).find("already"), std::string::npos);
  EXPECT_NE(change([&](RepoChange* repo) { repo->DeleteTag("t"); }).find("has no tag"), std::string::npos);
  EXPECT_EQ(change([&](RepoChange* repo) { repo->AddTag("t", tip); }), "(no error)");
  EXPECT_EQ(change([&](RepoChange* repo) { repo->DeleteTag("t"); }), "(no error)");
  EXPECT_NE(change([&](RepoChange* repo) { repo->AddTag("t", tip); }).find("was deleted"), std::string::npos);
  EXPECT_NE(change([&](RepoChange* repo) { repo->AddTag("u", ObjectId()); }).find("no snapshot"), std::string::npos);
}

TEST(CollectGarbage, RemovesWhatNothingLeadsTo) {
  const auto folder = MakeRepository();
  const auto mine = Begin(folder);
  const auto theirs = Begin(folder);
  for (const auto& session : {mine, theirs}) {
    Put(session.get(), "g/a/c/0/0", kLong + "x");
    GetError([&] { session->Finish(); });
  }
  EXPECT_TRUE(CollectGarbage(folder, 1, true).keys.empty());  // nothing is that old
  const Garbage found = CollectGarbage(folder, UINT64_MAX / 2, false);
  EXPECT_EQ(found.keys.size(), 4u);  // a snapshot, its log, a manifest and a file of a chunk
  EXPECT_EQ(Repository(folder).info()->commits.size(), 4u);
  EXPECT_EQ(CollectGarbage(folder, UINT64_MAX / 2, true).keys, found.keys);
  EXPECT_EQ(Repository(folder).info()->commits.size(), 3u);
  EXPECT_TRUE(CollectGarbage(folder, UINT64_MAX / 2, true).keys.empty());
  EXPECT_EQ(ReadMain(folder, "g/a/c/0/0"), kLong + "x");
  EXPECT_EQ(ReadMain(folder, "g/a/c/1/1"), kLong);
}

/// A folder in which something happens before a file is written or read.
class SlowFolder final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  bool Read(const ReadRequest& request) const override {
    RunAt(request.key);
    return ForwardingStore::Read(request);
  }
  bool Write(std::string_view key, ByteSpan value, WriteIf condition) override {
    RunAt(key);
    return ForwardingStore::Write(key, value, condition);
  }
  std::string_view at = "snapshots/";
  mutable std::function<void()> meanwhile;

 private:
  void RunAt(std::string_view key) const {
    if (meanwhile && key.starts_with(at)) std::exchange(meanwhile, nullptr)();
  }
};

TEST(IcechunkSession, AValueThatIsSetDuringACommitIsInTheNextOne) {
  const auto memory = MakeRepository();
  const auto folder = std::make_shared<SlowFolder>(memory);
  const auto session = Begin(folder);
  Put(session.get(), "g/a/c/0/0", "first");
  std::thread other;
  folder->meanwhile = [&] {
    other = std::thread([&] { Put(session.get(), "g/a/c/0/1", "second"); });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // time for it to be set, if nothing prevents that
  };
  session->Finish();
  ASSERT_TRUE(other.joinable());
  other.join();
  EXPECT_EQ(Get(*session, "g/a/c/0/1"), "second");
  session->Finish();
  EXPECT_EQ(ReadMain(memory, "g/a/c/0/0"), "first");
  EXPECT_EQ(ReadMain(memory, "g/a/c/0/1"), "second");
}

TEST(IcechunkSession, AChangeThatACommitInterruptsFailsIfTheCommitFails) {
  const auto put = [](Store* session) { Put(session, "g/a/c/0/1", kLong); };
  const auto erase = [](Store* session) { session->Erase("g/a/c/1/1"); };
  const std::pair<std::string_view, std::function<void(Store*)>> changes[] = {{"chunks/", put}, {"manifests/", erase}};
  for (const auto& change : changes) {
    const auto folder = std::make_shared<SlowFolder>(MakeRepository());
    const auto mine = Begin(folder);
    Put(mine.get(), "g/m/zarr.json", kGroup);
    const auto theirs = Begin(folder);
    Put(theirs.get(), "g/m/zarr.json", kGroup);
    theirs->Finish();
    folder->at = change.first;
    folder->meanwhile = [&] { EXPECT_THROW(mine->Finish(), Error); };
    EXPECT_NE(GetError([&] { change.second(mine.get()); }).find("its commit has failed"), std::string::npos);
    EXPECT_FALSE(folder->meanwhile) << change.first;
  }
}

TEST(IcechunkSession, AChunkWhoseArrayIsMadeMeanwhileBelongsToIt) {
  const auto folder = std::make_shared<SlowFolder>(MakeRepository());
  const auto session = Begin(folder);
  folder->at = "chunks/";
  folder->meanwhile = [&] { Put(session.get(), "b/zarr.json", kArray); };
  Put(session.get(), "b/c/0/0", kLong);
  EXPECT_EQ(Get(*session, "b/c/0/0"), kLong);
  session->Finish();
}

/// The array has 4 x 6 elements in chunks of 2 x 3, of which the first is stored.
TEST(IcechunkSession, ASparseArrayShrinksAndGrows) {
  std::string document = kArray;
  document.replace(document.find("[]"), 2, R"([{"name":"bytes"}])");
  for (const Shape& shape : {Shape{2, 6}, Shape{4, 3}, Shape{1, 1}, Shape{3, 5}, Shape{8, 9}}) {
    const auto folder = MakeRepository();
    const auto session = Begin(folder);
    Put(session.get(), "a/zarr.json", document);
    Put(session.get(), "a/c/0/0", "123456");
    const auto hierarchy = EditableHierarchy::Open(session);
    ResizeArray(*hierarchy, hierarchy->OpenArray("a"), shape);
    session->Finish();
    const auto repository = std::make_shared<const Repository>(folder);
    const auto stored =
        std::make_shared<IcechunkStore>("test", repository, repository->FindSnapshot({}), ChunkOptions());
    EXPECT_EQ(Hierarchy::Open(stored)->OpenArray("a")->shape(), shape);
  }
}

}  // namespace
}  // namespace zarr
