// SPDX-License-Identifier: MIT
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/codec_test_util.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "zarrlib/store/filesystem_store.h"

// Reads of some of the blocks of local chunks.

namespace zarr {
namespace {

using namespace test;

/// Four bands, of 64 KiB each in a chunk, which are one block of Blosc each: the library takes four streams of 16 KiB.
constexpr std::string_view kBandsInBlosc =
    R"(, {"name": "blosc", "configuration": {"cname": "lz4", "clevel": 1, "shuffle": "shuffle", "typesize": 4,
                                      "blocksize": 16384}}])";
const std::string kBlocks = std::string(kNative.substr(0, kNative.size() - 1)) + std::string(kBandsInBlosc);

class ChunkPart : public codec_test::RequiresCodec {
 protected:
  ChunkPart() : RequiresCodec("blosc") {}
  void SetUp() override {
    RequiresCodec::SetUp();
    if (IsSkipped()) return;
    array_ = MakeArray(store_, Metadata(shape_, "[4, 128, 128]", kBlocks));
    Write(store_.get(), *array_);
    ChunkCache::GetShared().Clear();
  }
  void ExpectRead(const Selection& selection) const {
    EXPECT_EQ(Read(*array_, selection), Expected(shape_, selection));
  }
  /// A walk over all rows of one band: the window is larger than a view.
  static Selection Band(std::uint64_t band) { return Selection::FromBox({{band, 0, 0}, {1, 1024, 640}}); }
  static Selection Pixel(std::uint64_t band, std::uint64_t y, std::uint64_t x) {
    return Selection::FromBox({{band, y, x}, {1, 1, 1}});
  }
  /// Damages the last bytes of a chunk, which are those of its last band.
  void DamageTheEnd(const std::string& key) const {
    const auto path = folder_.path() / key;
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-500, std::ios::end);
    file << std::string(500, '\xEE');
    ASSERT_TRUE(file.good());
  }

  TemporaryFolder folder_;
  CacheLimit limit_{std::size_t{64} << 20};
  Shape shape_{4, 1024, 640};
  std::shared_ptr<FilesystemStore> store_ = std::make_shared<FilesystemStore>(folder_.path().string());
  std::shared_ptr<const Array> array_;
};

TEST_F(ChunkPart, ABandTakesItsBlocksAndKeepsNone) {
  for (std::uint64_t band = 0; band < 4; ++band) ExpectRead(Band(band));
  EXPECT_EQ(ChunkCache::GetShared().size(), 0u);
}

TEST_F(ChunkPart, BlocksThatAreNotWantedAreNotDecoded) {
  DamageTheEnd("a/c/0/3/2");
  ExpectRead(Band(0));
  ExpectRead(Band(2));
  std::vector<std::int32_t> values(1024 * 640);
  const Destination destination{reinterpret_cast<std::byte*>(values.data()), {0, 640 * 4, 4}, nullptr};
  try {
    array_->Read(Band(3), destination);
    FAIL() << "damaged blocks were read";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kCorrupt);
    EXPECT_NE(std::string(error.what()).find("a/c/0/3/2"), std::string::npos) << error.what();
  }
}

TEST_F(ChunkPart, APixelTakesABlockAndAnotherOneTheChunk) {
  ExpectRead(Pixel(1, 5, 6));
  EXPECT_LT(ChunkCache::GetShared().size(), 2u * 65536);
  ExpectRead(Pixel(3, 5, 6));
  EXPECT_GE(ChunkCache::GetShared().size(), 4u * 65536);
}

TEST_F(ChunkPart, OfAnAbsentChunkIsTheFillValue) {
  store_->Erase("a/c/0/0/0");
  EXPECT_EQ(Read(*array_, Pixel(1, 5, 6)), std::vector<std::int32_t>{-1});
}

TEST_F(ChunkPart, OfAChunkThatWasReplacedIsNew) {
  ExpectRead(Band(1));
  Bytes other;
  ASSERT_TRUE(store_->Get("a/c/0/2/2", &other, nullptr, UINT64_MAX));
  store_->Set("a/c/0/0/0", other);
  EXPECT_EQ(Read(*array_, Pixel(1, 5, 6)), Expected(shape_, Pixel(1, 2 * 128 + 5, 2 * 128 + 6)));
}

TEST_F(ChunkPart, OfAChunkThatWasCutIsAnError) {
  std::filesystem::resize_file(folder_.path() / "a/c/0/0/0", 5000);
  std::int32_t value = 0;
  const Destination destination{reinterpret_cast<std::byte*>(&value), {4, 4, 4}, nullptr};
  EXPECT_THROW(array_->Read(Pixel(0, 0, 0), destination), Error);
}

}  // namespace
}  // namespace zarr
