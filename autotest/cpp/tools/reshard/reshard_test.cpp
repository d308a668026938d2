// SPDX-License-Identifier: MIT
#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <set>
#include <stdexcept>
#include <thread>

#include "autotest/cpp/support/exchange.h"
#include "autotest/cpp/support/links.h"
#include "autotest/cpp/support/processes/child_process.h"
#include "autotest/cpp/support/watched_store.h"
#include "autotest/cpp/support/zarrkit_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/tools/interrupt.h"
#include "zarrlib/tools/reshard/lossy_codecs.h"

namespace zarr::tools {
namespace {

namespace fs = std::filesystem;
using test::Result;
using test::WatchedStore;
using test::Zarrkit;

constexpr std::string_view kGroup = R"({"zarr_format": 2})";

/// Reshards a folder's g/a, and waits to be killed before the n-th change. At the end, there is nothing to wait for.
const test::ChildTask kReshard("reshard, but for some changes", [](const test::ChildTask::Arguments& arguments) {
  std::atomic<int> left = std::stoi(arguments.at(1));  // chunks are written by several threads
  const auto wait = [&left] {
    if (left-- > 0) return;
    test::ChildProcess::TellReady();
    test::ChildProcess::AwaitStart();
  };
  const auto store = std::make_shared<WatchedStore>(arguments.at(0), !arguments.at(2).empty(), wait);
  ReshardOptions options;
  options.path = "g/a";
  options.chunks = {3, 2};
  std::ostringstream out;
  Progress progress(out, 0);
  if (ReshardArray(store, options, out, &progress) != kSuccess) throw std::runtime_error(out.str());
});

class Reshard : public test::FolderTest {
 protected:
  Reshard() {
    Set(".zgroup", kGroup);
    Set("g/.zgroup", kGroup);
    MakeArray("g/a", {6, 4}, {2, 4});
    MakeArray("b", {3}, {1});
  }

  Result Run(const std::vector<std::string>& options, const std::string& array = "/g/a") const {
    std::vector<std::string> arguments = {"reshard", folder_, "--array", array};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return Zarrkit(arguments);
  }
  std::string Chunks() const {
    HierarchyOptions options;
    options.use_consolidated = false;
    const auto hierarchy = EditableHierarchy::Open(std::make_shared<FilesystemStore>(folder_), options);
    return ToString(hierarchy->OpenArray("g/a")->metadata().chunk_grid.max_chunk_shape());
  }
  void ToV3() const { ASSERT_EQ(Zarrkit({"migrate", folder_, "--to", "v3", "--delete-old"}).code, kSuccess); }
  /// Waits until no chunk is young: young ones are copied once more, which moves the changes after that.
  void WaitUntilSettled() const {
    const FilesystemStore store(folder_);
    for (const char* const key : {"g/a/0.0", "g/a/1.0", "g/a/2.0"}) {
      VersionStamp stamp;
      while (store.GetStamp(key, &stamp) && !stamp.settled) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  /// Reshards in a process that is killed before its n-th change. Returns whether it was killed.
  bool Killed(int number, bool exchanges) const {
    test::ChildProcess child(kReshard, {folder_, std::to_string(number), exchanges ? "exchanges" : ""});
    const bool waits = child.AwaitReady();
    EXPECT_TRUE(waits ? child.Kill() : child.Succeeds());
    return waits;
  }
};

TEST_F(Reshard, MigratedStoresAreRefusedUntilOneFormatIsLeft) {
  Consolidate();
  ASSERT_EQ(Zarrkit({"migrate", folder_, "--to", "v3"}).code, kSuccess);
  const Result result = Run({"--chunks", "3,4"});
  EXPECT_EQ(result.code, kFailure);
  EXPECT_NE(result.err.find("--to v3 --delete-old"), std::string::npos) << result.err;
  EXPECT_EQ(Chunks(), "[2,4]");
  EXPECT_EQ(Zarrkit({"check", folder_}).out, "2 groups, 2 arrays, 6 chunks, 0 errors\n");
  ASSERT_EQ(Zarrkit({"migrate", folder_, "--to", "v3", "--delete-old"}).code, kSuccess);
  EXPECT_EQ(Run({"--chunks", "3,4"}).code, kSuccess);
  EXPECT_EQ(Read("g/a"), Numbers(24));
  EXPECT_EQ(Read("g/a", true), Numbers(24));
  EXPECT_EQ(Zarrkit({"check", folder_}).out, "2 groups, 2 arrays, 5 chunks, 0 errors\n");
}

TEST_F(Reshard, ConsolidatedMetadataFollow) {
  Consolidate();
  EXPECT_EQ(Run({"--chunks", "3,4"}).code, kSuccess);
  EXPECT_EQ(Read("g/a", true), Numbers(24));
  EXPECT_NE(Get(".zmetadata").find("g/a/.zarray"), std::string::npos);
  ToV3();
  EXPECT_EQ(Run({"--chunks", "1,2", "--shards", "6,4"}).code, kSuccess);
  EXPECT_EQ(Read("g/a", true), Numbers(24));
  EXPECT_EQ(test::FindingsIn(folder_), "");
}

TEST_F(Reshard, ConsolidatedMetadataOfInnerGroupsFollow) {
  Consolidate({"g"});
  EXPECT_EQ(Run({"--chunks", "3,4"}).code, kSuccess);
  EXPECT_FALSE(Has(".zmetadata"));
  const JsonNode documents = test::Json(Get("g/.zmetadata")).At("metadata");
  EXPECT_EQ(documents.At("a/.zarray").At("chunks").Dump(), "[3,4]");
  EXPECT_TRUE(documents.Has(".zgroup"));
  ToV3();
  Consolidate({"", "g"});
  EXPECT_EQ(Run({"--chunks", "1,2", "--shards", "6,4"}).code, kSuccess);
  for (const char* group : {"", "g/"}) {
    EXPECT_NE(Get(std::string(group) + "zarr.json").find("sharding_indexed"), std::string::npos) << group;
  }
  EXPECT_EQ(test::FindingsIn(folder_), "");
}

TEST_F(Reshard, ConsolidatedMetadataOfTheStoreAboveFollow) {
  Consolidate();
  Result result = Zarrkit({"reshard", folder_ + "/g", "--array", "a", "--chunks", "3,4"});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_EQ(test::Json(Get(".zmetadata")).At("metadata").At("g/a/.zarray").At("chunks").Dump(), "[3,4]");
  result = Zarrkit({"reshard", folder_ + "/g/a/", "--array", "/", "--chunks", "6,4"});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_EQ(Read("g/a", true), Numbers(24));
  EXPECT_EQ(test::FindingsIn(folder_), "");
}

TEST_F(Reshard, TheArrayIsWholeWhereverItIsKilled) {
  if (!test::CanExchangeFolders(folder_)) GTEST_SKIP() << "this system does not exchange folders in one step";
  for (const bool v3 : {false, true}) {
    Consolidate();
    if (v3) ToV3();
    fs::remove_all(folder_ + "-kept");
    fs::copy(folder_, folder_ + "-kept", fs::copy_options::recursive);
    const std::string before = Chunks();
    std::set<std::string> seen;
    for (int number = 0;; ++number) {
      SCOPED_TRACE("v" + std::string(v3 ? "3" : "2") + ", change " + std::to_string(number));
      fs::remove_all(folder_);
      fs::copy(folder_ + "-kept", folder_, fs::copy_options::recursive);
      const bool killed = Killed(number, true);
      EXPECT_EQ(Read("g/a"), Numbers(24));
      EXPECT_EQ(Read("g/a", true), Numbers(24));  // consolidated metadata are right or absent
      seen.insert(Chunks());
      Result check = Zarrkit({"check", folder_});
      EXPECT_EQ(check.code, kSuccess) << check.out;
      const Result again = Run({"--chunks", "6,4"});
      EXPECT_EQ(again.code, kSuccess) << again.err;
      EXPECT_EQ(Chunks(), "[6,4]");
      EXPECT_EQ(Read("g/a", true), Numbers(24));
      check = Zarrkit({"check", folder_});
      EXPECT_EQ(check.out, "2 groups, 2 arrays, 4 chunks, 0 errors\n");
      const auto hierarchy = EditableHierarchy::Open(std::make_shared<FilesystemStore>(folder_));
      EXPECT_TRUE(hierarchy->consolidated());
      if (!killed) break;
      ASSERT_LT(number, 100);
    }
    EXPECT_EQ(seen, (std::set<std::string>{before, "[3,2]"}));
    fs::remove_all(folder_ + "-kept");
  }
}

TEST_F(Reshard, IsCompletedUnderAnotherNameOfTheArray) {
  if (!test::CanExchangeFolders(folder_)) GTEST_SKIP() << "this system does not exchange folders in one step";
  Consolidate({"", "g"});
  fs::remove_all(folder_ + "-kept");
  fs::copy(folder_, folder_ + "-kept", fs::copy_options::recursive);
  bool killed = true;
  for (int number = 0; killed; ++number) {
    SCOPED_TRACE(number);
    fs::remove_all(folder_);
    fs::copy(folder_ + "-kept", folder_, fs::copy_options::recursive);
    killed = Killed(number, true);
    const Result repair = Zarrkit({"check", folder_ + "/g", "--repair"});
    EXPECT_EQ(repair.code, kSuccess) << repair.out;
    EXPECT_EQ(Read("g/a", true), Numbers(24));
    EXPECT_TRUE(Has(".zmetadata"));
    EXPECT_TRUE(Has("g/.zmetadata"));
    // A killed process may leave its temporary file, which another one keeps while it is new.
    const std::string found = test::FindingsIn(folder_);
    EXPECT_TRUE(found.empty() || found.find("[temporary-file]") == found.size() - 17) << found;
    ASSERT_LT(number, 100);
  }
  fs::remove_all(folder_ + "-kept");
}

TEST_F(Reshard, RemovesTheTemporaryFilesOfAKilledRun) {
  std::ofstream(folder_ + "/.zarr-tmp-0123456789abcdef") << "half";
  EXPECT_EQ(Run({"--chunks", "6,4"}).code, kSuccess);
  EXPECT_FALSE(Has(".zarr-tmp-0123456789abcdef"));
}

TEST_F(Reshard, WithoutExchangesTheNextRunCompletesIt) {
  fs::copy(folder_, folder_ + "-kept", fs::copy_options::recursive);
  int missing = 0;
  for (int number = 0;; ++number) {
    SCOPED_TRACE(number);
    fs::remove_all(folder_);
    fs::copy(folder_ + "-kept", folder_, fs::copy_options::recursive);
    WaitUntilSettled();
    const bool killed = Killed(number, false);
    if (!Has("g/a/.zarray")) {
      ++missing;
      const Result check = Zarrkit({"check", folder_});
      EXPECT_EQ(check.code, kFailure);
      EXPECT_NE(check.out.find("puts it in its place"), std::string::npos) << check.out;
    } else {
      EXPECT_EQ(Read("g/a"), Numbers(24));
    }
    const Result again = Run({"--chunks", "6,4"});
    EXPECT_EQ(again.code, kSuccess) << again.err;
    EXPECT_EQ(Read("g/a"), Numbers(24));
    EXPECT_EQ(test::FindingsIn(folder_), "");
    if (!killed) break;
    ASSERT_LT(number, 100);
  }
  EXPECT_EQ(missing, 1);
  fs::remove_all(folder_ + "-kept");
}

TEST_F(Reshard, ASignalLeavesTheArrayAsItWas) {
  for (const int signal : {SIGINT, SIGTERM}) {
    // A shell that starts programs in the background lets them ignore SIGINT, and zarrkit keeps to that.
    const auto before = std::signal(signal, SIG_DFL);
    std::atomic<int> left = 3;
    const auto store = std::make_shared<WatchedStore>(folder_, true, [&] {
      if (left-- == 0) ::raise(signal);
    });
    ReshardOptions options;
    options.path = "g/a";
    options.chunks = {1, 1};
    std::ostringstream out;
    Progress progress(out, 0);
    int got = 0;
    try {
      ReshardArray(store, options, out, &progress);
    } catch (const Interrupted& interrupted) {
      got = interrupted.signal;
    }
    std::signal(signal, before);
    EXPECT_EQ(got, signal);
    EXPECT_EQ(Chunks(), "[2,4]");
    EXPECT_EQ(test::FindingsIn(folder_), "");
    EXPECT_FALSE(Has("g/.zarr-tmp-reshard-a"));
  }
}

TEST_F(Reshard, WhatZarrkitHasNotMadeIsLeft) {
  Set("g/.zarr-tmp-reshard-a/mine.txt", "mine");
  const Result result = Run({"--chunks", "3,4"});
  EXPECT_EQ(result.code, kFailure);
  EXPECT_NE(result.err.find("g/.zarr-tmp-reshard-a: "), std::string::npos) << result.err;
  EXPECT_EQ(Get("g/.zarr-tmp-reshard-a/mine.txt"), "mine");
  EXPECT_EQ(Chunks(), "[2,4]");
}

TEST_F(Reshard, FilesInTheArraysFolderStay) {
  if (!test::HasLinks()) GTEST_SKIP() << "this process can make no links";
  Set("g/a/.aux.xml", "<PAMDataset/>");
  Set("g/a/notes/readme.txt", "mine");
  fs::create_symlink("../../elsewhere", folder_ + "/g/a/link");
  EXPECT_EQ(Run({"--chunks", "3,4"}).code, kSuccess);
  EXPECT_EQ(Get("g/a/.aux.xml"), "<PAMDataset/>");
  EXPECT_EQ(Get("g/a/notes/readme.txt"), "mine");
  EXPECT_EQ(fs::read_symlink(folder_ + "/g/a/link"), "../../elsewhere");
  EXPECT_EQ(Read("g/a"), Numbers(24));
}

TEST_F(Reshard, ChunksOutsideOfTheGridDoNotComeToLife) {
  Set("g/a/3.0", std::string(16, 'x'));
  EXPECT_EQ(Run({"--chunks", "1,4"}).code, kSuccess);
  EXPECT_EQ(Read("g/a"), Numbers(24));
  EXPECT_EQ(test::FindingsIn(folder_), "");
}

TEST_F(Reshard, OtherNodesAndLinkedFoldersAreRefused) {
  if (!test::HasLinks()) GTEST_SKIP() << "this process can make no links";
  Set("g/a/inside/.zgroup", kGroup);
  EXPECT_NE(Run({"--chunks", "3,4"}).err.find("g/a/inside/.zgroup: "), std::string::npos);
  fs::remove_all(folder_ + "/g/a/inside");
  fs::create_directories(folder_ + "-outside");
  fs::create_directory_symlink(folder_ + "-outside", folder_ + "/g/a/inside");
  EXPECT_NE(Run({"--chunks", "3,4"}).err.find("link"), std::string::npos);
  fs::remove(folder_ + "/g/a/inside");
  fs::rename(folder_ + "/g/a", folder_ + "-outside/a");
  fs::create_directory_symlink(folder_ + "-outside/a", folder_ + "/g/a");
  EXPECT_NE(Run({"--chunks", "3,4"}).err.find("link out of the store"), std::string::npos);
  EXPECT_EQ(Read("g/a"), Numbers(24));
  fs::remove_all(folder_ + "-outside");
}

TEST_F(Reshard, ChunksAreBounded) {
  Result result = Run({"--chunks", "100000,100000"});
  EXPECT_EQ(result.code, kUsage);
  EXPECT_NE(result.err.find("at most 1073741824 bytes (1 GiB) in each, got 20000000000"), std::string::npos)
      << result.err;
  ToV3();
  result = Run({"--chunks", "1000,1000", "--shards", "100000,100000"});
  EXPECT_EQ(result.code, kUsage);
  EXPECT_NE(result.err.find("--shards: expected at most"), std::string::npos) << result.err;
  EXPECT_EQ(Run({"--chunks", "18446744073709551615,18446744073709551615"}).code, kUsage);
  EXPECT_EQ(Chunks(), "[2,4]");
  EXPECT_EQ(Run({"--chunks", "100,100"}).code, kSuccess);
  EXPECT_EQ(Read("g/a"), Numbers(24));
}

TEST_F(Reshard, AMistakeLeavesNothing) {
  Set("g/a/1.0", "cut");
  EXPECT_EQ(Run({"--chunks", "3,4"}).code, kFailure);
  EXPECT_EQ(Run({"--chunks", "3,4"}, "g/none").code, kFailure);
  EXPECT_EQ(Run({"--chunks", "3,4"}, "none/none").code, kFailure);
  const Result wrong = Run({"--chunks", "3"});
  EXPECT_EQ(wrong.code, kUsage);
  EXPECT_NE(wrong.err.find("--chunks: expected 2 edges, one for each axis, got [3]"), std::string::npos) << wrong.err;
  EXPECT_FALSE(Has("g/.zarr-tmp-reshard-a"));
  EXPECT_FALSE(Has("g/.zarr-tmp-reshard-none"));
  EXPECT_FALSE(Has("none"));
  EXPECT_EQ(Chunks(), "[2,4]");
}

TEST_F(Reshard, CodecsThatRoundAreNotRunAgainUnasked) {
  const std::string quantize = R"("compressor": null, "filters": [{"id": "quantize", "digits": 1, "dtype": "<f4"}])";
  Set("q/.zarray", R"({"zarr_format": 2, "dtype": "<f4", "fill_value": 0.123, "order": "C", "shape": [2],
      "chunks": [1], )" +
                       quantize + "}");
  Set("q/0", std::string("\0\0\0\x3f", 4));
  Result result = Run({"--chunks", "2"}, "q");
  EXPECT_EQ(result.code, kFailure);
  EXPECT_NE(result.err.find("quantize"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("--allow-lossy"), std::string::npos) << result.err;
  EXPECT_TRUE(Has("q/0"));
  result = Run({"--chunks", "2", "--allow-lossy"}, "q");
  EXPECT_EQ(result.code, kSuccess) << result.err;
}

TEST(LossyCodecs, AreFound) {
  const auto codecs = [](const std::string& text) { return ParseCodecsV3(test::Json(text)); };
  const DataType int16 = DataType::FromV3(test::Json("\"int16\""));
  const DataType float32 = DataType::FromV3(test::Json("\"float32\""));
  const auto delta = codecs(R"([{"name": "numcodecs.delta", "configuration": {"dtype": "<i2"}}])");
  const std::string bytes = R"({"name": "bytes", "configuration": {"endian": "little"}})";
  EXPECT_EQ(FindLossyCodec(delta, int16), std::nullopt);
  EXPECT_EQ(FindLossyCodec(delta, float32), std::nullopt);
  EXPECT_EQ(FindLossyCodec(codecs(R"([{"name": "numcodecs.delta", "configuration": {"dtype": "<f4"}}])"), float32),
            "delta");
  EXPECT_EQ(FindLossyCodec(codecs(R"(["numcodecs.delta"])"), float32), "delta");
  // Numbers and null would become text.
  EXPECT_EQ(FindLossyCodec(codecs(R"(["numcodecs.json2"])"), DataType::FromV3(test::Json("\"string\""))), "json2");
  EXPECT_EQ(FindLossyCodec(codecs("[" + bytes + R"(, {"name": "zstd"}, "crc32c"])"), float32), std::nullopt);
  EXPECT_EQ(FindLossyCodec(codecs(R"([{"name": "zfp", "configuration": {"mode": "reversible"}}])"), float32),
            std::nullopt);
  EXPECT_EQ(FindLossyCodec(codecs(R"(["imagecodecs_delta", "imagecodecs_deflate"])"), float32), std::nullopt);
  for (const std::string name : {"bitround", "scale_offset", "cast_value", "imagecodecs_jpeg", "lerc", "unheard_of"}) {
    EXPECT_EQ(FindLossyCodec(codecs("[\"" + name + "\"]"), float32), name);
  }
  const std::string zfp = R"({"name": "zfp", "configuration": {"mode": "fixed_accuracy", "tolerance": 0.1}})";
  EXPECT_EQ(
      FindLossyCodec(codecs(R"([{"name": "sharding_indexed", "configuration": {"codecs": [)" + zfp + "]}}]"), float32),
      "zfp");
  EXPECT_EQ(
      FindLossyCodec(codecs(R"([{"name": "numcodecs.zfpy", "configuration": {"mode": 4, "rate": -1, "tolerance": 1,
      "precision": -1}}])"),
                     float32),
      "zfpy");
}

}  // namespace
}  // namespace zarr::tools
