// SPDX-License-Identifier: MIT
#include "driver/stores/vsi/vsi_store.h"

#include <cpl_string.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "autotest/cpp/support/conformance/store_conformance.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "driver/stores/listing_store.h"

namespace gdal_zarr {
namespace {

namespace fs = std::filesystem;

class MemoryFixture {
 public:
  ~MemoryFixture() { VSIRmdirRecursive(store_.name().c_str()); }
  static constexpr std::string_view kFacets = "requests";
  zarr::Store& store() { return store_; }

 private:
  VsiStore store_{"/vsimem/" + zarr::MakeUniqueName("zarr-vsi-")};
};

class LocalFixture {
 public:
  ~LocalFixture() { fs::remove_all(store_.name()); }
  static constexpr std::string_view kFacets = "requests";
  zarr::Store& store() { return store_; }

 private:
  VsiStore store_{(fs::temp_directory_path() / zarr::MakeUniqueName("zarr-vsi-")).string()};
};

class PresenceFixture {
 public:
  static constexpr std::string_view kFacets = "requests";
  zarr::Store& store() { return store_; }

 private:
  MemoryFixture memory_;
  ListingStore store_{std::shared_ptr<zarr::Store>(std::shared_ptr<void>(), &memory_.store())};
};

}  // namespace
}  // namespace gdal_zarr

namespace zarr {
INSTANTIATE_TYPED_TEST_SUITE_P(VsiMemory, StoreConformance, gdal_zarr::MemoryFixture);
#ifdef _WIN32
TEST(StoreConformance, VsiLocal) {
  GTEST_SKIP() << "GDAL replaces no file on Windows; the driver does not read or write local files through it";
}
#else
INSTANTIATE_TYPED_TEST_SUITE_P(VsiLocal, StoreConformance, gdal_zarr::LocalFixture);
#endif
INSTANTIATE_TYPED_TEST_SUITE_P(Presence, StoreConformance, gdal_zarr::PresenceFixture);
}  // namespace zarr

namespace gdal_zarr {
namespace {

TEST(VsiStore, ReplacesByRenaming) {
  MemoryFixture fixture;
  zarr::Store& store = fixture.store();
  EXPECT_TRUE(store.info().writes);
  store.Set("a/b", zarr::AsBytes("old"));
  // An open file keeps its content.
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
  VsiStore store("/vsizip//vsimem/" + zarr::MakeUniqueName("zarr-vsi-") + ".zip");
  EXPECT_FALSE(store.info().writes);
  zarr::ExpectError(zarr::ErrorKind::kReadOnly, [&] { store.Set("zarr.json", zarr::AsBytes("{}")); });
  zarr::ExpectError(zarr::ErrorKind::kReadOnly, [&] { store.Erase("zarr.json"); });
}

TEST(VsiStore, WhereGdalCannotWriteIsReadOnly) {
  VsiStore store("/vsicurl/http://localhost:1/a.zarr");
  EXPECT_FALSE(store.info().writes);
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

TEST(VsiStore, IsOneStoreHoweverItIsSpelled) {
  EXPECT_EQ(VsiStore("/vsimem//a\\b/").identity(), VsiStore("/vsimem/a/b").identity());
  EXPECT_NE(VsiStore("/vsimem/a/b").identity(), VsiStore("/vsimem/a/c").identity());
  const std::string folder = fs::canonical(fs::temp_directory_path()).string();
  EXPECT_EQ(VsiStore(folder + "/./x/../y").identity(), VsiStore(folder + "/y").identity());
}

TEST(VsiStore, IsAnotherOneWithOtherSettings) {
  const auto identity_with = [](const char* name, const char* value, const std::string& path = "/vsis3/bucket/a") {
    const CPLConfigOptionSetter setter(name, value, false);
    return VsiStore(path).identity();
  };
  const std::string plain = VsiStore("/vsis3/bucket/a").identity();
  for (const char* name :
       {"AWS_S3_ENDPOINT", "AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE",
        "AWS_SESSION_TOKEN", "AWS_NO_SIGN_REQUEST", "AWS_VIRTUAL_HOSTING", "AWS_HTTPS", "AWS_REQUEST_PAYER",
        "GS_ACCESS_KEY_ID", "AZURE_STORAGE_ACCOUNT", "OSS_ENDPOINT", "SWIFT_KEY", "GDAL_HTTP_HEADERS",
        "GDAL_HTTP_USERPWD", "GDAL_HTTP_COOKIE", "GDAL_HTTP_PROXY"}) {
    const std::string one = identity_with(name, "secret1");
    EXPECT_NE(one, plain) << name;
    EXPECT_NE(one, identity_with(name, "secret2")) << name;
    EXPECT_EQ(one, identity_with(name, "secret1")) << name;
    EXPECT_EQ(one.find("secret"), one.npos) << name;
    EXPECT_EQ(identity_with(name, "secret1", "/vsimem/a"), VsiStore("/vsimem/a").identity()) << name;
  }
  EXPECT_EQ(identity_with("GDAL_HTTP_TIMEOUT", "3"), plain);
  VSISetPathSpecificOption("/vsis3/bucket", "AWS_REGION", "x");
  EXPECT_NE(VsiStore("/vsis3/bucket/a").identity(), plain);
  EXPECT_NE(VsiStore("/vsizip//vsis3/bucket/a.zip").identity(), VsiStore("/vsizip//vsis3/bucke/a.zip").identity());
  VSISetPathSpecificOption("/vsis3/bucket", "AWS_REGION", nullptr);
  EXPECT_NE(VsiStore("/vsicurl/http://h/a?x").identity(), VsiStore("/vsicurl/http://h/a?y").identity());
}

TEST(VsiStore, KnowsWhenItsSettingsHoldNoMore) {
  const VsiStore store("/vsis3/bucket/a");
  const std::string identity = store.identity();
  EXPECT_TRUE(zarr::KeepsIdentity(store));
  {
    const CPLConfigOptionSetter setter("AWS_S3_ENDPOINT", "elsewhere", false);
    EXPECT_FALSE(zarr::KeepsIdentity(store));
    EXPECT_EQ(store.identity(), identity);
  }
  EXPECT_TRUE(zarr::KeepsIdentity(store));
}

/// A file system with one file, "/vsiracing/file", which is replaced by another one after the first read.
class RacingFile {
 public:
  RacingFile() {
    auto* const callbacks = VSIAllocFilesystemPluginCallbacksStruct();
    callbacks->pUserData = this;
    callbacks->open = [](void* self, const char*, const char*) -> void* {
      return new Handle{static_cast<RacingFile*>(self), static_cast<RacingFile*>(self)->generation_, 0};
    };
    callbacks->stat = [](void* self, const char*, VSIStatBufL* status, int) {
      *status = {};
      status->st_mode = S_IFREG;
      status->st_size = kSize;
      status->st_mtime = 1000 + static_cast<RacingFile*>(self)->generation_;
      return 0;
    };
    callbacks->tell = [](void* file) { return static_cast<Handle*>(file)->offset; };
    callbacks->seek = [](void* file, vsi_l_offset offset, int whence) {
      static_cast<Handle*>(file)->offset = whence == SEEK_END ? kSize + offset : offset;
      return 0;
    };
    callbacks->read = Read;
    callbacks->read_multi_range = [](void* file, int count, void** buffers, const vsi_l_offset* offsets,
                                     const std::size_t* sizes) {
      for (int i = 0; i < count; ++i) {
        static_cast<Handle*>(file)->offset = offsets[i];
        Read(file, buffers[i], 1, sizes[i]);
      }
      return 0;
    };
    callbacks->eof = [](void*) { return 0; };
    callbacks->close = [](void* file) {
      delete static_cast<Handle*>(file);
      return 0;
    };
    VSIInstallPluginHandler("/vsiracing/", callbacks);
    VSIFreeFilesystemPluginCallbacksStruct(callbacks);
  }
  void Reset() { generation_ = 0; }

 private:
  static constexpr vsi_l_offset kSize = 4;
  struct Handle {
    RacingFile* file;
    int generation;
    vsi_l_offset offset;
  };
  static std::size_t Read(void* file, void* buffer, std::size_t size, std::size_t count) {
    auto* const handle = static_cast<Handle*>(file);
    const std::size_t bytes = std::min<std::size_t>(size * count, kSize - handle->offset);
    std::memset(buffer, handle->generation, bytes);
    handle->offset += bytes;
    handle->file->generation_ = 1;
    return bytes / size;
  }
  int generation_ = 0;
};

TEST(VsiStore, OldBytesNeverHaveTheNewStamp) {
  static RacingFile* const file = new RacingFile;  // exists as long as the file system
  const VsiStore store("/vsiracing");
  const zarr::ByteRange range{0, 4};
  for (int getter = 0; getter < 3; ++getter) {
    file->Reset();
    zarr::Bytes value(4);
    const zarr::MutableByteSpan buffer(value);
    zarr::VersionStamp stamp, now;
    const bool found = getter == 0   ? store.Get("file", &value, &stamp, UINT64_MAX)
                       : getter == 1 ? store.GetRanges("file", {&range, 1}, {&buffer, 1}, &stamp)
                                     : store.GetSuffix("file", 4, &value, &stamp);
    ASSERT_TRUE(found);
    ASSERT_TRUE(store.GetStamp("file", &now));
    EXPECT_EQ(value[0], std::byte{0});
    EXPECT_NE(stamp, now) << "getter " << getter;
  }
}

/// A store in memory that claims to be on a network.
class RemoteStore final : public zarr::Store {
 public:
  explicit RemoteStore(zarr::Store& store) : Store(store.name()), store_(store) {}
  zarr::StoreInfo info() const override {
    zarr::StoreInfo info = store_.info();
    info.concurrency = 8;
    return info;
  }
  bool Read(const zarr::ReadRequest& request) const override { return store_.Read(request); }
  std::optional<zarr::Listing> List(std::string_view prefix, const zarr::ListOptions& options) const override {
    if (!options.below) return store_.List(prefix, options);
    if (!keys_below_) return std::nullopt;
    prefixes_ += std::string(prefix) + " ";
    return zarr::Listing{*keys_below_, {}};
  }
  bool Write(std::string_view key, zarr::ByteSpan value, zarr::WriteIf condition) override {
    return store_.Write(key, value, condition);
  }
  void EraseAll(std::span<const std::string> keys) override { store_.EraseAll(keys); }

  /// Makes it an object store, which lists these keys below each prefix.
  void TellKeysBelow(std::vector<std::string> keys) { keys_below_ = std::move(keys); }
  /// The prefixes below which all keys were listed.
  const std::string& prefixes() const { return prefixes_; }

 private:
  zarr::Store& store_;
  std::optional<std::vector<std::string>> keys_below_;
  mutable std::string prefixes_;
};

TEST(ListingStore, ListsTheKeysOfAnArrayOnce) {
  MemoryFixture fixture;
  const auto remote = std::make_shared<RemoteStore>(fixture.store());
  remote->TellKeysBelow({"1/2"});
  fixture.store().Set("a/c/1/2", zarr::AsBytes("chunk"));
  ListingStore store(remote);
  std::vector<std::thread> threads;
  for (int row = 0; row < 8; ++row) {
    threads.emplace_back([&, row] {
      for (int column = 0; column < 8; ++column) {
        const bool is_there = store.Exists("a/c/" + std::to_string(row) + "/" + std::to_string(column));
        EXPECT_EQ(is_there, row == 1 && column == 2);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(remote->prefixes(), "a/c/ ");
  store.Set("a/c/5/5", zarr::AsBytes("chunk"));
  EXPECT_TRUE(store.Exists("a/c/5/5"));
}

TEST(ListingStore, FindsThePrefixOfAnArrayInAKey) {
  const std::pair<const char*, const char*> kPrefixes[] = {{"a/0.0", "a/"},          {"a/0/0", "a/"},   {"c/0/0", "c/"},
                                                           {"2020/3/0.0", "2020/"},  {"0/0/0/0", "0/"}, {"0.0", ""},
                                                           {"g/a/c/0/0/0", "g/a/c/"}};
  for (const auto& [key, prefix] : kPrefixes) {
    MemoryFixture fixture;
    const auto remote = std::make_shared<RemoteStore>(fixture.store());
    remote->TellKeysBelow({});
    EXPECT_FALSE(ListingStore(remote).Exists(key));
    EXPECT_EQ(remote->prefixes(), std::string(prefix) + " ") << key;
  }
}

TEST(ListingStore, ListsAFolderForWhatIsNoChunk) {
  MemoryFixture fixture;
  const auto remote = std::make_shared<RemoteStore>(fixture.store());
  remote->TellKeysBelow({});
  fixture.store().Set("a/notes.txt", zarr::AsBytes("text"));
  const ListingStore store(remote);
  EXPECT_TRUE(store.Exists("a/notes.txt"));
  EXPECT_FALSE(store.Exists("a/other.txt"));
  EXPECT_EQ(remote->prefixes(), "");
}

TEST(ListingStore, WhoChangesAPartAsksTheStoreItself) {
  MemoryFixture fixture;
  fixture.store().Set("a/0", zarr::AsBytes("chunk"));
  const ListingStore store(std::make_shared<RemoteStore>(fixture.store()));
  zarr::VersionStamp stamp;
  EXPECT_TRUE(store.GetStamp("a/0", &stamp));
  EXPECT_FALSE(store.GetStamp("a/1", &stamp));
  fixture.store().Set("a/1", zarr::AsBytes("later"));
  EXPECT_EQ(store.GetText("a/1"), std::nullopt);
  EXPECT_EQ(store.GetText("a/1", UINT64_MAX, zarr::Freshness::kNow), "later");
}

TEST(ListingStore, AsksWhereAskingCostsNothing) {
  PresenceFixture fixture;
  EXPECT_FALSE(fixture.store().Exists("a/0"));
  fixture.store().Set("a/0", zarr::AsBytes("chunk"));
  EXPECT_EQ(fixture.store().GetText("a/0"), "chunk");
}

TEST(ListingStore, SeesWhatIsSetThroughIt) {
  PresenceFixture fixture;
  zarr::Store& store = fixture.store();
  EXPECT_FALSE(store.Exists("a/0"));
  store.Set("a/0", zarr::AsBytes("chunk"));
  EXPECT_EQ(store.GetText("a/0"), "chunk");
}

}  // namespace
}  // namespace gdal_zarr
