// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/resize.h"

#include <filesystem>
#include <fstream>

#include "autotest/cpp/support/array_writer_test_util.h"
#include "autotest/cpp/support/deadline.h"
#include "autotest/cpp/support/links.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/filesystem_store.h"

namespace zarr {
namespace {

using namespace test;

std::string WithEncoding(std::string metadata, std::string_view encoding) {
  const std::string_view plain = R"("chunk_key_encoding": "default")";
  return metadata.replace(metadata.find(plain), plain.size(), R"("chunk_key_encoding": )" + std::string(encoding));
}

constexpr std::uint64_t kHuge = std::uint64_t{1} << 40;

struct HugeArray {
  std::shared_ptr<CountingStore> store = std::make_shared<CountingStore>();
  std::shared_ptr<EditableHierarchy> hierarchy;
  std::shared_ptr<const Array> array;

  explicit HugeArray(std::string_view encoding) {
    store->SetText("zarr.json", R"({"zarr_format": 3, "node_type": "group"})");
    store->SetText("a/zarr.json", WithEncoding(Metadata({4 * kHuge, 4}, "[4, 4]", kPlain), encoding));
    hierarchy = EditableHierarchy::Open(store);
    array = hierarchy->OpenArray("a");
    const auto writer = ArrayWriter::Make(array);
    for (const std::uint64_t row : {std::uint64_t{0}, std::uint64_t{6}, kHuge, 4 * kHuge - 1}) {
      WriteAll(writer.get(), Selection::FromBox({{row, 0}, {1, 4}}), {1, 2, 3, 4});
    }
    writer->Flush();
  }
  bool Has(std::uint64_t row) const { return store->Exists(array->MakeChunkKey({row / 4, 0})); }
  std::vector<std::int32_t> Row(std::uint64_t row) const {
    return Read(*array, Selection::FromBox({{row, 0}, {1, 4}}));
  }
};

constexpr const char* kEncodings[] = {
    R"("default")",
    R"({"name": "default", "configuration": {"separator": "."}})",
    R"({"name": "v2", "configuration": {"separator": "/"}})",
    R"("v2")",
};

TEST(Resize, AHugeArrayTakesTheTimeOfWhatIsStored) {
  for (const char* encoding : kEncodings) {
    SCOPED_TRACE(encoding);
    const Deadline deadline;
    HugeArray fixture(encoding);
    fixture.array = ResizeArray(*fixture.hierarchy, fixture.array, {6, 4});
    // The chunk of rows 4 to 7 stays, without the elements beyond the end.
    EXPECT_TRUE(fixture.Has(0));
    for (const std::uint64_t row : {std::uint64_t{4}, kHuge, 4 * kHuge - 1}) EXPECT_FALSE(fixture.Has(row)) << row;
    fixture.array = ResizeArray(*fixture.hierarchy, fixture.array, {4 * kHuge, 4});
    const std::vector<std::int32_t> fill(4, -1);
    EXPECT_EQ(fixture.Row(0), (std::vector<std::int32_t>{1, 2, 3, 4}));
    for (const std::uint64_t row : {std::uint64_t{6}, kHuge, 4 * kHuge - 1}) EXPECT_EQ(fixture.Row(row), fill) << row;
  }
}

TEST(Resize, OfManyChunksOnlyTheStoredOnesLoseTheirTail) {
  const Deadline deadline;
  HugeArray fixture(R"("default")");
  fixture.array = ResizeArray(*fixture.hierarchy, fixture.array, {4 * kHuge, 2});
  fixture.array = ResizeArray(*fixture.hierarchy, fixture.array, {4 * kHuge, 4});
  const std::vector<std::int32_t> expected{1, 2, -1, -1};
  for (const std::uint64_t row : {std::uint64_t{0}, std::uint64_t{6}, kHuge, 4 * kHuge - 1}) {
    EXPECT_EQ(fixture.Row(row), expected) << row;
  }
}

TEST(Resize, WhereNothingCanBeListedAHugeArrayIsNotMadeShorter) {
  const Deadline deadline;
  const HugeArray fixture(R"("default")");
  fixture.store->DisableListing();
  const auto resize = [&] { ResizeArray(*fixture.hierarchy, fixture.array, {6, 4}); };
  EXPECT_EQ(ErrorOf(resize).kind(), ErrorKind::kLimitExceeded);
  EXPECT_TRUE(fixture.Has(kHuge));
}

TEST(Resize, OtherFilesOfTheArrayStay) {
  HugeArray fixture(R"("v2")");
  fixture.store->SetText("a/c/900/0", "x");
  fixture.store->SetText("a/x.900", "x");
  fixture.store->SetText("a/900/0", "x");
  ResizeArray(*fixture.hierarchy, fixture.array, {6, 4});
  for (const char* key : {"a/c/900/0", "a/x.900", "a/900/0"}) EXPECT_TRUE(fixture.store->Exists(key)) << key;
}

TEST(Resize, ChunksBehindALinkAreNotRemoved) {
  if (!HasLinks()) GTEST_SKIP() << "this process can make no links";
  const TemporaryFolder folder;
  const std::string root = (folder.path() / "store").string();
  const auto store = std::make_shared<FilesystemStore>(root);
  const auto hierarchy = EditableHierarchy::Create(store, ZarrFormat::kV3);
  const auto array = hierarchy->CreateArray("a", ParseArrayV3(Json(Metadata({4, 4}, "[1, 1]", kPlain))));
  for (const char* outside : {"outside/0", "outside/3"}) {
    std::filesystem::create_directories(folder.path() / "outside");
    std::ofstream(folder.path() / outside) << "mine";
  }
  store->Set("a/c/2/0", AsBytes("abcd"));
  std::filesystem::create_directory_symlink(folder.path() / "outside", root + "/a/c/3");
  const auto resize = [&] { ResizeArray(*hierarchy, array, {2, 4}); };
  ExpectError(resize, ErrorKind::kUnsupported, "", "symbolic link");
  const auto resize_with_others = [&] { return ResizeArrays(*hierarchy, {{array, {2, 4}}}, {}); };
  ExpectError(resize_with_others, ErrorKind::kUnsupported, "", "symbolic link");
  EXPECT_EQ(EditableHierarchy::Open(store)->OpenArray("a")->shape(), (Shape{4, 4}));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "outside/0"));
  EXPECT_TRUE(store->Exists("a/c/2/0"));
  std::filesystem::remove(root + "/a/c/3");
  ResizeArray(*hierarchy, array, {2, 4});
  EXPECT_FALSE(store->Exists("a/c/2/0"));
}

TEST(Resize, ALinkAboveTheArrayOrTheStoreIsNoObstacle) {
  if (!HasLinks()) GTEST_SKIP() << "this process can make no links";
  const TemporaryFolder folder;
  const auto path = [&](const char* name) { return (folder.path() / name).string(); };
  EditableHierarchy::Create(std::make_shared<FilesystemStore>(path("other")), ZarrFormat::kV3)
      ->CreateArray("a", ParseArrayV3(Json(Metadata({4, 4}, "[1, 1]", kPlain))));
  EditableHierarchy::Create(std::make_shared<FilesystemStore>(path("real")), ZarrFormat::kV3);
  std::filesystem::create_directory_symlink(path("real"), path("store"));
  std::filesystem::create_directory_symlink(path("other"), path("real/g"));
  const auto store = std::make_shared<FilesystemStore>(path("store"));
  store->Set("g/a/c/3/0", AsBytes("abcd"));
  const auto hierarchy = EditableHierarchy::Open(store);
  ResizeArray(*hierarchy, hierarchy->OpenArray("g/a"), {2, 4});
  EXPECT_FALSE(store->Exists("g/a/c/3/0"));
}

}  // namespace
}  // namespace zarr
