// SPDX-License-Identifier: MIT
// Creates a Zarr v3 store with an array of 1000 x 1500 floats, in shards of 512 x 512 and zstd-compressed chunks of
// 64 x 64, and writes it one row of shards at a time.
//
//     write_sharded <new store>
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string_view>
#include <vector>

#include "zarrlib/array/array_writer.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/filesystem_store.h"

// The metadata document of the array, as the specification of Zarr v3 defines it.
constexpr std::string_view kElevation = R"({
  "zarr_format": 3, "node_type": "array", "shape": [1000, 1500], "data_type": "float32", "fill_value": "NaN",
  "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [512, 512]}},
  "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
  "codecs": [{"name": "sharding_indexed", "configuration": {
    "chunk_shape": [64, 64],
    "codecs": [{"name": "bytes", "configuration": {"endian": "little"}},
               {"name": "zstd", "configuration": {"level": 3, "checksum": false}}],
    "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}]}}],
  "dimension_names": ["y", "x"],
  "attributes": {"units": "m"}
})";

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    const auto hierarchy =
        zarr::EditableHierarchy::Create(std::make_shared<zarr::FilesystemStore>(argv[1]), zarr::ZarrFormat::kV3);
    hierarchy->SetConsolidate(true);

    const auto array =
        hierarchy->CreateArray("elevation", zarr::ParseArrayV3(zarr::JsonNode::Parse(kElevation, "", "")));

    // Selections that cover whole shards need no buffer: the shards are stored before Write() returns.
    const auto writer = zarr::ArrayWriter::Make(array);
    const std::uint64_t height = array->shape()[0], width = array->shape()[1], step = 512;
    for (std::uint64_t row = 0; row < height; row += step) {
      const zarr::Box strip{{row, 0}, {std::min(step, height - row), width}};
      std::vector<float> values(zarr::ComputeProduct(strip.shape));
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(row * width + i) / 4;
      writer->Write(zarr::Selection::FromBox(strip),
                    {.data = reinterpret_cast<const std::byte*>(values.data()),
                     .strides = zarr::GetContiguousStrides(strip.shape, sizeof(float))});
    }
    writer->Flush();                 // stores shards that are still incomplete
    hierarchy->WriteConsolidated();  // lets readers open the store with a single request
  } catch (const zarr::Error& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
