// SPDX-License-Identifier: MIT
// Writes an input of the target `codecs` for each row whose codecs can encode.
// Usage: codec_seeds FOLDER
#include <fstream>
#include <string>
#include <vector>

#include "autotest/fuzz/support/checks.h"
#include "autotest/fuzz/support/codec_rows.h"

namespace zarr::fuzz {
namespace {

Bytes EncodeSample(const ResolvedPipeline& pipeline) {
  Bytes encoded;
  const std::size_t count = pipeline.decoded().element_count();
  if (pipeline.decoded().data_type.variable()) {
    pipeline.EncodeVariable(std::vector<std::string_view>(count, "text"), &encoded);
    return encoded;
  }
  Bytes elements(pipeline.decoded().byte_size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const bool is_boolean = pipeline.decoded().data_type.size == 1;
    elements[i] = static_cast<std::byte>(is_boolean ? i % 2 : i / 7 % 3);
  }
  pipeline.Encode(elements, &encoded);
  return encoded;
}

void WriteSeeds(const std::string& folder) {
  const auto rows = GetCodecRows();
  const auto shapes = GetChunkShapes();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t shape = 0; shape < shapes.size(); ++shape) {
      const auto encoded = Try([&] { return EncodeSample(*ResolveRow(rows[row], shapes[shape])); });
      if (!encoded) continue;
      std::ofstream file(folder + "/" + std::to_string(row) + "-" + std::to_string(shape), std::ios::binary);
      file << static_cast<char>(row) << static_cast<char>(shape) << AsText(*encoded);
    }
  }
}

}  // namespace
}  // namespace zarr::fuzz

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  zarr::fuzz::WriteSeeds(argv[1]);
  return 0;
}
