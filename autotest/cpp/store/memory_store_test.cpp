// SPDX-License-Identifier: MIT
#include "zarrlib/store/memory_store.h"

#include <gtest/gtest.h>

#include "autotest/cpp/support/conformance/store_conformance.h"
#include "zarrlib/store/forwarding_store.h"
#include "zarrlib/store/wanted_ranges.h"

namespace zarr {
namespace {

class MemoryStoreFixture {
 public:
  static constexpr std::string_view kFacets = "folders";
  Store& store() { return store_; }

 private:
  MemoryStore store_;
};
INSTANTIATE_TYPED_TEST_SUITE_P(Memory, StoreConformance, MemoryStoreFixture);

class ForwardingStoreFixture {
 public:
  static constexpr std::string_view kFacets = "folders";
  Store& store() { return store_; }

 private:
  ForwardingStore store_{std::make_shared<MemoryStore>()};
};
INSTANTIATE_TYPED_TEST_SUITE_P(Forwarding, StoreConformance, ForwardingStoreFixture);

TEST(MemoryStoreTest, HasTheNameThatItWasGiven) {
  EXPECT_EQ(MemoryStore("/tests/a.zarr").name(), "/tests/a.zarr");
}

TEST(MemoryStoreTest, AKeyMayBeAPrefixToo) {
  MemoryStore store;
  store.Set("a", AsBytes("value"));
  store.Set("a/b", AsBytes("value"));
  const auto listing = store.List("");
  EXPECT_EQ(listing->keys, std::vector<std::string>{"a"});
  EXPECT_EQ(listing->prefixes, std::vector<std::string>{"a"});
}

TEST(JoinKeyTest, TheRootHasNoName) {
  EXPECT_EQ(JoinKey("", "zarr.json"), "zarr.json");
  EXPECT_EQ(JoinKey("a/b", "zarr.json"), "a/b/zarr.json");
}

TEST(CheckKeyTest, TheMessageShowsWhatCannotBePrinted) {
  try {
    CheckKey(std::string_view("a\0\nb", 4));
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("\"a\\x00\\x0ab\""), std::string::npos) << error.message();
  }
}

TEST(CheckRangesTest, RefusesBuffersThatDoNotMatch) {
  std::byte memory[4];
  const MutableByteSpan buffer(memory, 4);
  const ByteRange range{0, 3};
  ExpectError(ErrorKind::kInvalidArgument, [&] { CheckRanges({&range, 1}, {&buffer, 1}, 100); });
  ExpectError(ErrorKind::kInvalidArgument, [&] { CheckRanges({&range, 1}, {}, 100); });
}

}  // namespace
}  // namespace zarr
