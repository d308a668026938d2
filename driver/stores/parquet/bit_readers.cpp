// SPDX-License-Identifier: MIT
#include "driver/stores/parquet/bit_readers.h"

#include <algorithm>
#include <string>

#include "driver/stores/parquet/compact_reader.h"
#include "driver/stores/parquet/parquet_errors.h"

namespace gdal_zarr {
namespace {

/// Reads `width` bits, at most 64, the lowest bit first.
std::uint64_t ReadBits(zarr::ByteSpan bytes, std::uint64_t bit, unsigned width) {
  const std::uint64_t first = bit / 8;
  const auto shift = static_cast<unsigned>(bit % 8);
  const std::uint64_t mask = width == 64 ? UINT64_MAX : (std::uint64_t{1} << width) - 1;
  if (first + 8 <= bytes.size() && shift + width <= 64) {
    return zarr::LoadLittleEndian<std::uint64_t>(bytes.data() + first) >> shift & mask;
  }
  if (first + (shift + width + 7) / 8 > bytes.size()) FailParquet("packed integers", "the end of the page");
  std::uint64_t value = 0;
  for (unsigned i = 0; i * 8 < shift + width; ++i) {
    const auto byte = std::to_integer<std::uint64_t>(bytes[static_cast<std::size_t>(first) + i]);
    value |= i == 0 ? byte >> shift : byte << (8 * i - shift);
  }
  return value & mask;
}

}  // namespace

RunReader::RunReader(zarr::ByteSpan bytes, unsigned width) : bytes_(bytes), width_(width) {
  if (width > 32) FailParquet("packed integers of at most 32 bits", std::to_string(width));
}

void RunReader::ReadHeader() {
  const std::uint64_t header = ReadVarint(bytes_, &position_);
  is_packed_ = (header & 1) != 0;
  const std::uint64_t room = bytes_.size() - position_;
  if (!is_packed_) {
    const std::size_t size = (width_ + 7) / 8;
    if (room < size) FailParquet("the value of a run", "the end of the page");
    left_ = header >> 1;
    value_ = static_cast<std::uint32_t>(size == 0 ? 0 : ReadBits(bytes_, position_ * std::uint64_t{8}, width_));
    position_ += size;
    return;
  }
  // The last group of eight values may be cut off after the last value.
  const std::uint64_t groups = header >> 1;
  const bool is_cut = width_ > 0 && groups > room / width_;
  left_ = is_cut ? room * 8 / width_ : std::min(groups, UINT64_MAX / 8) * 8;
  bit_ = position_ * std::uint64_t{8};
  position_ += static_cast<std::size_t>(is_cut ? room : groups * width_);
}

std::uint32_t RunReader::ReadPacked() {
  const auto value = static_cast<std::uint32_t>(ReadBits(bytes_, bit_, width_));
  bit_ += width_;
  return value;
}

DeltaReader::DeltaReader(zarr::ByteSpan bytes, std::uint64_t most) : bytes_(bytes) {
  block_size_ = ReadVarint(bytes_, &position_);
  miniblocks_ = ReadVarint(bytes_, &position_);
  count_ = ReadVarint(bytes_, &position_);
  last_ = DecodeZigzag(ReadVarint(bytes_, &position_));
  const bool is_divided = miniblocks_ > 0 && block_size_ % miniblocks_ == 0;
  if (block_size_ == 0 || block_size_ > INT32_MAX || !is_divided || block_size_ / miniblocks_ % 8 != 0) {
    FailParquet("blocks of miniblocks of a multiple of 8 values",
                std::to_string(block_size_) + " values in " + std::to_string(miniblocks_) + " miniblocks");
  }
  if (count_ > most) FailParquet("at most " + std::to_string(most) + " values in a page", std::to_string(count_));
}

std::int64_t DeltaReader::ReadNext() {
  if (read_ >= count_) FailParquet("another value", "the last of " + std::to_string(count_) + " values of a page");
  if (read_++ == 0) return last_;
  if (in_miniblock_ == 0) BeginMiniblock();
  --in_miniblock_;
  const std::uint64_t difference = width_ == 0 ? 0 : ReadBits(bytes_, bit_, width_);
  bit_ += width_;
  // The format lets the sum wrap around.
  last_ =
      static_cast<std::int64_t>(static_cast<std::uint64_t>(last_) + static_cast<std::uint64_t>(least_) + difference);
  return last_;
}

void DeltaReader::BeginMiniblock() {
  if (widths_.empty()) {
    least_ = DecodeZigzag(ReadVarint(bytes_, &position_));
    if (miniblocks_ > bytes_.size() - position_) FailParquet("the widths of miniblocks", "the end of the page");
    widths_ = bytes_.subspan(position_, static_cast<std::size_t>(miniblocks_));
    position_ += widths_.size();
  }
  width_ = std::to_integer<unsigned>(widths_[0]);
  widths_ = widths_.subspan(1);
  if (width_ > 64) FailParquet("differences of at most 64 bits", std::to_string(width_));
  in_miniblock_ = block_size_ / miniblocks_;
  bit_ = position_ * std::uint64_t{8};
  // A last miniblock that is cut off is an error only if one of its values is read.
  position_ += static_cast<std::size_t>(std::min<std::uint64_t>(in_miniblock_ / 8 * width_, bytes_.size() - position_));
}

std::size_t DeltaReader::FindEnd() const {
  DeltaReader copy = *this;
  while (copy.read_ < copy.count_) copy.ReadNext();
  return copy.position_;
}

}  // namespace gdal_zarr
