// SPDX-License-Identifier: MIT
#include <algorithm>
#include <fstream>
#include <iterator>

#include "autotest/cpp/support/codec_test_util.h"
#include "autotest/cpp/support/zarrkit_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/tools/map/chunk_map.h"
#include "zarrlib/tools/map/png.h"

namespace zarr::tools {
namespace {

using test::Result;
using test::Zarrkit;

class Map : public test::FolderTest {
 protected:
  ChunkMap Look(const std::string& path = "a") const {
    const auto array = EditableHierarchy::Open(std::make_shared<FilesystemStore>(folder_))->OpenArray(path);
    Box region{Shape(array->rank(), 0), array->shape()};
    for (std::size_t i = 0; i + 2 < array->rank(); ++i) region.shape[i] = 1;
    return MapChunks(*array, region);
  }
  Result Draw(const std::vector<std::string>& options = {}, const std::string& array = "a") const {
    std::vector<std::string> arguments = {"map", folder_, "--array", array, folder_ + "/map.svg"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return Zarrkit(arguments);
  }
  std::string Drawn() const {
    std::ifstream file(folder_ + "/map.svg");
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

TEST_F(Map, TellsThreeStatesApart) {
  MakeArray("a", {40, 60}, {10, 20});
  FilesystemStore(folder_).Erase("a/1.1");
  Set("a/2.0", "short");
  const ChunkMap map = Look();
  ASSERT_EQ(map.cells.size(), 12U);
  EXPECT_EQ(map.Count(ChunkMap::State::kPresent), 10U);
  EXPECT_EQ(map.cells[1 * 3 + 1].state, ChunkMap::State::kMissing);
  EXPECT_EQ(map.cells[2 * 3 + 0].state, ChunkMap::State::kDamaged);
  EXPECT_NE(map.cells[2 * 3 + 0].error.find("a/2.0"), std::string::npos) << map.cells[6].error;
}

TEST_F(Map, PaintsValuesFromBlackToWhite) {
  MakeArray("a", {40, 60}, {10, 20});
  FilesystemStore(folder_).Erase("a/1.1");
  const ChunkMap map = Look();
  ASSERT_EQ(map.pixel_columns, 60U);
  ASSERT_EQ(map.pixels.size(), 2400U);
  EXPECT_EQ(map.pixels.front().grey, 0);
  EXPECT_EQ(map.pixels.back().grey, 255);
  EXPECT_EQ(map.pixels[1200].grey, 255 * 1200 / 2399);
  EXPECT_EQ(map.pixels[15 * 60 + 30].alpha, 0);  // missing
  EXPECT_EQ(map.pixels[15 * 60 + 19].alpha, 255);
}

TEST_F(Map, LargeArraysGetASmallPicture) {
  MakeArray("a", {3, 2000}, {2, 300});
  const ChunkMap map = Look();
  EXPECT_EQ(map.pixel_columns, 500U);
  EXPECT_EQ(map.pixels.size(), 500U);
  EXPECT_EQ(map.Count(ChunkMap::State::kPresent), 14U);
  EXPECT_EQ(map.columns.back().begin, 1800U);
  EXPECT_EQ(map.columns.back().length, 200U);
}

TEST_F(Map, ArraysOfOneAndOfManyAxes) {
  MakeArray("line", {10}, {4});
  EXPECT_EQ(Look("line").rows.size(), 1U);
  EXPECT_EQ(Look("line").columns.size(), 3U);
  MakeArray("cube", {3, 4, 6}, {2, 2, 3});
  EXPECT_EQ(Look("cube").cells.size(), 4U);
  MakeArray("scalar", {}, {});
  EXPECT_EQ(Draw({}, "scalar").code, kFailure);
}

TEST_F(Map, ShardsHaveInnerChunks) {
  Set("s/zarr.json", R"({"zarr_format": 3, "node_type": "array", "data_type": "int16", "fill_value": -1,
    "chunk_key_encoding": {"name": "default"}, "shape": [4, 6],
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4, 4]}},
    "codecs": [{"name": "sharding_indexed", "configuration": {"chunk_shape": [2, 2],
    "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
    "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}}]})");
  const auto array = EditableHierarchy::Open(std::make_shared<FilesystemStore>(folder_))->OpenArray("s");
  const std::vector<std::int16_t> values(4, 5);
  const auto writer = ArrayWriter::Make(array);
  writer->Write(Selection::FromBox({{0, 2}, {2, 2}}),
                {reinterpret_cast<const std::byte*>(values.data()), GetContiguousStrides({2, 2}, 2), nullptr});
  writer->Flush();
  const ChunkMap map = Look("s");
  EXPECT_TRUE(map.is_sharded);
  ASSERT_EQ(map.columns.size(), 3U);
  EXPECT_TRUE(map.columns[0].begins_shard);
  EXPECT_FALSE(map.columns[1].begins_shard);
  EXPECT_TRUE(map.columns[2].begins_shard);
  EXPECT_EQ(map.Count(ChunkMap::State::kPresent), 1U);
  EXPECT_EQ(map.cells[1].state, ChunkMap::State::kPresent);
}

TEST_F(Map, DrawsWhatItHasFound) {
  MakeArray("a&b", {40, 60}, {10, 20});
  FilesystemStore(folder_).Erase("a&b/1.1");
  const Result good = Draw({}, "a&b");
  EXPECT_EQ(good.code, kSuccess) << good.err;
  EXPECT_EQ(good.out, folder_ + "/map.svg: 11 present, 1 missing, 0 damaged chunks\n");
  EXPECT_NE(Drawn().find(R"(<rect class="missing" x="282.667" y="181.333" width="266.667" height="133.333">)"),
            std::string::npos)
      << Drawn();
  EXPECT_NE(Drawn().find("/a&amp;b"), std::string::npos);
  Set("a&b/2.0", "short");
  EXPECT_EQ(Draw({}, "a&b").code, kFailure);
  EXPECT_NE(Drawn().find(R"(<rect class="damaged")"), std::string::npos);
  EXPECT_EQ(Draw({"--window", "20,0,40,10"}, "a&b").out,
            folder_ + "/map.svg: 2 present, 0 missing, 0 damaged chunks\n");
}

TEST_F(Map, RefusesWhatMakesNoSense) {
  MakeArray("a", {40, 60}, {10, 20});
  EXPECT_EQ(Zarrkit({"map", folder_, "--array", "a"}).code, kUsage);
  EXPECT_EQ(Zarrkit({"map", folder_, folder_ + "/x.svg"}).code, kUsage);
  EXPECT_EQ(Draw({"--region", "0:0,0:60"}).code, kFailure);
  EXPECT_NE(Zarrkit({"map", folder_, "--array", "a", folder_ + "/none/x.svg"}).err.find("no such folder"),
            std::string::npos);
  Set("many/.zarray", R"({"zarr_format": 2, "dtype": "<i2", "fill_value": -1, "order": "C", "shape": [500, 500],
    "chunks": [1, 1], "filters": null, "compressor": null})");
  EXPECT_NE(Draw({}, "many").err.find("at most 40000 chunks"), std::string::npos);
}

TEST(Png, IsWhatAnotherEncoderWrites) {
  // Two pixels, black and transparent. The compressed bytes may differ between versions of zlib.
  const Bytes png = EncodePng(std::vector<GreyPixel>{{0, 255}, {0, 0}}, 2);
  const Bytes begin = codec_test::FromHex("89504e470d0a1a0a0000000d49484452000000020000000108040000005e2bb701");
  const Bytes end = codec_test::FromHex("0000000049454e44ae426082");
  ASSERT_GT(png.size(), begin.size() + end.size() + 12);
  EXPECT_TRUE(std::equal(begin.begin(), begin.end(), png.begin()));
  EXPECT_TRUE(std::equal(end.rbegin(), end.rend(), png.rbegin()));
}

}  // namespace
}  // namespace zarr::tools
