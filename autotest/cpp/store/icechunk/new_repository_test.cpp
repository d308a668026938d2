// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/commit/new_repository.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "autotest/cpp/support/store_texts.h"
#include "zarrlib/base/error.h"
#include "zarrlib/store/forwarding_store.h"
#include "zarrlib/store/icechunk/commit/container_config.h"
#include "zarrlib/store/icechunk/commit/flex_writer.h"
#include "zarrlib/store/icechunk/commit/transaction_log.h"
#include "zarrlib/store/icechunk/flat/flat_object.h"
#include "zarrlib/store/icechunk/flat/flat_schemas.h"
#include "zarrlib/store/icechunk/flat/flex_buffer.h"
#include "zarrlib/store/icechunk/icechunk_store.h"
#include "zarrlib/store/icechunk/object_file.h"
#include "zarrlib/store/memory_store.h"

namespace zarr {
namespace {

using test::Get;
using test::kArray;
using test::kGroup;

using At = std::array<std::uint32_t, 2>;

ChunkRef MakeVirtual(const std::string& url, std::uint64_t offset) {
  ChunkRef ref;
  ref.kind = ChunkRef::Kind::kVirtual;
  ref.location = url;
  ref.offset = offset;
  ref.length = 6;
  ref.last_modified = 7;
  return ref;
}

/// A repository with arrays at "a" and "g/b".
std::shared_ptr<MemoryStore> MakeRepository(std::span<const Container> containers) {
  auto folder = std::make_shared<MemoryStore>("repository");
  NewRepository made(folder, {"main", std::nullopt, 2, "message", "author"});
  made.AddNode("", kGroup);
  made.AddNode("a", kArray);
  made.AddNode("g", kGroup);
  made.AddNode("g/b", kArray);
  made.BeginArray("a");
  made.AddChunk(At{0, 0}, MakeVirtual("s3://bucket/x", 1));
  made.AddChunk(At{1, 1}, MakeVirtual("s3://bucket/x", 7));
  made.BeginArray("g/b");
  made.AddChunk(At{0, 1}, AsBytes("inline"));
  made.AddChunk(At{1, 0}, AsBytes(std::string(1000, 'x')));
  EXPECT_FALSE(Repository::IsIn(*folder));
  made.Commit(containers);
  return folder;
}

std::shared_ptr<IcechunkStore> Open(const std::shared_ptr<MemoryStore>& folder) {
  const auto repository = std::make_shared<const Repository>(folder);
  return std::make_shared<IcechunkStore>("test", repository, repository->FindSnapshot({}), ChunkOptions());
}

TEST(NewRepository, HasAllNodesAndChunks) {
  const auto store = Open(MakeRepository({}));
  EXPECT_EQ(Get(*store, "zarr.json"), kGroup);
  EXPECT_EQ(Get(*store, "g/b/zarr.json"), kArray);
  EXPECT_EQ(Get(*store, "g/b/c/0/1"), "inline");
  EXPECT_EQ(Get(*store, "g/b/c/1/0"), std::string(1000, 'x'));
  EXPECT_EQ(Get(*store, "g/b/c/0/0"), "(absent)");
  EXPECT_TRUE(store->Exists("a/c/1/1"));
  EXPECT_FALSE(store->Exists("a/c/0/1"));
  EXPECT_THROW(Get(*store, "a/c/0/0"), Error);  // virtual chunks are not read here
  EXPECT_EQ(store->List("a/c/")->prefixes, (std::vector<std::string>{"0", "1"}));
}

TEST(NewRepository, HasAFileForEachLongChunk) {
  const auto folder = MakeRepository({});
  EXPECT_EQ(folder->List("chunks/")->keys.size(), 1U);  // of 1000 bytes; that of 6 is in the manifest
}

TEST(NewRepository, HasALogOfAllChunks) {
  const auto folder = MakeRepository({});
  const ObjectId last = Repository(folder).FindSnapshot({});
  Bytes object;
  ASSERT_TRUE(folder->Get(MakeLogKey(last), &object));
  FlatObject log = FlatObject::Load(DecodeObject(object, ObjectType::kTransactionLog), kLogSchema);
  std::vector<std::size_t> counts;
  for (FlatObject& array : log.tables(of_log::kUpdatedChunks)) {
    counts.push_back(array.tables(of_updated_chunks::kChunks).size());
  }
  EXPECT_EQ(counts, (std::vector<std::size_t>{2, 2}));
}

TEST(NewRepository, IsOneCommit) {
  const auto folder = MakeRepository({});
  const Repository repository(folder);
  const std::vector<Commit> commits = repository.ListCommits(repository.FindSnapshot({}), 10);
  ASSERT_EQ(commits.size(), 2U);
  EXPECT_EQ(commits[0].message, "message");
  EXPECT_EQ(commits[0].author, "author");
  EXPECT_TRUE(repository.info()->containers.empty());
}

TEST(NewRepository, MayHaveAnArrayAsItsRoot) {
  auto folder = std::make_shared<MemoryStore>("repository");
  NewRepository made(folder, {"main", std::nullopt, 2, "message", ""});
  made.AddNode("", kArray);
  made.BeginArray("");
  made.AddChunk(At{0, 0}, AsBytes("inline"));
  made.Commit({});
  const auto store = Open(folder);
  EXPECT_EQ(Get(*store, "zarr.json"), kArray);
  EXPECT_EQ(Get(*store, "c/0/0"), "inline");
}

TEST(NewRepository, RefusesChunksOutOfOrder) {
  NewRepository made(std::make_shared<MemoryStore>("repository"), {"main", std::nullopt, 2, "message", ""});
  made.AddNode("", kArray);
  made.BeginArray("");
  made.AddChunk(At{1, 0}, AsBytes("inline"));
  EXPECT_THROW(made.AddChunk(At{0, 1}, AsBytes("inline")), Error);
}

TEST(NewRepository, RefusesDocumentsOfOtherFormats) {
  NewRepository made(std::make_shared<MemoryStore>("repository"), {"main", std::nullopt, 2, "message", ""});
  EXPECT_THROW(made.AddNode("", R"({"zarr_format":2})"), Error);
}

/// A server whose files are replaced between two requests for them, some times: the end of the old one is missing.
class ChangingStore final : public ForwardingStore {
 public:
  ChangingStore(std::shared_ptr<Store> inner, int times) : ForwardingStore(std::move(inner)), left_(times) {}

  StoreInfo info() const override {
    StoreInfo info = ForwardingStore::info();
    info.concurrency = 4;
    return info;
  }
  bool Read(const ReadRequest& request) const override {
    if (request.key != kIcechunkRepoInfo || left_-- <= 0) return ForwardingStore::Read(request);
    const auto shorter = std::make_shared<MemoryStore>("shorter");
    Bytes value;
    inner().Get(kIcechunkRepoInfo, &value);
    value.resize(value.size() - 10);
    shorter->Set(kIcechunkRepoInfo, value);
    return shorter->Read(request);
  }

 private:
  mutable int left_;
};

TEST(Repository, IsReadAgainIfItWasReplacedMeanwhile) {
  const auto folder = MakeRepository({});
  EXPECT_EQ(Repository(std::make_shared<ChangingStore>(folder, 2)).info()->branches.size(), 1U);
  EXPECT_THROW(Repository(std::make_shared<ChangingStore>(folder, 100)), Error);
}

TEST(Containers, AreReadAsTheyWereWritten) {
  const std::vector<Container> containers = {
      {"", "file:///data/", "local_file_system"},
      {"mine", "s3://bucket/", "s3", "eu-west-1", "", "", true, false, true},
      {"", "s3://other/", "s3_compatible", "", "http://localhost:9000", "", false, true, false},
      {"", "gs://bucket/", "gcs", "", "", "", true},
      {"", "az://container/", "azure", "", "", "account", true},
      {"", "https://example.org/", "http"},
  };
  const auto folder = MakeRepository(containers);
  const std::vector<Container> read = Repository(folder).info()->containers;
  ASSERT_EQ(read.size(), containers.size());
  for (const Container& expected : containers) {
    const auto it = std::ranges::find(read, expected.url, &Container::url);
    ASSERT_NE(it, read.end()) << expected.url;
    EXPECT_EQ(it->name, expected.name);
    EXPECT_EQ(it->kind, expected.kind);
    EXPECT_EQ(it->region, expected.region);
    EXPECT_EQ(it->endpoint, expected.endpoint);
    EXPECT_EQ(it->account, expected.account);
    EXPECT_EQ(it->is_anonymous, expected.is_anonymous) << expected.url;
    EXPECT_EQ(it->has_path_style, expected.has_path_style);
    EXPECT_EQ(it->requester_pays, expected.requester_pays);
  }
}

// The form in which the reference implementation writes the configuration of format 1.
constexpr const char* kConfigOfFormat1 = R"(inline_chunk_threshold_bytes: 512
storage:
  name: none
  url_prefix: none
virtual_chunk_containers:
  s3://bucket/:
    name: null
    url_prefix: s3://bucket/
    store: !s3_compatible
      region: us-east-1
      endpoint_url: http://localhost:4200
      anonymous: true
      allow_http: true
      force_path_style: true
      requester_pays: false
  ? gs://a-name-that-is-too-long-for-the-line-of-its-value/
  : name: 'mine'
    url_prefix: gs://other/
    store: !gcs
      google_skip_signature: 'true'
  az:
    name: az
    url_prefix: az
    store: !azure {}
  file:
    name: file
    url_prefix: file:///data/
    store: !local_file_system ''
manifest: null
)";

TEST(Containers, AreReadFromTheConfigurationOfFormat1) {
  const std::vector<Container> containers = ParseContainers(kConfigOfFormat1);
  ASSERT_EQ(containers.size(), 4);
  EXPECT_EQ(containers[0].name, "");
  EXPECT_EQ(containers[0].url, "s3://bucket/");
  EXPECT_EQ(containers[0].kind, "s3_compatible");
  EXPECT_EQ(containers[0].region, "us-east-1");
  EXPECT_EQ(containers[0].endpoint, "http://localhost:4200");
  EXPECT_TRUE(containers[0].is_anonymous);
  EXPECT_TRUE(containers[0].has_path_style);
  EXPECT_FALSE(containers[0].requester_pays);
  EXPECT_EQ(containers[1].name, "mine");
  EXPECT_EQ(containers[1].url, "gs://other/");
  EXPECT_EQ(containers[1].kind, "gcs");
  EXPECT_TRUE(containers[1].is_anonymous);
  EXPECT_EQ(containers[2].kind, "azure");
  EXPECT_FALSE(containers[2].is_anonymous);
  EXPECT_EQ(containers[3].url, "file:///data/");
  EXPECT_EQ(containers[3].kind, "local_file_system");
}

TEST(Containers, OfOtherFormsAreNotReadFromFormat1) {
  for (const char* config : {"", "virtual_chunk_containers: null\n", "virtual_chunk_containers: {a: {url_prefix: b}}\n",
                             "virtual_chunk_containers:\n  a:\n    store: !s3\n      region: b\n", ": : \n?\n\n",
                             "virtual_chunk_containers:\n  a:\n    url_prefix: null", "\xff\n\""}) {
    EXPECT_TRUE(ParseContainers(config).empty()) << config;
  }
}

TEST(Containers, OfUnknownStoresAreNotWritten) {
  const std::vector<Container> containers = {{"", "oss://bucket/", "oss"}};
  EXPECT_THROW(EncodeContainers(containers), Error);
}

TEST(FlexWriter, WritesWhatTheReaderReads) {
  FlexWriter writer;
  const FlexWriter::Value inner =
      writer.WriteMap({{"on", FlexWriter::MakeBoolean(true)}, {"text", writer.WriteText("")}});
  const FlexWriter::Value long_text = writer.WriteText(std::string(300, 'a'));
  const Bytes buffer =
      writer.Finish(writer.WriteMap({{"b", inner}, {"a", long_text}, {"none", FlexWriter::MakeNull()}, {"", inner}}));
  const FlexValue root = FlexValue::OpenRoot(buffer);
  EXPECT_EQ(root.CountMembers(), 4U);
  EXPECT_EQ(root.FindMember("a")->FindText(), std::string(300, 'a'));
  EXPECT_EQ(root.FindMember("none")->FindText(), std::nullopt);
  EXPECT_FALSE(root.FindMember("none")->IsTrue());
  EXPECT_TRUE(root.FindMember("b")->FindMember("on")->IsTrue());
  EXPECT_EQ(root.FindMember("")->FindMember("text")->FindText(), "");
}

}  // namespace
}  // namespace zarr
