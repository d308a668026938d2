// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "zarrlib/base/bytes.h"

/// Readers of integers that Parquet packs into bits (parquet-format, Encodings.md). They throw Error(corrupt) if the
/// bytes end before the value that is read. The bytes must outlive them. Not thread-safe.
namespace gdal_zarr {

/// Reads values of the hybrid of run lengths and packed bits (RLE).
class RunReader {
 public:
  /// `width` is the number of bits of a value, at most 32.
  RunReader(zarr::ByteSpan bytes, unsigned width);

  std::uint32_t ReadNext() {
    while (left_ == 0) ReadHeader();
    --left_;
    return is_packed_ ? ReadPacked() : value_;
  }

 private:
  void ReadHeader();
  std::uint32_t ReadPacked();

  zarr::ByteSpan bytes_;
  unsigned width_;
  std::size_t position_ = 0;
  std::uint64_t left_ = 0;  // values of the current run
  bool is_packed_ = false;
  std::uint32_t value_ = 0;  // of a run of equal values
  std::uint64_t bit_ = 0;    // the position of the next packed value
};

/// Reads values of the encoding DELTA_BINARY_PACKED.
class DeltaReader {
 public:
  /// Throws Error(corrupt) if there are more than `most` values.
  DeltaReader(zarr::ByteSpan bytes, std::uint64_t most);

  std::uint64_t count() const { return count_; }
  std::int64_t ReadNext();
  /// Returns the number of bytes that the values take. Reads all of them to find out, but leaves the reader as it is.
  std::size_t FindEnd() const;

 private:
  void BeginMiniblock();

  zarr::ByteSpan bytes_;
  std::size_t position_ = 0;
  std::uint64_t block_size_ = 0;  // in values
  std::uint64_t miniblocks_ = 0;  // of a block
  std::uint64_t count_ = 0;
  std::uint64_t read_ = 0;
  std::int64_t last_ = 0;
  std::int64_t least_ = 0;          // the smallest difference in the block
  zarr::ByteSpan widths_;           // of the remaining miniblocks of the block
  unsigned width_ = 0;              // of the current miniblock
  std::uint64_t in_miniblock_ = 0;  // values that are left in it
  std::uint64_t bit_ = 0;           // the position of the next difference
};

}  // namespace gdal_zarr
