// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/icechunk_store.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "autotest/cpp/support/icechunk_writer.h"
#include "autotest/cpp/support/store_texts.h"
#include "autotest/cpp/support/test_util.h"
#include "zarrlib/base/error.h"
#include "zarrlib/store/forwarding_store.h"
#include "zarrlib/store/memory_store.h"

namespace zarr {
namespace {

using test::Get;
using test::GetError;
using namespace icechunk_test;  // NOLINT(google-build-using-namespace)

const std::string kMetadata = R"({"zarr_format": 3, "node_type": "array"})";

/// A store whose values have an entity tag.
class TaggedStore final : public ForwardingStore {
 public:
  explicit TaggedStore(std::shared_ptr<Store> inner) : ForwardingStore(std::move(inner)) {}
  bool Read(const ReadRequest& request) const override {
    const bool found = inner().Read(request);
    if (request.stamp) request.stamp->tag = "\"abc\"";
    return found;
  }
};

/// Files of virtual chunks in memory.
class MemoryFiles final : public VirtualFiles {
 public:
  File Find(const std::string& url) const override {
    if (!url.starts_with("mem://")) throw Error(ErrorKind::kUnsupported, "expected mem://, got " + url);
    return {std::make_shared<TaggedStore>(store), url.substr(6), "/memory/" + url.substr(6), has_etags, ticks};
  }
  std::string GetPath(const std::string& key) const override { return "/repository/" + key; }
  std::string GetSettings(const std::string&) const override { return ""; }
  std::size_t concurrency() const override { return 0; }

  std::shared_ptr<MemoryStore> store = std::make_shared<MemoryStore>("files");
  bool has_etags = false;
  std::int64_t ticks = 0;
};

/// A repository of format 2 with a group, an array of two dimensions in two manifests, and one without dimensions.
struct Fixture {
  std::shared_ptr<MemoryStore> folder = std::make_shared<MemoryStore>("repository");
  std::shared_ptr<MemoryFiles> files = std::make_shared<MemoryFiles>();

  Fixture() {
    PutRepo({{"main", 0}});
    const NodeId array = MakeId<NodeId>(2);
    PutSnapshot(3, {MakeGroup(MakeId<NodeId>(1), "/"), MakeGroup(MakeId<NodeId>(6), "/g"),
                    MakeArray(array, "/g/a", kMetadata, 2, {{MakeId(4), {0, 1, 0, 12}}, {MakeId(5), {1, 3, 0, 12}}}),
                    MakeArray(MakeId<NodeId>(7), "/g/a-0", kMetadata, 0, {{MakeId(8), {}}})});
    PutManifest(4, MakeManifest(array,
                                {MakeInlineRef({0, 0}, "inline"), MakeNativeRef({0, 2}, MakeId(9), 2, 4),
                                 MakeNativeRef({0, 10}, MakeId(10), 0, 4)},
                                4));
    PutManifest(5, MakeManifest(array, {MakeVirtualRef({1, 0}, "mem://f", 1, 3)}, 5));
    PutManifest(8, MakeManifest(MakeId<NodeId>(7), {MakeInlineRef({}, "scalar")}, 8));
    folder->Set("chunks/" + FormatObjectId(MakeId(9)), AsBytes("0123456789"));
    files->store->Set("f", AsBytes("abcdef"));
  }
  void PutRepo(const KnownRefs& branches, const std::vector<KnownSnapshot>& snapshots = {{MakeId(3)}},
               const KnownRefs& tags = {}, const std::vector<std::string>& deleted = {}) {
    folder->Set("repo", MakeObject(ObjectType::kRepoInfo, MakeRepoInfo(snapshots, branches, tags, deleted)));
  }
  void PutSnapshot(unsigned id, const std::vector<FlatWriter::Fields>& nodes) {
    folder->Set("snapshots/" + FormatObjectId(MakeId(id)), MakeObject(ObjectType::kSnapshot, MakeSnapshot(nodes)));
  }
  void PutManifest(unsigned id, const Bytes& payload) {
    folder->Set("manifests/" + FormatObjectId(MakeId(id)), MakeObject(ObjectType::kManifest, payload));
  }
  IcechunkStore Open(const RepositoryVersion& version = {}, bool check_files = true) {
    const auto repository = std::make_shared<const Repository>(folder);
    return IcechunkStore("test", repository, repository->FindSnapshot(version), {files, check_files});
  }
};

std::string GetError(const Store& store, const std::string& key) {
  return GetError([&] { Get(store, key); });
}

TEST(IcechunkStore, ReadsDocumentsAndChunks) {
  Fixture fixture;
  const IcechunkStore store = fixture.Open();
  EXPECT_EQ(Get(store, "g/a/zarr.json"), kMetadata);
  EXPECT_NE(Get(store, "zarr.json").find("group"), std::string::npos);
  EXPECT_EQ(Get(store, "g/a/c/0/0"), "inline");
  EXPECT_EQ(Get(store, "g/a/0.0"), "inline");
  EXPECT_EQ(Get(store, "g/a/c/0/2"), "2345");
  EXPECT_EQ(Get(store, "g/a/c/1/0"), "bcd");
  EXPECT_EQ(Get(store, "g/a-0/c"), "scalar");
  for (const char* absent :
       {"a/zarr.json", "g/a/c/0/1", "g/a/c/2/0", "g/a/c/7/0", "g/a/c/x/0", "g/a/.zarray", "g/c/0"}) {
    EXPECT_EQ(Get(store, absent), "(absent)") << absent;
    EXPECT_FALSE(store.Exists(absent));
  }
  EXPECT_TRUE(store.Exists("g/a/c/0/10"));
}

TEST(IcechunkStore, ReadsParts) {
  Fixture fixture;
  const IcechunkStore store = fixture.Open();
  for (const char* key : {"g/a/c/0/0", "g/a/c/0/2", "g/a/c/1/0"}) {
    const std::string whole = Get(store, key);
    Bytes part(2);
    const ByteRange range{1, 2};
    const MutableByteSpan buffer = part;
    VersionStamp stamp;
    EXPECT_TRUE(store.GetRanges(key, {&range, 1}, {&buffer, 1}, &stamp));
    EXPECT_EQ(AsText(part), whole.substr(1, 2));
    EXPECT_EQ(stamp.size, whole.size());
    EXPECT_TRUE(store.GetSuffix(key, 2, &part, nullptr));
    EXPECT_EQ(AsText(part), whole.substr(whole.size() - 2));
    const ByteRange beyond{whole.size() - 1, 2};
    EXPECT_THROW(store.GetRanges(key, {&beyond, 1}, {&buffer, 1}), Error);
  }
}

TEST(IcechunkStore, Lists) {
  Fixture fixture;
  const IcechunkStore store = fixture.Open();
  const auto list = [&](std::string_view prefix) {
    const Listing listing = store.List(prefix).value();
    std::string text;
    for (const std::string& key : listing.keys) text += key + " ";
    for (const std::string& name : listing.prefixes) text += name + "/ ";
    return text;
  };
  EXPECT_EQ(list(""), "zarr.json g/ ");
  EXPECT_EQ(list("g/"), "zarr.json a/ a-0/ ");
  EXPECT_EQ(list("g/a/"), "zarr.json c/ ");
  EXPECT_EQ(list("g/a/c/"), "0/ 1/ ");
  EXPECT_EQ(list("g/a/c/0/"), "0 10 2 ");
  EXPECT_EQ(list("g/a-0/"), "c zarr.json ");
  EXPECT_EQ(list("x/"), "");
}

TEST(IcechunkStore, LocatesValues) {
  Fixture fixture;
  const IcechunkStore store = fixture.Open();
  const StoreRequests& requests = *store.requests();
  EXPECT_EQ(requests.Locate("g/a/c/0/0")->bytes, "inline");
  EXPECT_EQ(requests.Locate("g/a/c/0/2")->path, "/repository/chunks/" + FormatObjectId(MakeId(9)));
  EXPECT_EQ(requests.Locate("g/a/c/1/0")->path, "/memory/f");
  EXPECT_EQ(requests.Locate("g/a/c/1/0")->offset, 1U);
  EXPECT_FALSE(requests.Locate("g/a/c/0/1"));
}

TEST(IcechunkStore, TakesNothingThatIsMissingForAbsent) {
  Fixture fixture;
  const IcechunkStore store = fixture.Open();
  const std::string chunk = "chunks/" + FormatObjectId(MakeId(10));
  EXPECT_NE(GetError(store, "g/a/c/0/10").find("repository/" + chunk + ": the object is missing"), std::string::npos)
      << GetError(store, "g/a/c/0/10");
  fixture.folder->Set(chunk, AsBytes("abc"));
  EXPECT_NE(GetError(store, "g/a/c/0/10").find(chunk), std::string::npos);
  fixture.files->store->Erase("f");
  EXPECT_NE(GetError(store, "g/a/c/1/0").find("refers to /memory/f: there is no such file"), std::string::npos);
  const std::string manifest = "manifests/" + FormatObjectId(MakeId(5));
  fixture.folder->Erase(manifest);
  EXPECT_NE(GetError(fixture.Open(), "g/a/c/1/0").find("repository/" + manifest), std::string::npos);
  EXPECT_EQ(Get(fixture.Open(), "g/a/c/0/0"), "inline");  // which needs only the other manifest
  fixture.folder->Erase("snapshots/" + FormatObjectId(MakeId(3)));
  EXPECT_NE(GetError([&] { fixture.Open(); }).find("repository/snapshots/"), std::string::npos);
}

TEST(IcechunkStore, KeepsTheSnapshotThatItOpened) {
  Fixture fixture;
  const IcechunkStore store = fixture.Open();
  const std::string identity = store.identity();
  fixture.PutSnapshot(20, {MakeGroup(MakeId<NodeId>(1), "/")});
  fixture.PutRepo({{"main", 1}}, {{MakeId(3)}, {MakeId(20), 0}});
  EXPECT_EQ(Get(store, "g/a/c/0/0"), "inline");
  EXPECT_EQ(store.identity(), identity);
  EXPECT_EQ(Get(fixture.Open(), "g/a/c/0/0"), "(absent)");
  EXPECT_NE(fixture.Open().identity(), identity);
}

TEST(IcechunkStore, RefusesMoreCoordinatesThanDimensions) {
  Fixture fixture;
  EXPECT_NE(GetError(fixture.Open(), "g/a/c/0").find("2 dimensions"), std::string::npos);
}

TEST(IcechunkStore, ChecksTheStateOfFiles) {
  Fixture fixture;
  FlatWriter::Fields ref = MakeVirtualRef({1, 0}, "mem://f", 1, 3);
  VersionStamp stamp;
  for (int i = 0; i < 9; ++i) fixture.files->store->Set("f", AsBytes("abcdef"));  // each time later
  fixture.files->store->GetStamp("f", &stamp);
  const auto check = [&](std::uint32_t modified, const std::string& etag, bool check_files) {
    FlatWriter::Fields checked = ref;
    if (modified > 0) checked[7] = MakeNumber(modified);
    if (!etag.empty()) checked[6] = MakeBytes(etag);
    fixture.PutManifest(5, MakeManifest(MakeId<NodeId>(2), {checked}, 5));
    return GetError(fixture.Open({}, check_files), "g/a/c/1/0");
  };
  fixture.files->ticks = 1;
  fixture.files->has_etags = true;
  ASSERT_GT(stamp.time, 0);
  const auto now = static_cast<std::uint32_t>(stamp.time);
  EXPECT_EQ(check(now, "", true), "(no error)");
  EXPECT_EQ(check(now + 1, "", true), "(no error)");
  ASSERT_GT(now, 1U);
  EXPECT_NE(check(now - 1, "", true).find("changed after"), std::string::npos);
  EXPECT_EQ(check(now - 1, "", false), "(no error)");
  EXPECT_NE(check(0, "\"other\"", true).find("ETag"), std::string::npos);
  EXPECT_EQ(check(0, "abc", true), "(no error)");
}

TEST(IcechunkStore, TakesNoWrites) {
  Fixture fixture;
  IcechunkStore store = fixture.Open();
  EXPECT_FALSE(store.info().writes);
  EXPECT_THROW(store.Set("zarr.json", AsBytes("{}")), Error);
  EXPECT_THROW(store.Erase("zarr.json"), Error);
}

TEST(IcechunkStore, DamagedObjectsGiveValuesOrErrors) {
  Fixture fixture;
  const std::vector<std::string> keys = {"repo", "snapshots/" + FormatObjectId(MakeId(3)),
                                         "manifests/" + FormatObjectId(MakeId(4)),
                                         "manifests/" + FormatObjectId(MakeId(5))};
  for (const std::string& key : keys) {
    Bytes whole;
    ASSERT_TRUE(fixture.folder->Get(key, &whole));
    for (std::size_t i = 0; i < whole.size(); ++i) {
      Bytes damaged = whole;
      damaged[i] ^= std::byte{0xFF};
      fixture.folder->Set(key, damaged);
      try {
        const IcechunkStore store = fixture.Open();
        for (const char* prefix : {"", "g/", "g/a/", "g/a/c/", "g/a/c/0/"}) store.List(prefix);
        for (const char* chunk : {"g/a/c/0/0", "g/a/c/0/2", "g/a/c/1/0", "g/a-0/c"}) Get(store, chunk);
      } catch (const Error&) {
        continue;
      }
    }
    fixture.folder->Set(key, whole);
  }
}

// --- repositories ------------------------------------------------------------------------------------------------

TEST(Repository, FindsSnapshotsByNamesAndTimes) {
  Fixture fixture;
  fixture.PutRepo({{"dev", 0}, {"main", 2}}, {{MakeId(1), -1, 100}, {MakeId(2), 0, 200}, {MakeId(3), 1, 300}},
                  {{"v1", 1}}, {"v0"});
  const Repository repository(fixture.folder);
  const auto find = [&](const RepositoryVersion& version) { return repository.FindSnapshot(version); };
  EXPECT_EQ(find({}), MakeId(3));
  EXPECT_EQ(find({.branch = "dev"}), MakeId(1));
  EXPECT_EQ(find({.tag = "v1"}), MakeId(2));
  EXPECT_EQ(find({.snapshot = FormatObjectId(MakeId(9))}), MakeId(9));
  EXPECT_EQ(find({.as_of = 299}), MakeId(2));
  EXPECT_EQ(find({.as_of = 200}), MakeId(2));
  EXPECT_EQ(find({.as_of = 5000}), MakeId(3));
  EXPECT_NE(GetError([&] { find({.as_of = 99}); }).find("no commit from before"), std::string::npos);
  EXPECT_NE(GetError([&] { find({.branch = "x"}); }).find("its branches are \"dev\", \"main\""), std::string::npos);
  EXPECT_NE(GetError([&] { find({.tag = "v0"}); }).find("\"v0\", which was deleted; its tags are \"v1\""),
            std::string::npos);
  EXPECT_NE(GetError([&] { find({.snapshot = "abc"}); }).find("20 characters"), std::string::npos);
  EXPECT_EQ(repository.ListCommits(MakeId(3), 2).back().id, MakeId(2));
}

TEST(Repository, TakesTheOnlyBranchForTheDefault) {
  Fixture fixture;
  fixture.PutRepo({{"trunk", 0}});
  EXPECT_EQ(Repository(fixture.folder).FindSnapshot({}), MakeId(3));
  fixture.PutRepo({{"a", 0}, {"b", 0}});
  EXPECT_NE(GetError([&] { Repository(fixture.folder).FindSnapshot({}); }).find("\"a\", \"b\""), std::string::npos);
}

TEST(Repository, ReadsRefsOfFormat1) {
  const auto folder = std::make_shared<MemoryStore>("repository");
  EXPECT_FALSE(Repository::IsIn(*folder));
  EXPECT_NE(GetError([&] { Repository(folder).FindSnapshot({}); }).find("no Icechunk repository"), std::string::npos);
  const auto put_snapshot = [&](unsigned id, const std::optional<ObjectId>& parent, std::uint64_t time) {
    folder->Set("snapshots/" + FormatObjectId(MakeId(id)),
                MakeObject(ObjectType::kSnapshot, MakeSnapshot({}, parent, time), 1));
  };
  const auto put_ref = [&](const std::string& name, unsigned id) {
    folder->Set("refs/" + name + "/ref.json", AsBytes(R"({"snapshot":")" + FormatObjectId(MakeId(id)) + "\"}"));
  };
  put_snapshot(1, std::nullopt, 100);
  put_snapshot(2, MakeId(1), 200);
  put_ref("branch.main", 2);
  put_ref("tag.v1", 1);
  put_ref("tag.v0", 1);
  folder->Set("refs/tag.v0/ref.json.deleted", {});
  EXPECT_TRUE(Repository::IsIn(*folder));
  const Repository repository(folder);
  EXPECT_EQ(repository.FindSnapshot({}), MakeId(2));
  EXPECT_EQ(repository.FindSnapshot({.tag = "v1"}), MakeId(1));
  EXPECT_EQ(repository.FindSnapshot({.as_of = 150}), MakeId(1));
  EXPECT_NE(GetError([&] { repository.FindSnapshot({.tag = "v0"}); }).find("deleted"), std::string::npos);
  EXPECT_NE(GetError([&] { repository.FindSnapshot({.branch = "x/y"}); }).find("no branch"), std::string::npos);
  folder->Set("refs/branch.main/ref.json", AsBytes(R"({"snapshot":"x"})"));
  EXPECT_NE(GetError([&] { repository.FindSnapshot({}); }).find("refs/branch.main/ref.json"), std::string::npos);
}

TEST(Repository, RefusesLaterVersions) {
  Fixture fixture;
  const Bytes info = MakeRepoInfo({{MakeId(3)}}, {{"main", 0}});
  fixture.folder->Set("repo", MakeObject(ObjectType::kRepoInfo, info, 3));
  EXPECT_NE(GetError([&] { fixture.Open(); }).find("got 3"), std::string::npos);
  fixture.folder->Set("repo",
                      MakeObject(ObjectType::kRepoInfo, MakeRepoInfo({{MakeId(3)}}, {{"main", 0}}, {}, {}, "", 4)));
  EXPECT_NE(GetError([&] { fixture.Open(); }).find("got 4"), std::string::npos);
  fixture.folder->Set("repo", MakeObject(ObjectType::kSnapshot, info));
  EXPECT_NE(GetError([&] { fixture.Open(); }).find("a repo info file (6), got an object of type 1"), std::string::npos);
}

}  // namespace
}  // namespace zarr
