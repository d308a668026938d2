// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/flat/flat_buffer.h"

#include <gtest/gtest.h>

#include <functional>

#include "autotest/cpp/support/icechunk_writer.h"
#include "zarrlib/base/error.h"
#include "zarrlib/store/icechunk/flat/flex_buffer.h"
#include "zarrlib/store/icechunk/manifest.h"
#include "zarrlib/store/icechunk/object_id.h"
#include "zarrlib/store/icechunk/repo_info.h"
#include "zarrlib/store/icechunk/snapshot.h"

namespace zarr {
namespace {

using namespace icechunk_test;  // NOLINT(google-build-using-namespace)

/// Calls a function with a buffer in all states: cut, and with each byte replaced by some others. The function may
/// throw Error.
void TryAllDamages(const Bytes& whole, const std::function<void(const Bytes&)>& read) {
  const auto attempt = [&](const Bytes& bytes) {
    try {
      read(bytes);
    } catch (const Error& error) {
      EXPECT_FALSE(std::string(error.what()).empty());
    }
  };
  read(whole);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const ByteSpan part = ByteSpan(whole).first(size);
    attempt(Bytes(part.begin(), part.end()));
  }
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const unsigned change : {0x01U, 0x02U, 0x04U, 0x10U, 0x80U, 0xFFU}) {
      Bytes damaged = whole;
      damaged[i] ^= static_cast<std::byte>(change);
      attempt(damaged);
    }
  }
}

TEST(FlatBuffer, ReadsFieldsOfAllTypes) {
  const Bytes buffer = FlatWriter::MakeBuffer({{0, MakeNumber(std::uint64_t{5})},
                                               {2, MakeBytes("text")},
                                               {3, MakeTable({{1, MakeNumber(std::uint8_t{7})}})},
                                               {4, MakeStruct(MakeId(9))},
                                               {5, MakeNumbers({1, 2, 3})}});
  const FlatTable table = FlatTable::OpenRoot(buffer);
  EXPECT_EQ(table.GetNumber<std::uint64_t>(0), 5U);
  EXPECT_EQ(table.GetNumber<std::uint64_t>(1, 11), 11U);
  EXPECT_EQ(table.GetText(2, "name"), "text");
  EXPECT_EQ(table.FindTable(3)->GetNumber<std::uint8_t>(1), 7U);
  EXPECT_EQ(ReadId<ObjectId>(table.GetStruct(4, 12, "id")), MakeId(9));
  EXPECT_EQ(table.GetVector(5, 4, "numbers").size, 3U);
  EXPECT_EQ(table.FindText(6), std::nullopt);
  EXPECT_THROW(table.GetText(6, "name"), Error);
  EXPECT_THROW(table.GetStruct(5, 12, "id"), Error);
  EXPECT_THROW(table.GetVector(5, std::size_t{1} << 30, "numbers"), Error);
}

TEST(FlatBuffer, RefusesOffsetsOutsideOfIt) {
  EXPECT_THROW(FlatTable::OpenRoot({}), Error);
  EXPECT_THROW(FlatTable::OpenRoot(ToBytes("\xFF\xFF\xFF\xFF")), Error);
  EXPECT_THROW(FlatTable::OpenRoot(Bytes(8)), Error);  // a table that is its own vtable
}

TEST(FlatBuffer, DamagedManifestsGiveValuesOrErrors) {
  const Bytes manifest =
      MakeManifest(MakeId<NodeId>(5), {MakeInlineRef({0, 0}, "inline"), MakeNativeRef({0, 1}, MakeId(7), 10, 20),
                                       MakeVirtualRef({2, 0}, "file:///a", 30, 40)});
  TryAllDamages(manifest, [](const Bytes& bytes) {
    const Manifest read(bytes);
    const ChunkTable* const table = read.Find(MakeId<NodeId>(5));
    if (!table || table->rank() != 2) return;
    for (const std::uint32_t i : {0U, 2U}) table->Find(std::vector<std::uint32_t>{i, 0});
    table->FindNext(std::vector<std::uint32_t>{0, 0});
  });
}

TEST(FlatBuffer, DamagedSnapshotsGiveValuesOrErrors) {
  const Bytes snapshot = MakeSnapshot(
      {MakeGroup(MakeId<NodeId>(1), "/"), MakeArray(MakeId<NodeId>(2), "/a", "{}", 2, {{MakeId(3), {0, 2, 0, 4}}})});
  TryAllDamages(snapshot, [](const Bytes& bytes) {
    const Snapshot read(bytes);
    std::size_t size = read.message().size();
    for (const auto& [path, node] : read.nodes())
      size += path.size() + node.metadata.size() + (node.manifests ? node.manifests->size() : 0);
    EXPECT_LT(size, 100'000U);
  });
}

TEST(FlatBuffer, DamagedRepoInfoFilesGiveValuesOrErrors) {
  const Bytes info = MakeRepoInfo({{MakeId(1), -1, 5}, {MakeId(2), 0, 6}}, {{"main", 1}}, {{"v1", 0}}, {"old"});
  TryAllDamages(info, [](const Bytes& bytes) { ParseRepoInfo(bytes); });
}

/// {"virtual_chunk_containers": {"x": {"name": "n", "url_prefix": "s3://b/"}}}
Bytes MakeConfiguration() {
  const std::string keys[] = {"name", "url_prefix", "virtual_chunk_containers", "x"};
  Bytes bytes;
  const auto append = [&](std::string_view text) {
    bytes.insert(bytes.end(), AsBytes(text).begin(), AsBytes(text).end());
  };
  const auto number = [&](std::size_t value) { bytes.push_back(static_cast<std::byte>(value)); };
  std::map<std::string, std::size_t> at;
  for (const std::string& key : keys) {
    at[key] = bytes.size();
    append(key + std::string(1, '\0'));
  }
  const auto string = [&](const std::string& text) {
    number(text.size());
    append(text + std::string(1, '\0'));
    return bytes.size() - text.size() - 1;
  };
  struct Member {
    std::string key;
    std::size_t value;
    unsigned type;
  };
  const auto map = [&](const std::vector<Member>& members) {
    number(members.size());
    const std::size_t of_keys = bytes.size();
    for (const Member& member : members) number(bytes.size() - at[member.key]);
    number(bytes.size() - of_keys);
    number(1);
    number(members.size());
    const std::size_t position = bytes.size();
    for (const Member& member : members) number(bytes.size() - member.value);
    for (const Member& member : members) number(member.type << 2);
    return position;
  };
  const std::size_t name = string("n");
  const std::size_t url = string("s3://b/");
  const std::size_t container = map({{"name", name, 5}, {"url_prefix", url, 5}});
  const std::size_t containers = map({{"x", container, 9}});
  const std::size_t root = map({{"virtual_chunk_containers", containers, 9}});
  number(bytes.size() - root);
  number(9 << 2);
  number(1);
  return bytes;
}

TEST(FlexBuffer, FindsTheContainersOfAConfiguration) {
  const Bytes configuration = MakeConfiguration();
  const RepoInfo info = ParseRepoInfo(MakeRepoInfo({{MakeId(1)}}, {{"main", 0}}, {}, {}, AsText(configuration)));
  ASSERT_EQ(info.containers.size(), 1U);
  EXPECT_EQ(info.containers[0].name, "n");
  EXPECT_EQ(info.containers[0].url, "s3://b/");
  TryAllDamages(configuration, [](const Bytes& bytes) {
    ParseRepoInfo(MakeRepoInfo({{MakeId(1)}}, {{"main", 0}}, {}, {}, AsText(bytes)));
  });
}

TEST(ObjectId, IsTextInBase32) {
  ObjectId id{};
  const unsigned char bytes[] = {0x0b, 0x1c, 0xc8, 0xd6, 0x78, 0x75, 0x80, 0xf0, 0xe3, 0x3a, 0x65, 0x34};
  for (std::size_t i = 0; i < id.size(); ++i) id[i] = std::byte{bytes[i]};
  EXPECT_EQ(FormatObjectId(id), "1CECHNKREP0F1RSTCMT0");
  EXPECT_EQ(ParseObjectId("1CECHNKREP0F1RSTCMT0"), id);
  EXPECT_EQ(ParseObjectId("1cechnkrep0f1rstcmt0"), id);
  EXPECT_EQ(ParseObjectId("1CECHNKREP0F1RSTCMT"), std::nullopt);
  EXPECT_EQ(ParseObjectId("1CECHNKREP0F1RSTCMTU"), std::nullopt);
  EXPECT_EQ(ParseObjectId("1CECHNKREP0F1RSTCMT1"), std::nullopt);
}

}  // namespace
}  // namespace zarr
