// SPDX-License-Identifier: MIT
#include <set>

#include "autotest/cpp/support/exchange.h"
#include "autotest/cpp/support/fault_store.h"
#include "autotest/cpp/support/zarrkit_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/tools/interrupt.h"
#include "zarrlib/tools/reshard/reshard_folder.h"

/// Each call that a rewrite of an array makes to its store goes wrong once, in each way.
namespace zarr::tools {
namespace {

namespace fs = std::filesystem;
using test::Fault;
using test::Result;
using test::Zarrkit;

class ReshardFaults : public test::FolderTest {
 protected:
  /// A store of v3 if `v3`, else of v2, with consolidated metadata.
  void Make(bool v3) const {
    fs::remove_all(folder_);
    for (const std::string group : {"", "g/"}) Set(group + ".zgroup", R"({"zarr_format": 2})");
    MakeArray("g/a", {6, 4}, {2, 4}, R"("filters": null, "compressor": {"id": "zlib", "level": 1})");
    Consolidate();
    if (v3) {
      ASSERT_EQ(Zarrkit({"migrate", folder_, "--to", "v3", "--delete-old"}).code, kSuccess);
    }
    fs::remove_all(folder_ + "-kept");
    fs::copy(folder_, folder_ + "-kept", fs::copy_options::recursive);
  }
  void Restore() const {
    fs::remove_all(folder_);
    fs::copy(folder_ + "-kept", folder_, fs::copy_options::recursive);
  }
  std::string Chunks() const {
    return ToString(EditableHierarchy::Open(std::make_shared<FilesystemStore>(folder_))
                        ->OpenArray("g/a")
                        ->metadata()
                        .chunk_grid.max_chunk_shape());
  }
  /// Returns whether the call was made that goes wrong.
  bool Rewrite(Fault fault, int number) const {
    const auto store = std::make_shared<test::FaultStore>(std::make_shared<FilesystemStore>(folder_), fault, number);
    ReshardOptions options;
    options.path = "g/a";
    options.chunks = {3, 2};
    std::ostringstream out;
    Progress progress(out, 0);
    try {
      ReshardArray(store, options, out, &progress);
      EXPECT_EQ(Chunks(), "[3,2]");
      EXPECT_EQ(test::FindingsIn(folder_), "");
    } catch (const Error& error) {
      EXPECT_TRUE(store->happened()) << error.what();
    }
    return store->happened();
  }
  void ExpectWhole(std::string_view chunks_after) const {
    EXPECT_EQ(Read("g/a"), Numbers(24));
    EXPECT_EQ(Read("g/a", true), Numbers(24));  // consolidated metadata are right or absent
    EXPECT_TRUE(Chunks() == "[2,4]" || Chunks() == chunks_after) << Chunks();
  }
  void ExpectAgain() const {
    const Result again = Zarrkit({"reshard", folder_, "--array", "g/a", "--chunks", "6,4"});
    EXPECT_EQ(again.code, kSuccess) << again.err;
    ExpectWhole("[6,4]");
    EXPECT_EQ(Chunks(), "[6,4]");
    EXPECT_TRUE(EditableHierarchy::Open(std::make_shared<FilesystemStore>(folder_))->consolidated());
    const Result check = Zarrkit({"check", folder_});
    EXPECT_EQ(check.out, "2 groups, 1 arrays, 1 chunks, 0 errors\n");
  }
  void TearDown() override { fs::remove_all(folder_ + "-kept"); }
};

TEST_F(ReshardFaults, LeaveTheArrayWhole) {
  if (!test::CanExchangeFolders(folder_)) GTEST_SKIP() << "this system does not exchange folders in one step";
  int runs = 0;
  for (const bool v3 : {false, true}) {
    Make(v3);
    for (const Fault fault : test::kFaults) {
      bool happened = true;
      for (int number = 1; happened; number += fault == Fault::kDelays ? 10 : 1, ++runs) {
        SCOPED_TRACE((v3 ? "v3, call " : "v2, call ") + std::to_string(number) + " " + std::string(GetName(fault)));
        Restore();
        happened = Rewrite(fault, number);
        ExpectWhole("[3,2]");
        ExpectAgain();
        ASSERT_LT(number, 1000);
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(runs, 100);
  RecordProperty("runs", runs);
}

/// A signal that comes while the old array is removed, which may take long, ends the removal, and nothing else.
TEST_F(ReshardFaults, ASignalEndsTheRemoval) {
  Make(true);
  const auto store = std::make_shared<FilesystemStore>(folder_);
  const auto array = EditableHierarchy::Open(store)->OpenArray("g/a");
  {
    const InterruptWatch watch;
    ReshardFolder folder(store, "g/a");
    for (const char* chunk : {"0.0", "1.0"}) Set("g/.zarr-tmp-reshard-a/array/" + std::string(chunk), "x");
    std::raise(SIGTERM);
    EXPECT_THROW(folder.Clear(), Interrupted);
    EXPECT_TRUE(Has("g/.zarr-tmp-reshard-a/array/0.0"));
    EXPECT_TRUE(Has("g/.zarr-tmp-reshard-a/reshard.json"));
    InterruptWatch::Forget();
  }
  ExpectWhole("[2,4]");
  const Result again = Zarrkit({"reshard", folder_, "--array", "g/a", "--chunks", "3,2"});
  EXPECT_EQ(again.code, kSuccess) << again.err;
  EXPECT_TRUE(again.out.starts_with("removed the remains of an interrupted reshard of /g/a\n")) << again.out;
  EXPECT_FALSE(Has("g/.zarr-tmp-reshard-a"));
  ExpectWhole("[3,2]");
}

}  // namespace
}  // namespace zarr::tools
