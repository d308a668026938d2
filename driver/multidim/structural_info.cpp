// SPDX-License-Identifier: MIT
#include "driver/multidim/structural_info.h"
#include "driver/new_array/chunk_edges.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/codec_names.h"
#include "zarrlib/metadata/data_type_names.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// Returns a v1 or v2 codec in the form of numcodecs: {"id": ..., ...}.
JsonNode MakeNumcodecsForm(const zarr::CodecSpec& codec) {
  zarr::JsonMembers members;
  members.emplace_back("id", JsonNode::MakeString(zarr::RemoveNumcodecsPrefix(codec.name)));
  if (codec.configuration.IsObject()) {
    for (auto& member : codec.configuration.GetMembers()) members.push_back(std::move(member));
  }
  return JsonNode::MakeObject(members);
}

void AddMember(const JsonNode& document, const char* member, const char* item, CPLStringList* info) {
  if (!document.IsObject()) return;
  const std::optional<JsonNode> value = document.Find(member);
  if (value && !value->IsNull() && !(value->IsArray() && value->size() == 0)) {
    info->SetNameValue(item, value->Dump().c_str());
  }
}

bool IsCompressor(std::string_view name) {
  name = zarr::RemoveNumcodecsPrefix(name);
  for (const char* compressor : {"blosc", "bz2", "gzip", "lz4", "lzma", "zlib", "zstd", "zfp", "zfpy", "pcodec"}) {
    if (name == compressor) return true;
  }
  return false;
}

/// Adds a list of v3 codecs.
void AddCodecList(const std::optional<JsonNode>& list, CPLStringList* info) {
  if (!list || !list->IsArray() || list->size() == 0) return;
  info->SetNameValue("CODECS", list->Dump().c_str());
  const bool compressed = IsCompressor(zarr::ParseCodecsV3(*list).back().name);
  info->SetNameValue("COMPRESSOR", compressed ? list->GetItems().back().Dump().c_str() : nullptr);
}

void AddCodecs(const zarr::ArrayMetadata& metadata, CPLStringList* info) {
  switch (metadata.zarr_format) {
    case zarr::ZarrFormat::kV0:
    case zarr::ZarrFormat::kV1:
      if (!metadata.codecs.empty() && IsNumcodecs(metadata.codecs.back())) {
        info->SetNameValue("COMPRESSOR", MakeNumcodecsForm(metadata.codecs.back()).Dump().c_str());
      }
      break;
    case zarr::ZarrFormat::kV2:
      AddMember(metadata.document, "compressor", "COMPRESSOR", info);
      AddMember(metadata.document, "filters", "FILTERS", info);
      break;
    case zarr::ZarrFormat::kV3Draft:
      AddMember(metadata.document, "compressor", "COMPRESSOR", info);
      break;
    case zarr::ZarrFormat::kV3:
      AddCodecList(metadata.document.Find("codecs"), info);
      break;
  }
}

void AddChunkEdges(const zarr::ChunkGrid& grid, CPLStringList* info) {
  if (grid.kind() != zarr::ChunkGrid::Kind::kRectilinear) return;
  std::string text;
  for (std::size_t i = 0; i < grid.rank(); ++i) text += (i ? "," : "") + FormatEdges(grid.axis(i));
  info->SetNameValue("CHUNK_EDGES", ("[" + text + "]").c_str());
}

void AddTimeUnit(const zarr::DataType& type, CPLStringList* info) {
  const bool is_date = type.kind == zarr::DataType::Kind::kDatetime64;
  if (!is_date && type.kind != zarr::DataType::Kind::kTimedelta64) return;
  info->SetNameValue("data_type.name", std::string(is_date ? zarr::kDatetime64Name : zarr::kTimedelta64Name).c_str());
  info->SetNameValue("data_type.unit", type.unit.c_str());
  info->SetNameValue("data_type.scale_factor", std::to_string(type.unit_count).c_str());
}

/// Returns the codecs of inner chunks, if `codecs` create shards.
std::optional<JsonNode> FindInnerCodecs(const std::vector<zarr::CodecSpec>& codecs) {
  const auto shards = std::find_if(codecs.begin(), codecs.end(),
                                   [](const zarr::CodecSpec& codec) { return codec.name == zarr::kShardingName; });
  return shards == codecs.end() ? std::nullopt : shards->configuration.Find("codecs");
}

const char* GetEndianness(const zarr::DataType& type, const std::vector<zarr::CodecSpec>& codecs) {
  zarr::Endian endian = type.endian.value_or(zarr::Endian::kLittle);
  for (const zarr::CodecSpec& codec : codecs) {
    if (codec.name != "bytes" || !codec.configuration.IsObject()) continue;
    const std::optional<JsonNode> value = codec.configuration.Find("endian");
    if (value && value->IsString()) {
      endian = value->AsString() == "big" ? zarr::Endian::kBig : zarr::Endian::kLittle;
    }
  }
  return endian == zarr::Endian::kBig ? "BIG" : "LITTLE";
}

void AddTransposeOrder(const std::vector<zarr::CodecSpec>& codecs, CPLStringList* info) {
  for (const zarr::CodecSpec& codec : codecs) {
    if (codec.name == "transpose") AddMember(codec.configuration, "order", "TRANSPOSE_ORDER", info);
  }
}

}  // namespace

CPLStringList MakeStructuralInfo(const zarr::Array& array) {
  CPLStringList info;
  AddTimeUnit(array.data_type(), &info);
  AddCodecs(array.metadata(), &info);
  AddChunkEdges(array.metadata().chunk_grid, &info);
  return info;
}

CPLStringList DescribeRawBlockCoding(const zarr::Array& array) {
  CPLStringList info = MakeStructuralInfo(array);
  std::vector<zarr::CodecSpec> codecs = array.metadata().codecs;
  AddTransposeOrder(codecs, &info);
  while (const std::optional<JsonNode> inner = FindInnerCodecs(codecs)) {
    info.SetNameValue("CHUNK_TYPE", "INNER");
    AddCodecList(inner, &info);
    codecs = zarr::ParseCodecsV3(*inner);
    AddTransposeOrder(codecs, &info);
  }
  if (array.data_type().swap_size() > 1) {
    info.SetNameValue("ENDIANNESS", GetEndianness(array.data_type(), codecs));
  }
  return info;
}

}  // namespace gdal_zarr
