// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/failing_allocations.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "zarrlib/store/filesystem_store.h"

namespace zarr {
namespace {

using namespace test;

#ifdef _WIN32
constexpr int kAllocationsOfAFile = 4;  // two of them for its name in UTF-16
#else
constexpr int kAllocationsOfAFile = 2;
#endif

/// Reads once before, so that what is made once for all reads has been made.
std::size_t CountAllocationsOfRead(const Array& array) {
  ReadOptions options;
  options.threads = 1;
  std::vector<std::int32_t> values(CountOf(WholeOf(array)));
  const Destination destination{reinterpret_cast<std::byte*>(values.data()),
                                GetContiguousStrides(array.shape(), sizeof(std::int32_t)), nullptr};
  const auto read = [&] { array.Read(WholeOf(array), destination, options); };
  read();
  return CountAllocations(read);
}

TEST(ReadCosts, AChunkInAFileTakesFewAllocations) {
  const TemporaryFolder folder;
  const CacheLimit no_cache(0);
  for (const std::string_view codecs : {kPlain, kCompressed}) {
    const auto store = std::make_shared<FilesystemStore>(folder.path().string());
    const auto array = MakeArray(store, Metadata({40, 100}, "[2, 2]", codecs));
    Write(store.get(), *array);
    EXPECT_LE(CountAllocationsOfRead(*array), 1000 * kAllocationsOfAFile + 300) << codecs;
  }
}

}  // namespace
}  // namespace zarr
