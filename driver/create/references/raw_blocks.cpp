// SPDX-License-Identifier: MIT
#include "driver/create/references/raw_blocks.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "driver/create/references/block_codecs.h"
#include "driver/create/references/contiguous_blocks.h"
#include "driver/create/references/netcdf_classic.h"
#include "driver/gdal/gdal_error.h"
#include "driver/multidim/chunk_place.h"
#include "driver/multidim/md_array.h"
#include "zarrlib/array/read/inner_chunk_location.h"
#include "zarrlib/metadata/codec_names.h"

namespace gdal_zarr {
namespace {

/// The largest array, in bytes, whose values become parts of references.
constexpr std::uint64_t kMostInline = 1 << 16;

// --- arrays of this driver ------------------------------------------------------------------------------------------

/// Returns the codecs of inner chunks.
std::vector<zarr::CodecSpec> GetInnerCodecs(const zarr::ArrayMetadata& metadata) {
  std::vector<zarr::CodecSpec> codecs = metadata.codecs;
  for (;;) {
    const auto shards = std::ranges::find(codecs, zarr::kShardingName, &zarr::CodecSpec::name);
    if (shards == codecs.end()) return codecs;
    codecs = zarr::ParseCodecsV3(shards->configuration.At("codecs"));
  }
}

class OwnBlocks final : public SourceBlocks {
 public:
  OwnBlocks(std::shared_ptr<GDALMDArray> gdal_array, std::shared_ptr<const zarr::Array> array)
      : gdal_array_(std::move(gdal_array)), array_(std::move(array)) {
    const zarr::ArrayMetadata& metadata = array_->metadata();
    const auto inner = array_->inner_chunk_shape();
    coding_.grid = inner ? zarr::ChunkGrid::MakeRegular(metadata.shape, *inner) : metadata.chunk_grid;
    coding_.endian = zarr::GetStoredEndian(metadata.data_type).value_or(zarr::Endian::kLittle);
    if (metadata.data_type.size != gdal_array_->GetDataType().GetSize()) coding_.type = metadata.data_type;
    coding_.codecs.push_back(GetInnerCodecs(metadata));
    coding_.needs_v3 = metadata.zarr_format == zarr::ZarrFormat::kV3;
  }

  const BlockCoding& coding() const override { return coding_; }
  std::optional<SourceBlock> Find(const zarr::Shape& index) const override {
    auto place = FindChunkPlace(*array_, index);
    if (!place) return std::nullopt;
    return SourceBlock{std::move(place->path), place->offset, place->length, std::move(place->bytes)};
  }
  void ReadElements(const zarr::Box& box, zarr::MutableByteSpan out) const override {
    if (!coding_.type) return ReadBox(*gdal_array_, box, out);
    array_->Read(zarr::Selection::FromBox(box), {out.data(), zarr::GetContiguousStrides(box.shape, coding_.type->size)},
                 {});
  }

 private:
  std::shared_ptr<GDALMDArray> gdal_array_;
  std::shared_ptr<const zarr::Array> array_;
  BlockCoding coding_;
};

std::shared_ptr<const SourceBlocks> FindOwnBlocks(const std::shared_ptr<GDALMDArray>& array) {
  const std::shared_ptr<const zarr::Array> own = AsOwnMDArray(array.get())->shared_array();
  if (own->unsupported()) throw *own->unsupported();
  return std::make_shared<OwnBlocks>(array, own);
}

// --- arrays of other drivers ----------------------------------------------------------------------------------------

#ifdef ZARR_HAS_RAW_BLOCK_INFO

class RawBlocks final : public SourceBlocks {
 public:
  /// Throws zarr::Error(unsupported) for blocks that cannot be described.
  RawBlocks(std::shared_ptr<GDALMDArray> array, const GDALMDArrayRawBlockInfo& first);

  const BlockCoding& coding() const override { return coding_; }
  std::optional<SourceBlock> Find(const zarr::Shape& index) const override;
  void ReadElements(const zarr::Box& box, zarr::MutableByteSpan out) const override { ReadBox(*array_, box, out); }

 private:
  std::shared_ptr<GDALMDArray> array_;
  CPLStringList info_;  // of the blocks
  BlockCoding coding_;
};

RawBlocks::RawBlocks(std::shared_ptr<GDALMDArray> array, const GDALMDArrayRawBlockInfo& first)
    : array_(std::move(array)), info_(CSLDuplicate(first.papszInfo)) {
  zarr::Shape shape;
  zarr::Shape chunk;
  const std::vector<GUInt64> blocks = array_->GetBlockSize();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    shape.push_back(array_->GetDimensions()[i]->GetSize());
    chunk.push_back(blocks[i] > 0 ? blocks[i] : shape[i]);
  }
  coding_ = MakeBlockCoding(info_.List(), array_->GetDataType().GetSize());
  coding_.grid = zarr::ChunkGrid::MakeRegular(shape, chunk);
}

std::optional<SourceBlock> RawBlocks::Find(const zarr::Shape& index) const {
  GDALMDArrayRawBlockInfo info;
  std::string why;
  bool found = false;
  {
    const ErrorCollector errors;
    const std::vector<uint64_t> indices(index.begin(), index.end());
    found = array_->GetRawBlockInfo(indices.data(), info);
    why = errors.GetText();
  }
  if (!found) {
    throw zarr::Error(zarr::ErrorKind::kUnsupported, array_->GetFilename(), "", "",
                      "GDAL does not tell where block " + zarr::ToString(index) + " is stored: " + why);
  }
  if (!info.pszFilename && !info.pabyInlineData) return std::nullopt;
  if (!AreSameItems(info_.List(), info.papszInfo)) {
    throw zarr::Error(zarr::ErrorKind::kUnsupported, array_->GetFilename(), "", "",
                      "block " + zarr::ToString(index) + " is stored in another way than the first one");
  }
  SourceBlock block{info.pszFilename ? info.pszFilename : "", info.nOffset, info.nSize};
  if (info.pabyInlineData) {
    block.bytes.emplace(reinterpret_cast<const char*>(info.pabyInlineData), static_cast<std::size_t>(info.nSize));
  }
  return block;
}

/// Asks for the last block: GDAL's driver of HDF5 counts blocks that are stored, so that it finds a wrong block, or
/// none, if some are absent.
void CheckHasAllBlocks(const GDALMDArray& array, const SourceBlocks& blocks) {
  zarr::Shape last = blocks.coding().grid.grid_shape();
  for (std::uint64_t& length : last) --length;
  try {
    blocks.Find(last);
  } catch (const zarr::Error& error) {
    throw zarr::Error(zarr::ErrorKind::kUnsupported, array.GetFilename(), "", "",
                      "some of the blocks are absent, and GDAL does not tell which: " + error.message());
  }
}

std::shared_ptr<const SourceBlocks> FindBlocksOfGdal(const std::shared_ptr<GDALMDArray>& array) {
  GDALMDArrayRawBlockInfo info;
  {
    const ErrorCollector quiet;
    const std::vector<uint64_t> first(array->GetDimensionCount());
    if (!array->GetRawBlockInfo(first.data(), info) || (!info.pszFilename && !info.pabyInlineData)) return nullptr;
  }
  auto blocks = std::make_shared<const RawBlocks>(array, info);
  const std::vector<GUInt64> edges = array->GetBlockSize();
  const bool is_contiguous = std::ranges::all_of(edges, [](GUInt64 edge) { return edge == 0; });
  if (is_contiguous && info.pszFilename && blocks->coding().codecs.front().empty()) {
    return MakeContiguousBlocks(array, {info.pszFilename, info.nOffset, blocks->coding().endian});
  }
  CheckHasAllBlocks(*array, *blocks);
  return blocks;
}

#endif

/// Returns true for a small array of records of a few bytes, such as times.
bool HasTinyRecords(const GDALMDArray& array, const ContiguousPlace& place) {
  if (!place.record_distance || !IsSmallArray(array)) return false;
  const std::uint64_t size = array.GetTotalElementsCount() * array.GetDataType().GetSize();
  return size / array.GetDimensions().front()->GetSize() < kTinyBlock;
}

}  // namespace

bool IsSmallArray(const GDALMDArray& array) {
  std::optional<std::uint64_t> size = array.GetDataType().GetSize();
  for (const auto& dimension : array.GetDimensions()) {
    if (size) size = zarr::MultiplyChecked(*size, dimension->GetSize());
  }
  return size && *size <= kMostInline;
}

std::shared_ptr<const SourceBlocks> FindRawBlocks(const std::shared_ptr<GDALMDArray>& array, TinyRecords records) {
  if (array->GetDataType().GetClass() != GEDTC_NUMERIC) return nullptr;
  for (const auto& dimension : array->GetDimensions()) {
    if (dimension->GetSize() == 0) return nullptr;
  }
  if (AsOwnMDArray(array.get())) return FindOwnBlocks(array);
#ifdef ZARR_HAS_RAW_BLOCK_INFO
  if (auto blocks = FindBlocksOfGdal(array)) return blocks;
#endif
  auto place = FindClassicVariable(*array);
  if (!place || (records == TinyRecords::kPassOver && HasTinyRecords(*array, *place))) return nullptr;
  return MakeContiguousBlocks(array, *std::move(place));
}

}  // namespace gdal_zarr
