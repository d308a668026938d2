// SPDX-License-Identifier: MIT
#include "driver/create/references/block_check.h"

#include <cpl_vsi.h>

#include <memory>
#include <string>

#include "driver/dataset/attribute_names.h"
#include "zarrlib/array/array.h"
#include "zarrlib/base/limits.h"
#include "zarrlib/json/json_edit.h"
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

bool IsShort(const zarr::ChunkGrid& grid, const zarr::Shape& index) {
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (grid.axis(i).At(index[i]).encoded != grid.axis(i).At(0).encoded) return true;
  }
  return false;
}

zarr::Bytes DecodeBlock(const zarr::ArrayMetadata& metadata, const zarr::Shape& index, const zarr::Bytes& stored) {
  auto store = std::make_shared<zarr::MemoryStore>(zarr::MakeTemporaryName());
  store->Set(metadata.chunk_key_encoding.Format(index), stored);
  const auto array = zarr::Array::Make(std::move(store), "", metadata);
  const zarr::Box box = GetLiveBox(metadata.chunk_grid, index);
  const std::size_t size = metadata.data_type.size;
  zarr::Bytes elements(zarr::ToMemorySize(zarr::ComputeProduct(box.shape) * size));
  zarr::ReadOptions options;
  options.use_cache = false;
  array->Read(zarr::Selection::FromBox(box), {elements.data(), zarr::GetContiguousStrides(box.shape, size)}, options);
  return elements;
}

zarr::Bytes ReadBySource(const zarr::ArrayMetadata& metadata, const SourceBlocks& blocks, const zarr::Shape& index) {
  const zarr::Box box = GetLiveBox(metadata.chunk_grid, index);
  zarr::Bytes elements(zarr::ToMemorySize(zarr::ComputeProduct(box.shape) * metadata.data_type.size));
  try {
    blocks.ReadElements(box, elements);
  } catch (const zarr::Error& error) {
    throw error.With("block " + zarr::ToString(index));
  }
  return elements;
}

[[noreturn]] void FailBlock(const SourceBlock& block, const zarr::Shape& index, const std::string& why) {
  throw zarr::Error(zarr::ErrorKind::kUnsupported, block.path, "", "",
                    "block " + zarr::ToString(index) + " cannot be described by a reference: " + why);
}

}  // namespace

BlockSurvey SurveyBlocks(const SourceBlocks& blocks) {
  BlockSurvey survey;
  const zarr::Shape shape = blocks.coding().grid.grid_shape();
  zarr::Shape index(shape.size());
  if (zarr::ComputeCheckedProduct(shape) == std::uint64_t{0}) return survey;
  const bool is_irregular = blocks.coding().grid.kind() != zarr::ChunkGrid::Kind::kRegular;
  do {
    auto block = blocks.Find(index);
    if (!block) {
      if (!survey.absent) survey.absent = index;
      continue;
    }
    if (!survey.first) survey.first.emplace(index, *block);
    if (is_irregular && IsShort(blocks.coding().grid, index)) survey.short_ones.emplace_back(index, *block);
    survey.last.emplace(index, *std::move(block));
  } while (zarr::AdvanceIndex(shape, &index));
  return survey;
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

/// Returns the fill value of a copy for another type. Throws zarr::Error(unsupported) if that cannot hold it.
static zarr::FillValue ConvertFill(const zarr::ArrayMetadata& copy, const zarr::DataType& type) {
  const auto value = copy.fill_value.defined ? copy.document.Find("fill_value") : std::nullopt;
  if (!value) return zarr::MakeZeroFill(type);
  const bool is_v3 = copy.zarr_format == zarr::ZarrFormat::kV3;
  return is_v3 ? zarr::ParseFillValueV3(*value, type) : zarr::ParseFillValueV2(*value, type);
}

zarr::ArrayMetadata DescribeWith(const zarr::ArrayMetadata& copy, const BlockCoding& coding,
                                 const std::vector<zarr::CodecSpec>& codecs) {
  zarr::ArrayMetadata metadata = copy;
  const bool is_v3 = copy.zarr_format == zarr::ZarrFormat::kV3;
  metadata.chunk_grid = coding.grid;
  if (coding.type) {
    metadata.data_type = *coding.type;
    metadata.fill_value = ConvertFill(copy, *coding.type);
  }
  if (metadata.data_type.swap_size() > 1) metadata.data_type.endian = coding.endian;
  metadata.codecs = is_v3 ? zarr::ConvertCodecsToV3(codecs, metadata.data_type) : codecs;
  metadata.implicit_bytes = !is_v3;
  return metadata;
}

/// Returns why a block does not have the values that GDAL reads; "" if it does.
static std::string FindDifference(const zarr::ArrayMetadata& metadata, const SourceBlocks& blocks,
                                  const std::pair<zarr::Shape, SourceBlock>& block) {
  const zarr::Bytes expected = ReadBySource(metadata, blocks, block.first);
  const zarr::Bytes stored = ReadBlockBytes(block.second);
  try {
    return DecodeBlock(metadata, block.first, stored) == expected
               ? ""
               : "its bytes do not decode to the values that GDAL reads";
  } catch (const zarr::Error& error) {
    return error.message();
  }
}

static void CheckBlock(const zarr::ArrayMetadata& metadata, const SourceBlocks& blocks,
                       const std::pair<zarr::Shape, SourceBlock>& block) {
  const std::string why = FindDifference(metadata, blocks, block);
  if (!why.empty()) FailBlock(block.second, block.first, why);
}

/// Returns the blocks to check after the first one, each once.
static std::vector<std::pair<zarr::Shape, SourceBlock>> ListOthers(const BlockSurvey& survey) {
  auto others = survey.short_ones;
  std::erase_if(others, [&](const auto& block) {
    return block.first == survey.first->first || block.first == survey.last->first;
  });
  if (survey.last->first != survey.first->first) others.insert(others.begin(), *survey.last);
  return others;
}

std::size_t ChooseCodecs(const zarr::ArrayMetadata& copy, const SourceBlocks& blocks, const BlockSurvey& survey) {
  if (!survey.first) return 0;
  const auto& lists = blocks.coding().codecs;
  std::string why;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const zarr::ArrayMetadata metadata = DescribeWith(copy, blocks.coding(), lists[i]);
    why = FindDifference(metadata, blocks, *survey.first);
    if (!why.empty()) continue;
    for (const auto& block : ListOthers(survey)) CheckBlock(metadata, blocks, block);
    return i;
  }
  FailBlock(survey.first->second, survey.first->first, why);
}

zarr::FillValue ReadAbsentValue(const zarr::ArrayMetadata& metadata, const SourceBlocks& blocks,
                                const zarr::Shape& absent) {
  zarr::Box element{zarr::Shape(absent.size()), zarr::Shape(absent.size(), 1)};
  for (std::size_t i = 0; i < absent.size(); ++i) {
    element.origin[i] = blocks.coding().grid.axis(i).At(absent[i]).start;
  }
  zarr::FillValue value{zarr::Bytes(blocks.coding().type.value_or(metadata.data_type).size), true};
  blocks.ReadElements(element, value.bytes);
  return value;
}

void SetAbsentValue(const zarr::FillValue& value, zarr::ArrayMetadata* metadata) {
  if (value.bytes == metadata->fill_value.bytes) return;
  const auto nodata = metadata->document.Find("fill_value");
  if (metadata->fill_value.defined && !zarr::FindMember(metadata->attributes, kFillValueAttribute)) {
    if (!nodata || !nodata->IsNumber()) {
      throw zarr::Error(zarr::ErrorKind::kUnsupported,
                        "blocks that are not stored have another value than the nodata value");
    }
    metadata->attributes = zarr::CopyWithMember(metadata->attributes, kFillValueAttribute, *nodata);
  }
  metadata->fill_value = value;
}

zarr::ArrayMetadata DescribeArray(const zarr::ArrayMetadata& copy, const SourceBlocks& blocks) {
  const BlockSurvey survey = SurveyBlocks(blocks);
  const std::size_t list = ChooseCodecs(copy, blocks, survey);
  zarr::ArrayMetadata metadata = DescribeWith(copy, blocks.coding(), blocks.coding().codecs[list]);
  if (survey.absent) SetAbsentValue(ReadAbsentValue(metadata, blocks, *survey.absent), &metadata);
  return metadata;
}

}  // namespace gdal_zarr
