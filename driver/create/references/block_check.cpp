// SPDX-License-Identifier: MIT
#include "driver/create/references/block_check.h"

#include <cpl_vsi.h>

#include <memory>
#include <string>

#include "zarrlib/array/array.h"
#include "zarrlib/metadata/codec_names.h"
#include "zarrlib/store/memory_store.h"

namespace gdal_zarr {
namespace {

/// Returns the elements of a block that are in the array.
zarr::Box GetLiveBox(const zarr::ChunkGrid& grid, const zarr::Shape& index) {
  zarr::Box box{zarr::Shape(index.size()), zarr::Shape(index.size())};
  for (std::size_t i = 0; i < index.size(); ++i) {
    const zarr::ChunkSpan span = grid.axis(i).At(index[i]);
    box.origin[i] = span.start;
    box.shape[i] = span.live;
  }
  return box;
}

zarr::Bytes DecodeBlock(const zarr::ArrayMetadata& metadata, const zarr::Shape& index, const zarr::Bytes& stored) {
  auto store = std::make_shared<zarr::MemoryStore>(zarr::MakeTemporaryName());
  store->Set(metadata.chunk_key_encoding.Format(index), stored);
  const auto array = zarr::Array::Make(std::move(store), "", metadata);
  const zarr::Box box = GetLiveBox(metadata.chunk_grid, index);
  const std::size_t size = metadata.data_type.size;
  zarr::Bytes elements(static_cast<std::size_t>(zarr::ComputeProduct(box.shape)) * size);
  zarr::ReadOptions options;
  options.use_cache = false;
  array->Read(zarr::Selection::FromBox(box), {elements.data(), zarr::GetContiguousStrides(box.shape, size)}, options);
  return elements;
}

zarr::Bytes ReadBySource(const zarr::ArrayMetadata& metadata, const SourceBlocks& blocks, const zarr::Shape& index) {
  const zarr::Box box = GetLiveBox(metadata.chunk_grid, index);
  zarr::Bytes elements(static_cast<std::size_t>(zarr::ComputeProduct(box.shape)) * metadata.data_type.size);
  try {
    blocks.ReadElements(box, elements);
  } catch (const zarr::Error& error) {
    throw error.With("block " + zarr::ToString(index));
  }
  return elements;
}

zarr::ArrayMetadata Describe(const zarr::ArrayMetadata& copy, const BlockCoding& coding,
                             const std::vector<zarr::CodecSpec>& codecs) {
  zarr::ArrayMetadata metadata = copy;
  const bool is_v3 = copy.zarr_format == zarr::ZarrFormat::kV3;
  metadata.chunk_grid = coding.grid;
  if (metadata.data_type.swap_size() > 1) metadata.data_type.endian = coding.endian;
  metadata.codecs = is_v3 ? zarr::ConvertCodecsToV3(codecs, metadata.data_type) : codecs;
  metadata.implicit_bytes = !is_v3;
  return metadata;
}

[[noreturn]] void FailBlock(const SourceBlock& block, const zarr::Shape& index, const std::string& why) {
  throw zarr::Error(zarr::ErrorKind::kUnsupported, block.path, "", "",
                    "block " + zarr::ToString(index) + " cannot be described by a reference: " + why);
}

constexpr const char* kDiffers = "its bytes do not decode to the values that GDAL reads";

}  // namespace

FirstBlocks FindFirstBlocks(const SourceBlocks& blocks) {
  FirstBlocks first;
  const zarr::Shape shape = blocks.coding().grid.grid_shape();
  zarr::Shape index(shape.size());
  if (zarr::ComputeCheckedProduct(shape) == std::uint64_t{0}) return first;
  do {
    auto block = blocks.Find(index);
    if (block && !first.present) first.present.emplace(index, *std::move(block));
    if (!block && !first.absent) first.absent = index;
  } while (!(first.present && first.absent) && zarr::AdvanceIndex(shape, &index));
  return first;
}

zarr::Bytes ReadBlockBytes(const SourceBlock& block) {
  if (block.bytes) return zarr::ToBytes(*block.bytes);
  const std::unique_ptr<VSILFILE, int (*)(VSILFILE*)> file(VSIFOpenL(block.path.c_str(), "rb"), VSIFCloseL);
  if (!file) throw zarr::Error(zarr::ErrorKind::kIo, block.path, "", "", "the file cannot be opened");
  if (block.length > zarr::GetLimit(zarr::Limit::kChunk)) {
    throw zarr::Error(
        zarr::ErrorKind::kLimitExceeded, block.path, "", "",
        zarr::FormatExpectedGot(FormatAtMost(zarr::Limit::kChunk, "bytes in a block"), std::to_string(block.length)));
  }
  zarr::Bytes bytes(static_cast<std::size_t>(block.length));
  if (VSIFSeekL(file.get(), block.offset, SEEK_SET) == 0 &&
      VSIFReadL(bytes.data(), 1, bytes.size(), file.get()) == bytes.size()) {
    return bytes;
  }
  throw zarr::Error(zarr::ErrorKind::kIo, block.path, "", "",
                    std::to_string(block.length) + " bytes at the position " + std::to_string(block.offset) +
                        " of the file cannot be read");
}

zarr::ArrayMetadata DescribeByBlock(const zarr::ArrayMetadata& copy, const SourceBlocks& blocks,
                                    const zarr::Shape& index, const SourceBlock& block) {
  const zarr::Bytes stored = ReadBlockBytes(block);
  std::string why = kDiffers;
  for (const auto& codecs : blocks.coding().codecs) {
    zarr::ArrayMetadata metadata = Describe(copy, blocks.coding(), codecs);
    const zarr::Bytes expected = ReadBySource(metadata, blocks, index);
    try {
      if (DecodeBlock(metadata, index, stored) == expected) return metadata;
      why = kDiffers;
    } catch (const zarr::Error& error) {
      why = error.message();
    }
  }
  FailBlock(block, index, why);
}

zarr::ArrayMetadata DescribeWithoutBlock(const zarr::ArrayMetadata& copy, const SourceBlocks& blocks) {
  return Describe(copy, blocks.coding(), blocks.coding().codecs.front());
}

void CheckBlock(const zarr::ArrayMetadata& metadata, const SourceBlocks& blocks, const zarr::Shape& index,
                const SourceBlock& block) {
  const zarr::Bytes expected = ReadBySource(metadata, blocks, index);
  std::string why = kDiffers;
  try {
    if (DecodeBlock(metadata, index, ReadBlockBytes(block)) == expected) return;
  } catch (const zarr::Error& error) {
    why = error.message();
  }
  FailBlock(block, index, why);
}

}  // namespace gdal_zarr
