// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/manifests.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "autotest/cpp/support/icechunk_writer.h"
#include "autotest/cpp/support/peak_memory.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "zarrlib/base/error.h"
#include "zarrlib/store/filesystem_store.h"
#include "zarrlib/store/forwarding_store.h"

namespace zarr {
namespace {

using namespace icechunk_test;  // NOLINT(google-build-using-namespace)

/// Counts the requests for values by their parts.
class CountingStore final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  bool Read(const ReadRequest& request) const override {
    ++counts[request.part];
    if (request.part == ReadRequest::Part::kRanges && request.ranges[0].offset > 0 && !has_ranges) {
      throw Error(ErrorKind::kIo, "the server sends the whole value");
    }
    const bool found = ForwardingStore::Read(request);
    if (request.part == ReadRequest::Part::kStamp && !tells_size) request.stamp->size = 0;
    return found;
  }
  StoreInfo info() const override { return {.concurrency = 1}; }
  bool has_ranges = true;
  bool tells_size = true;
  mutable std::map<ReadRequest::Part, int> counts;
};

/// Returns the manifest of an array with native references in one dimension, whose files' IDs begin with their numbers.
/// The last reference is the first one in the buffer, as the reference implementation writes them.
Bytes MakeLongManifest(const NodeId& node, std::uint32_t count) {
  constexpr std::size_t kRef = 36;
  const Bytes head = FlatWriter::MakeBuffer(
      {{0, MakeStruct(MakeId(9))}, {1, MakeTables({{{0, MakeStruct(node)}, {1, MakeNumbers({0})}}})}});
  const std::size_t refs = head.size() - 8;  // the vector of the references is the last one
  const std::size_t tables = refs + 4 + 4 * std::size_t{count};
  const std::size_t vtable = tables + kRef * count;
  Bytes buffer(vtable + 14);
  std::ranges::copy(head, buffer.begin());
  WriteLittleEndian(buffer.data() + refs, count);
  const std::uint16_t fields[] = {14, 28, 4, 0, 0, 8, 16};  // the index, the length, and the ID of the file
  for (std::size_t i = 0; i < std::size(fields); ++i) WriteLittleEndian(buffer.data() + vtable + 2 * i, fields[i]);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t slot = refs + 4 + 4 * std::size_t{i};
    const std::size_t at = tables + kRef * (count - 1 - i);
    WriteLittleEndian(buffer.data() + slot, static_cast<std::uint32_t>(at - slot));
    std::byte* const table = buffer.data() + at;
    WriteLittleEndian(table,
                      static_cast<std::int32_t>(static_cast<std::int64_t>(at) - static_cast<std::int64_t>(vtable)));
    WriteLittleEndian(table + 4, std::uint32_t{24});
    WriteLittleEndian(table + 8, std::uint64_t{i % 1000});
    std::ranges::copy(MakeId(7), table + 16);
    WriteLittleEndian(table + 16, i);
    WriteLittleEndian(table + 28, std::uint32_t{1});
    WriteLittleEndian(table + 32, i);
  }
  return buffer;
}

class ManifestsTest : public testing::Test {
 protected:
  static constexpr std::uint32_t kMany = 1'800'000;
  const TemporaryFolder folder_;
  const std::shared_ptr<CountingStore> store_ =
      std::make_shared<CountingStore>(std::make_shared<FilesystemStore>(folder_.path().string()));
  const ObjectId id_ = MakeId(9);
  const NodeId node_ = MakeId<NodeId>(2);
  const std::string key_ = "manifests/" + FormatObjectId(id_);

  void Write(std::uint32_t count) {
    store_->Set(key_, MakeObject(ObjectType::kManifest, MakeLongManifest(node_, count)));
  }
  void ExpectRefs(const Manifest& manifest, std::uint32_t count) const {
    const ChunkTable* const table = manifest.Find(node_);
    ASSERT_TRUE(table && table->size() == count);
    for (std::uint32_t i = 0; i < count; i += 997) {
      const auto ref = table->Find(std::vector<std::uint32_t>{i});
      ASSERT_TRUE(ref);
      EXPECT_EQ(LoadLittleEndian<std::uint32_t>(ref->file.data()), i);
      EXPECT_EQ(ref->length, i % 1000);
    }
  }
};

TEST_F(ManifestsTest, ASmallOneTakesOneRequest) {
  Write(1000);
  ExpectRefs(*Manifests(store_).Get(id_), 1000);
  EXPECT_EQ(store_->counts, (std::map<ReadRequest::Part, int>{{ReadRequest::Part::kWhole, 1}}));
}

TEST_F(ManifestsTest, ALargeOneIsNeverInMemoryAsAWhole) {
  Write(kMany);
  const std::uint64_t size = std::filesystem::file_size(folder_.path() / key_);
  ASSERT_GT(size, std::uint64_t{64} << 20);
  std::shared_ptr<const Manifest> manifest;
  const std::uint64_t peak = test::MeasurePeak([&] { manifest = Manifests(store_).Get(id_); });
  ExpectRefs(*manifest, kMany);
  EXPECT_EQ(store_->counts[ReadRequest::Part::kRanges], 3);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_LT(peak, std::uint64_t{110} << 20);  // 65 to 92 MiB, and 64 more if it were
  EXPECT_LT(manifest->memory(), std::uint64_t{kMany} * 17);
#else
  static_cast<void>(peak);
#endif
}

TEST_F(ManifestsTest, ALargeOneIsReadFromServersThatDoNotHelp) {
  using Part = ReadRequest::Part;
  Write(kMany);
  store_->has_ranges = false;
  ExpectRefs(*Manifests(store_).Get(id_), kMany);
  EXPECT_EQ(store_->counts, (std::map<Part, int>{{Part::kWhole, 2}, {Part::kStamp, 1}, {Part::kRanges, 2}}));
  store_->tells_size = false;
  ExpectRefs(*Manifests(store_).Get(id_), kMany);
  EXPECT_EQ(store_->counts, (std::map<Part, int>{{Part::kWhole, 4}, {Part::kStamp, 2}, {Part::kRanges, 2}}));
}

TEST_F(ManifestsTest, ThatOfAnotherFileIsCorrupt) {
  const ObjectId other = MakeId(8);
  const std::string key = "manifests/" + FormatObjectId(other);
  store_->Set(key, MakeObject(ObjectType::kManifest, MakeLongManifest(node_, 1)));
  try {
    Manifests(store_).Get(other);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kCorrupt);
    EXPECT_EQ(error.key(), key);
  }
}

TEST_F(ManifestsTest, ALargeOneThatIsCutIsCorrupt) {
  Write(kMany);
  std::filesystem::resize_file(folder_.path() / key_, std::uintmax_t{66} << 20);
  try {
    Manifests(store_).Get(id_);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kCorrupt);
    EXPECT_EQ(error.key(), key_);
  }
}

}  // namespace
}  // namespace zarr
