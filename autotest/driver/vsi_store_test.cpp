#include "driver/vsi_store.h"

#include <cpl_string.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <string>

#include "autotest/cpp/store/store_conformance.h"
#include "driver/presence_store.h"

namespace gdal_zarr {
namespace {

namespace fs = std::filesystem;

std::string UniqueName() {
  static std::atomic<int> count{0};
  return "zarr-vsi-" + std::to_string(::getpid()) + "-" + std::to_string(count++);
}

class MemoryFixture {
 public:
  ~MemoryFixture() { VSIRmdirRecursive(store_.name().c_str()); }
  zarr::Store& store() { return store_; }

 private:
  VsiStore store_{"/vsimem/" + UniqueName()};
};

class LocalFixture {
 public:
  ~LocalFixture() { fs::remove_all(store_.name()); }
  zarr::Store& store() { return store_; }

 private:
  VsiStore store_{(fs::temp_directory_path() / UniqueName()).string()};
};

class PresenceFixture {
 public:
  zarr::Store& store() { return store_; }

 private:
  MemoryFixture memory_;
  PresenceStore store_{std::shared_ptr<zarr::Store>(std::shared_ptr<void>(), &memory_.store())};
};

}  // namespace
}  // namespace gdal_zarr

namespace zarr {
INSTANTIATE_TYPED_TEST_SUITE_P(VsiMemory, StoreConformance, gdal_zarr::MemoryFixture);
INSTANTIATE_TYPED_TEST_SUITE_P(VsiLocal, StoreConformance, gdal_zarr::LocalFixture);
}  // namespace zarr

namespace gdal_zarr {
namespace {

TEST(VsiStore, ReplacesByRenaming) {
  MemoryFixture fixture;
  zarr::Store& store = fixture.store();
  EXPECT_TRUE(store.capabilities().write && store.capabilities().replace_atomic);
  store.Set("a/b", zarr::AsBytes("old"));
  // A file that is open keeps what it had.
  VSILFILE* file = VSIFOpenL((store.name() + "/a/b").c_str(), "rb");
  store.Set("a/b", zarr::AsBytes("new"));
  char text[4] = {};
  EXPECT_EQ(VSIFReadL(text, 1, 3, file), 3u);
  VSIFCloseL(file);
  EXPECT_STREQ(text, "old");
  EXPECT_EQ(store.GetText("a/b"), "new");
  EXPECT_EQ(store.List("a/")->keys, std::vector<std::string>{"b"});
}

TEST(VsiStore, AnArchiveTakesNoWrites) {
  VsiStore store("/vsizip//vsimem/" + UniqueName() + ".zip");
  EXPECT_FALSE(store.capabilities().write);
  zarr::ExpectError(zarr::ErrorKind::kReadOnly, [&] { store.Set("zarr.json", zarr::AsBytes("{}")); });
  zarr::ExpectError(zarr::ErrorKind::kReadOnly, [&] { store.Erase("zarr.json"); });
}

TEST(VsiStore, WhereGdalCannotWriteIsReadOnly) {
  VsiStore store("/vsicurl/http://localhost:1/a.zarr");
  EXPECT_FALSE(store.capabilities().write);
  zarr::ExpectError(zarr::ErrorKind::kReadOnly, [&] { store.Set("a", zarr::AsBytes("x")); });
  zarr::ExpectError(zarr::ErrorKind::kReadOnly, [&] { store.Erase("a"); });
}

TEST(VsiStore, WhatCannotBeWrittenIsAnErrorAndTheOldValueStays) {
  LocalFixture fixture;
  zarr::Store& store = fixture.store();
  store.Set("a", zarr::AsBytes("old"));
  fs::create_directories(fs::path(store.name()) / "b");
  zarr::ExpectError(zarr::ErrorKind::kIo, [&] { store.Set("a/b", zarr::AsBytes("below a file")); });
  zarr::ExpectError(zarr::ErrorKind::kIo, [&] { store.Set("b", zarr::AsBytes("a folder")); });
  EXPECT_EQ(store.GetText("a"), "old");
  EXPECT_EQ(store.List("")->keys, std::vector<std::string>{"a"});
}

TEST(PresenceStore, SeesWhatIsSetThroughIt) {
  PresenceFixture fixture;
  zarr::Store& store = fixture.store();
  EXPECT_FALSE(store.Exists("a/0"));
  store.Set("a/0", zarr::AsBytes("chunk"));
  EXPECT_EQ(store.GetText("a/0"), "chunk");
}

}  // namespace
}  // namespace gdal_zarr
