// SPDX-License-Identifier: MIT
#include "zarrlib/tools/reshard/chunk_stamps.h"

#include <chrono>
#include <thread>

#include "autotest/cpp/support/zarrkit_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"

namespace zarr::tools {
namespace {

class Stamps : public test::FolderTest {
 protected:
  Stamps() {
    Set(".zgroup", R"({"zarr_format": 2})");
    MakeArray("a", {6, 4}, {2, 2});
    array_ = EditableHierarchy::Open(std::make_shared<FilesystemStore>(folder_))->OpenArray("a");
  }
  /// Waits until the clock of the file system tells a later change apart.
  static void Settle() { std::this_thread::sleep_for(std::chrono::milliseconds(60)); }

  std::shared_ptr<const Array> array_;
};

using Chunks = std::vector<std::uint64_t>;

TEST_F(Stamps, TellWhatHasChanged) {
  const std::string chunk = Get("a/0.0");
  FilesystemStore(folder_).Erase("a/1.1");
  Settle();
  const ChunkStamps before(*array_);
  EXPECT_EQ(ChunkStamps(*array_).FindChanged(before), Chunks());
  Set("a/0.1", chunk);                      // replaced
  Set("a/1.1", chunk);                      // stored
  FilesystemStore(folder_).Erase("a/2.1");  // erased
  Set("a/3.0", chunk);                      // no chunk of the array
  EXPECT_EQ(ChunkStamps(*array_).FindChanged(before), (Chunks{1, 3, 5}));
}

/// A chunk that is stored twice within a tick of the clock may have one stamp.
TEST_F(Stamps, CountYoungChunksAsChanged) {
  Settle();
  Set("a/0.1", Get("a/0.1"));
  const ChunkStamps before(*array_);
  EXPECT_EQ(ChunkStamps(*array_).FindChanged(before), Chunks{1});
}

}  // namespace
}  // namespace zarr::tools
