// SPDX-License-Identifier: MIT
// Prints the sum of an int16 array: consumer <store> <array>.
#include <cstdint>
#include <iostream>
#include <memory>
#include <numeric>
#include <vector>

#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/filesystem_store.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    const auto hierarchy = zarr::EditableHierarchy::Open(std::make_shared<zarr::FilesystemStore>(argv[1]));
    const auto array = hierarchy->OpenArray(argv[2]);
    std::vector<std::int16_t> values(zarr::ComputeProduct(array->shape()));
    const zarr::Box whole{zarr::Shape(array->rank()), array->shape()};
    array->Read(zarr::Selection::FromBox(whole),
                {.data = reinterpret_cast<std::byte*>(values.data()),
                 .strides = zarr::GetContiguousStrides(array->shape(), sizeof(values[0]))});
    std::cout << std::accumulate(values.begin(), values.end(), std::int64_t{0}) << "\n";
  } catch (const zarr::Error& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
