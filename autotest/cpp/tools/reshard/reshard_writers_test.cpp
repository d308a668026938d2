// SPDX-License-Identifier: MIT
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "autotest/cpp/support/edit_test_util.h"
#include "autotest/cpp/support/open_files.h"
#include "autotest/cpp/support/processes/child_process.h"
#include "autotest/cpp/support/watched_store.h"
#include "autotest/cpp/support/zarrkit_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/hierarchy/resize.h"

/// Others change an array while `reshard` rewrites it.
namespace zarr::tools {
namespace {

namespace fs = std::filesystem;
using test::WatchedStore;

constexpr std::uint64_t kElements = 24;

std::shared_ptr<EditableHierarchy> OpenIn(const std::string& folder) {
  return EditableHierarchy::Open(std::make_shared<FilesystemStore>(folder));
}

std::vector<std::int16_t> NewNumbers() {
  std::vector<std::int16_t> values = test::FolderTest::Numbers(kElements);
  for (std::int16_t& value : values) value = static_cast<std::int16_t>(value + 1000);
  return values;
}

void WriteNewNumbers(ArrayWriter* writer) {
  const std::vector<std::int16_t> values = NewNumbers();
  const Shape shape{6, 4};
  WriteOptions options;
  options.threads = 1;
  writer->Write(Selection::FromBox({{0, 0}, shape}),
                {reinterpret_cast<const std::byte*>(values.data()), GetContiguousStrides(shape, 2), nullptr}, options);
  writer->Flush(options);
}

/// Writes to the whole array of a folder when it is let go, and opens it before or after that.
const test::ChildTask kWriteNewNumbers("write new numbers", [](const test::ChildTask::Arguments& arguments) {
  const auto open = [&] { return ArrayWriter::Make(OpenIn(arguments.at(0))->OpenArray("a")); };
  const auto early = arguments.at(1).empty() ? nullptr : open();
  test::ChildProcess::TellReady();
  test::ChildProcess::AwaitStart();
  try {
    WriteNewNumbers((early ? early : open()).get());
  } catch (const Error&) {
    std::_Exit(1);  // expected at times, so nothing is said of it
  }
});

/// Lets a process go. It ends soon, unless it has to wait for the process that goes on now.
void StartAndAwait(test::ChildProcess* process) {
  process->Start();
  for (int i = 0; i < 50 && !process->HasEnded(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(4));
}

class ReshardWriters : public test::FolderTest {
 protected:
  ReshardWriters() {
    Set(".zgroup", R"({"zarr_format": 2})");
    MakeArray("a", {6, 4}, {2, 4});
  }
  void TearDown() override { fs::remove_all(folder_ + "-kept"); }
  std::shared_ptr<EditableHierarchy> Open() const { return OpenIn(folder_); }
  std::string Chunks() const { return ToString(Open()->OpenArray("a")->metadata().chunk_grid.max_chunk_shape()); }

  /// Reshards, and calls `meanwhile` before the n-th change. Returns whether it was called.
  bool Rewrite(int number, bool exchanges, const std::function<void()>& meanwhile) const {
    std::atomic<int> left = number;
    const auto store = std::make_shared<WatchedStore>(folder_, exchanges, [&] {
      if (left-- == 0) meanwhile();
    });
    ReshardOptions options;
    options.path = "a";
    options.chunks = {3, 2};
    std::ostringstream out;
    Progress progress(out, 0);
    ReshardArray(store, options, out, &progress);
    return left < 0;
  }
};

/// Whenever they come: what they were told to be stored is there, and what they were not is not.
TEST_F(ReshardWriters, LoseNothingThatIsStored) {
  const bool frees_names = test::FreesNamesOfOpenFiles();  // otherwise, what the writer has open stays for now
  fs::copy(folder_, folder_ + "-kept", fs::copy_options::recursive);
  for (const bool exchanges : {true, false}) {
    for (const bool opens_before : {true, false}) {
      int stored = 0;
      bool called = true;
      for (int number = 0; called; ++number) {
        SCOPED_TRACE(testing::Message() << "change " << number << (exchanges ? ", exchanged" : ", renamed")
                                        << (opens_before ? ", opened before" : ""));
        ASSERT_LT(number, 100);
        fs::remove_all(folder_);
        fs::copy(folder_ + "-kept", folder_, fs::copy_options::recursive);
        test::ChildProcess process(kWriteNewNumbers, {folder_, opens_before ? "before" : ""});
        process.AwaitReady();
        called = Rewrite(number, exchanges, [&] { StartAndAwait(&process); });
        const bool succeeds = called && process.Succeeds();
        stored += succeeds;
        EXPECT_EQ(Chunks(), "[3,2]");
        EXPECT_EQ(Read("a"), succeeds ? NewNumbers() : Numbers(kElements));
        if (frees_names) {
          EXPECT_EQ(test::FindingsIn(folder_), "");
        }
        if (HasFailure()) return;
      }
      EXPECT_GT(stored, 3);
    }
  }
}

TEST_F(ReshardWriters, AttributesThatAreSetMeanwhileStay) {
  EXPECT_TRUE(Rewrite(3, true, [&] { test::SetAttributes(*Open(), "a", test::Json(R"({"units": "m"})")); }));
  EXPECT_EQ(Open()->OpenArray("a")->metadata().attributes.Dump(), R"({"units":"m"})");
  EXPECT_EQ(Chunks(), "[3,2]");
}

TEST_F(ReshardWriters, AnArrayThatIsAnotherOneByThenStays) {
  const auto resize = [&] {
    const auto hierarchy = Open();
    ResizeArray(*hierarchy, hierarchy->OpenArray("a"), {8, 4});
  };
  Error error = test::ErrorOf([&] { Rewrite(3, true, resize); });
  EXPECT_EQ(error.kind(), ErrorKind::kIo);
  EXPECT_EQ(error.message(),
            "the array has been changed while its chunks were copied: expected the shape [6,4], got [8,4]");
  EXPECT_EQ(Open()->OpenArray("a")->shape(), (Shape{8, 4}));
  EXPECT_EQ(Chunks(), "[2,4]");
  EXPECT_EQ(test::FindingsIn(folder_), "");
  EXPECT_FALSE(Has(".zarr-tmp-reshard-a"));

  const auto replace = [&] {
    Open()->Delete("a");
    MakeArray("a", {8, 4}, {8, 1});
  };
  error = test::ErrorOf([&] { Rewrite(3, true, replace); });
  EXPECT_NE(error.message().find("expected chunks of [2,4], got [8,1]"), std::string::npos) << error.what();
  EXPECT_EQ(Read("a"), Numbers(32));
  EXPECT_EQ(test::FindingsIn(folder_), "");
}

TEST_F(ReshardWriters, AnArrayThatIsRemovedMeanwhileStaysRemoved) {
  const Error error = test::ErrorOf([&] { Rewrite(3, true, [&] { Open()->Delete("a"); }); });
  EXPECT_EQ(error.kind(), ErrorKind::kNotFound) << error.what();
  EXPECT_FALSE(Has("a"));
  EXPECT_FALSE(Has(".zarr-tmp-reshard-a"));
}

}  // namespace
}  // namespace zarr::tools
