// SPDX-License-Identifier: MIT
// Uses a custom store (table_store.h): creates an array in it, writes and reads the array, and copies the store
// to a folder.
//
//     custom_store <new folder>
#include <cstdint>
#include <iostream>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "table_store.h"
#include "zarrlib/array/array_writer.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/filesystem_store.h"

constexpr std::string_view kSquares = R"({
  "zarr_format": 3, "node_type": "array", "shape": [10], "data_type": "int32", "fill_value": 0,
  "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}},
  "chunk_key_encoding": {"name": "default"},
  "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]})";

/// Copies all keys under a prefix, which is "" or ends in "/", and prints them.
static void CopyKeys(const zarr::Store& from, zarr::Store& to, const std::string& prefix) {
  const zarr::Listing listing = from.List(prefix).value();
  zarr::Bytes value;
  for (const std::string& name : listing.keys) {
    from.Get(prefix + name, &value);
    to.Set(prefix + name, value);
    std::cout << prefix + name << "\n";
  }
  for (const std::string& name : listing.prefixes) CopyKeys(from, to, prefix + name + "/");
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    const auto store = std::make_shared<TableStore>("numbers");
    const auto hierarchy = zarr::EditableHierarchy::Create(store, zarr::ZarrFormat::kV3);
    const auto array = hierarchy->CreateArray("squares", zarr::ParseArrayV3(zarr::JsonNode::Parse(kSquares, "", "")));

    std::vector<std::int32_t> values(10);
    for (std::int32_t i = 0; i < 10; ++i) values[i] = i * i;
    const zarr::Selection all = zarr::Selection::FromBox({{0}, {10}});
    const auto writer = zarr::ArrayWriter::Make(array);
    writer->Write(all, {.data = reinterpret_cast<const std::byte*>(values.data()), .strides = {sizeof(values[0])}});
    writer->Flush();

    std::vector<std::int32_t> read(10);
    array->Read(all, {.data = reinterpret_cast<std::byte*>(read.data()), .strides = {sizeof(read[0])}});
    std::cout << "sum: " << std::accumulate(read.begin(), read.end(), 0) << "\n";
    zarr::FilesystemStore folder(argv[1]);
    CopyKeys(*store, folder, "");
  } catch (const zarr::Error& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
