// SPDX-License-Identifier: MIT
// Kerchunk references in Parquet: the input is one file of them.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "autotest/fuzz/support/checks.h"
#include "driver/stores/kerchunk/reference_records.h"

namespace zarr::fuzz {
namespace {

constexpr std::uint64_t kMaxRows = 100000;

class InputSource final : public gdal_zarr::ParquetSource {
 public:
  explicit InputSource(std::string_view input) : input_(input) {}
  std::uint64_t size() const override { return input_.size(); }
  void Read(std::uint64_t offset, MutableByteSpan buffer) const override {
    const bool is_in_file = offset <= input_.size() && buffer.size() <= input_.size() - offset;
    Require(is_in_file, "only bytes within the file are read", std::to_string(offset));
    std::copy_n(AsBytes(input_).data() + offset, buffer.size(), buffer.data());
  }

 private:
  std::string_view input_;
};

void Run(std::string_view input) {
  const InputSource source(input);
  Try([&] { return gdal_zarr::FindFirstPath(source); });
  const auto records = Try([&] { return std::make_unique<gdal_zarr::ReferenceRecords>(source, kMaxRows); });
  if (!records) return;
  Require((*records)->size() <= kMaxRows, "at most as many rows as are asked for", "");
  for (std::uint64_t row = 0; row < (*records)->size(); ++row) {
    const auto reference = Try([&] { return (*records)->Find(row); });
    const bool is_found = !reference || reference->has_value();
    Require(is_found == (*records)->Has(row), "a row has a reference if it is said to", std::to_string(row));
  }
}

}  // namespace
}  // namespace zarr::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  zarr::fuzz::Run(zarr::fuzz::AsInput(data, size));
  return 0;
}
