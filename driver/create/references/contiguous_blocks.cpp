// SPDX-License-Identifier: MIT
#include "driver/create/references/contiguous_blocks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "driver/gdal/gdal_error.h"

namespace gdal_zarr {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;

/// Returns a divisor of a length that is at most `most`: the largest one, unless that takes long.
std::uint64_t FindDivisor(std::uint64_t length, std::uint64_t most) {
  constexpr std::uint64_t kTries = 100'000;
  std::uint64_t divisor = std::min(length, most);
  for (std::uint64_t i = 0; i < kTries && divisor > 1 && length % divisor != 0; ++i) --divisor;
  return length % divisor == 0 ? divisor : 1;
}

class ContiguousBlocks final : public SourceBlocks {
 public:
  ContiguousBlocks(std::shared_ptr<GDALMDArray> array, ContiguousPlace place)
      : array_(std::move(array)), place_(std::move(place)) {
    zarr::Shape shape;
    for (const auto& dimension : array_->GetDimensions()) shape.push_back(dimension->GetSize());
    coding_.grid = zarr::ChunkGrid::MakeRegular(shape, ChooseChunk(shape));
    coding_.endian = place_.endian;
    coding_.type = place_.type;
    coding_.codecs.emplace_back();
  }

  const BlockCoding& coding() const override { return coding_; }
  std::optional<SourceBlock> Find(const zarr::Shape& index) const override {
    const zarr::Shape grid = coding_.grid.grid_shape();
    const bool has_records = place_.record_distance.has_value();
    std::uint64_t number = 0;
    for (std::size_t i = has_records ? 1 : 0; i < index.size(); ++i) number = number * grid[i] + index[i];
    const std::uint64_t record = has_records ? index[0] * *place_.record_distance : 0;
    return SourceBlock{place_.path, place_.offset + record + number * chunk_size_, chunk_size_};
  }
  void ReadElements(const zarr::Box& box, zarr::MutableByteSpan out) const override {
    if (!place_.type) return ReadBox(*array_, box, out);
    std::vector<std::int16_t> shown(out.size());
    ReadBox(*array_, box, {reinterpret_cast<std::byte*>(shown.data()), shown.size() * sizeof(shown[0])});
    std::ranges::transform(shown, out.begin(), [](std::int16_t value) { return static_cast<std::byte>(value); });
  }

 private:
  std::size_t element_size() const { return place_.type ? place_.type->size : array_->GetDataType().GetSize(); }
  zarr::Shape ChooseChunk(zarr::Shape chunk) {
    if (place_.record_distance) chunk[0] = 1;
    chunk_size_ = zarr::ComputeProduct(chunk) * element_size();
    for (std::size_t i = 0; i < chunk.size() && chunk_size_ > kMostBytes; ++i) {
      const std::uint64_t of_one = chunk_size_ / chunk[i];
      chunk[i] = FindDivisor(chunk[i], std::max<std::uint64_t>(kMostBytes / of_one, 1));
      chunk_size_ = of_one * chunk[i];
    }
    return chunk;
  }

  std::shared_ptr<GDALMDArray> array_;
  ContiguousPlace place_;
  std::uint64_t chunk_size_ = 0;
  BlockCoding coding_;
};

}  // namespace

void ReadBox(const GDALMDArray& array, const zarr::Box& box, zarr::MutableByteSpan out) {
  const std::vector<GUInt64> start(box.origin.begin(), box.origin.end());
  const std::vector<std::size_t> count(box.shape.begin(), box.shape.end());
  const bool is_read = CallThrough(
      [&] { return array.Read(start.data(), count.data(), nullptr, nullptr, array.GetDataType(), out.data()); });
  if (is_read) return;
  throw zarr::Error(zarr::ErrorKind::kIo, array.GetFilename(), array.GetFullName().substr(1), "",
                    "the source cannot be read");
}

std::shared_ptr<const SourceBlocks> MakeContiguousBlocks(std::shared_ptr<GDALMDArray> array, ContiguousPlace place) {
  return std::make_shared<const ContiguousBlocks>(std::move(array), std::move(place));
}

}  // namespace gdal_zarr
