// SPDX-License-Identifier: MIT
// Writes the inputs of the targets `codecs` (one for each row and shape whose codecs can encode) and `shard_index`.
// Usage: write_seeds FOLDER      makes FOLDER/codecs and FOLDER/shard_index
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "autotest/cpp/support/pco_test_util.h"
#include "autotest/fuzz/support/byte_archive.h"
#include "autotest/fuzz/support/checks.h"
#include "autotest/fuzz/support/codec_rows.h"
#include "autotest/fuzz/support/shard_forms.h"
#include "autotest/fuzz/support/windows.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"

namespace zarr::fuzz {
namespace {

void WriteFile(const std::filesystem::path& path, std::string_view content) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

Bytes EncodeSample(const ResolvedPipeline& pipeline) {
  Bytes encoded;
  const std::size_t count = pipeline.decoded().element_count();
  if (pipeline.decoded().data_type.variable()) {
    pipeline.EncodeVariable(std::vector<std::string_view>(count, "text"), &encoded);
    return encoded;
  }
  Bytes elements(pipeline.decoded().byte_size());
  const bool may_be_boolean = pipeline.decoded().data_type.size == 1;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    elements[i] = static_cast<std::byte>(may_be_boolean ? i % 2 : i / 7 % 3);
  }
  pipeline.Encode(elements, &encoded);
  return encoded;
}

void WriteCodecSeeds(const std::filesystem::path& folder) {
  const auto rows = GetCodecRows();
  const auto shapes = GetChunkShapes();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t shape = 0; shape < shapes.size(); ++shape) {
      const auto encoded = Try([&] { return EncodeSample(*ResolveRow(rows[row], shapes[shape])); });
      if (!encoded) continue;
      const std::string head = {static_cast<char>(row), static_cast<char>(shape)};
      WriteFile(folder / (std::to_string(row) + "-" + std::to_string(shape)), head + std::string(AsText(*encoded)));
    }
  }
}

/// Files of pco of 6 numbers of 32 bits: plain, with multiples of a number, with sums of differences, with lookbacks,
/// and with predictions.
std::vector<Bytes> MakePcoSamples() {
  constexpr std::uint64_t kMiddle = std::uint64_t{1} << 31;
  using test::MakeRawVariable;
  const std::vector<test::PcoChunkOf> chunks = {
      {1, 6, {{0, 4}, {0, 4}}, {MakeRawVariable(32, {1, 2, 3, 4, 5, 6})}},
      {1,
       6,
       {{1, 4}, {1000, 32}, {0, 4}},
       {MakeRawVariable(32, {1, 2, 3, 4, 5, 6}), MakeRawVariable(32, {0, 0, 1, 1, 2, 2})}},
      {1, 6, {{0, 4}, {1, 4}, {1, 3}, {0, 1}}, {MakeRawVariable(32, std::vector<std::uint64_t>(5, kMiddle + 3), {5})}},
      {1,
       6,
       {{0, 4}, {2, 4}, {1, 5}, {0, 4}, {0, 1}},
       {MakeRawVariable(32, {1, 2, 1, 4, 1}), MakeRawVariable(32, std::vector<std::uint64_t>(5, kMiddle), {9})}},
      {1,
       6,
       {{0, 4}, {3, 4}, {1, 5}, {(std::uint64_t{1} << 63) + 4, 64}, {1, 5}, {kMiddle - 1, 32}, {kMiddle + 2, 32}},
       {MakeRawVariable(32, std::vector<std::uint64_t>(4, kMiddle), {10, 20})}}};
  std::vector<Bytes> files;
  for (const test::PcoChunkOf& chunk : chunks) files.push_back(test::MakePcoFile({chunk}));
  return files;
}

/// For all rows of the codec: those of other types than that of the files are mistakes to find.
void WritePcoSeeds(const std::filesystem::path& folder) {
  constexpr char kSixElements = 4;  // [2, 3]
  const auto rows = GetCodecRows();
  const std::vector<Bytes> files = MakePcoSamples();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row].codecs.find("pcodec") == std::string_view::npos) continue;
    for (std::size_t i = 0; i < files.size(); ++i) {
      const std::string head = {static_cast<char>(row), kSixElements};
      WriteFile(folder / ("pco-" + std::to_string(row) + "-" + std::to_string(i)),
                head + std::string(AsText(files[i])));
    }
  }
}

/// A shard of three inner chunks.
std::string MakeShard(unsigned char form) {
  const auto store = MakeStore({{"zarr.json", MakeShardedArray(form)}});
  const auto array = EditableHierarchy::Open(store)->OpenArray("");
  Elements elements;
  elements.texts.assign(8, "text");
  elements.bytes = "0123456789abcdef";
  WriteWindow(array, Selection::FromBox({{0, 0}, {2, 4}}), elements);
  WriteWindow(array, Selection::FromBox({{2, 0}, {2, 2}}), elements);
  return store->GetText("c/0/0").value();
}

void WriteShardSeeds(const std::filesystem::path& folder) {
  for (unsigned char form = 0; form < 64; ++form) {
    const auto shard = Try([&] { return MakeShard(form); });
    if (shard) WriteFile(folder / std::to_string(form), static_cast<char>(form) + *shard);
  }
}

}  // namespace
}  // namespace zarr::fuzz

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::filesystem::path folder = argv[1];
  zarr::fuzz::WriteCodecSeeds(folder / "codecs");
  zarr::fuzz::WritePcoSeeds(folder / "codecs");
  zarr::fuzz::WriteShardSeeds(folder / "shard_index");
  return 0;
}
