// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "driver/create/references/source_blocks.h"
#include "driver/create/references/tiff_directory.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// An image in a TIFF file whose tiles or strips can be described as chunks of a Zarr array. Not thread-safe.
class TiffImage {
 public:
  /// Returns null if a dataset is not an image that GDAL's driver of TIFF has opened. `dataset` must outlive the object
  /// and its blocks. Throws zarr::Error: unsupported, with the reason, if tiles or strips cannot be described.
  static std::shared_ptr<TiffImage> Open(GDALDataset& dataset);

  /// Returns true if a block has all samples of its pixels. The bands are then the last dimensions of the array,
  /// otherwise the first ones.
  bool is_interleaved() const { return is_interleaved_; }
  /// Returns true if the last strip is shorter than the others, which needs a rectilinear grid.
  bool has_short_strip() const { return !is_tiled_ && height_ % block_height_ != 0; }
  /// Makes the blocks of an array of this shape: rows, columns, and dimensions of the bands.
  static std::unique_ptr<SourceBlocks> MakeBlocks(const std::shared_ptr<TiffImage>& image, const zarr::Shape& shape);

 private:
  friend class TiffBlocks;

  TiffImage(GDALDataset& dataset, TiffDirectory directory);
  void CheckSamples() const;
  void CheckBlocks() const;
  zarr::ChunkGrid MakeGrid(const zarr::Shape& shape) const;
  std::vector<zarr::CodecSpec> MakeCodecs(const zarr::ChunkGrid& grid) const;
  zarr::CodecSpec MakePredictor(const zarr::ChunkGrid& grid, std::uint64_t predictor) const;
  zarr::CodecSpec MakeJpeg() const;
  std::string GetTypeString() const;
  [[noreturn]] void Refuse(const std::string& expected, const std::string& got) const;

  std::uint64_t columns() const { return (width_ + block_width_ - 1) / block_width_; }
  std::uint64_t rows() const { return (height_ + block_height_ - 1) / block_height_; }

  GDALDataset& dataset_;
  TiffDirectory directory_;
  bool is_tiled_;
  std::uint64_t width_;
  std::uint64_t height_;
  std::uint64_t samples_;
  std::uint64_t block_width_;
  std::uint64_t block_height_;
  std::uint64_t compression_;
  std::size_t sample_size_;  // in bytes
  bool is_interleaved_;
};

}  // namespace gdal_zarr
