// SPDX-License-Identifier: MIT
// Opens a store, lists its arrays, and reads a window of an int16 array.
//
//     read_window <store> <array> <row> <column> <rows> <columns>
//     read_window relief_v3_sharded.zarr relief 90 540 2 3
#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/store/filesystem_store.h"

/// Prints the arrays in a group and in the groups below it. The path of the root group is "".
static void ListArrays(const zarr::Hierarchy& hierarchy, const std::string& group) {
  for (const auto& [name, kind] : hierarchy.List(group)) {
    const std::string path = zarr::JoinKey(group, name);
    if (kind == zarr::NodeKind::kGroup) {
      ListArrays(hierarchy, path);
    } else {
      const zarr::ArraySummary array = hierarchy.Summarize(path);
      std::cout << path << " " << zarr::ToString(array.shape) << " " << array.data_type.name << "\n";
    }
  }
}

int main(int argc, char** argv) {
  if (argc != 7) return 2;
  try {
    const auto hierarchy = zarr::Hierarchy::Open(std::make_shared<zarr::FilesystemStore>(argv[1]));
    ListArrays(*hierarchy, "");

    const auto array = hierarchy->OpenArray(argv[2]);
    // Read() copies elements in the array's own type, so the buffer has to match it.
    const zarr::DataType& type = array->data_type();
    if (type.kind != zarr::DataType::Kind::kInt || type.size != sizeof(std::int16_t)) {
      throw std::invalid_argument(array->path() + ": this example reads int16");
    }
    const zarr::Box window{{std::stoull(argv[3]), std::stoull(argv[4])}, {std::stoull(argv[5]), std::stoull(argv[6])}};
    std::vector<std::int16_t> values(zarr::ComputeProduct(window.shape));
    array->Read(zarr::Selection::FromBox(window),
                {.data = reinterpret_cast<std::byte*>(values.data()),
                 .strides = zarr::GetContiguousStrides(window.shape, sizeof(values[0]))});
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::cout << values[i] << ((i + 1) % window.shape[1] == 0 ? "\n" : " ");
    }
  } catch (const std::exception& error) {  // zarr::Error, or an argument that is not a number
    std::cerr << error.what() << "\n";
    return 1;
  }
}
