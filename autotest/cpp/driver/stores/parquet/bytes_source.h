// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "driver/stores/parquet/parquet_file.h"

namespace gdal_zarr {

/// A Parquet file in memory.
class BytesSource final : public ParquetSource {
 public:
  explicit BytesSource(std::string bytes) : bytes_(std::move(bytes)) {}
  std::uint64_t size() const override { return bytes_.size(); }
  void Read(std::uint64_t offset, zarr::MutableByteSpan buffer) const override {
    ASSERT_LE(offset + buffer.size(), bytes_.size());
    std::copy_n(zarr::AsBytes(bytes_).data() + offset, buffer.size(), buffer.data());
  }

 private:
  std::string bytes_;
};

}  // namespace gdal_zarr
