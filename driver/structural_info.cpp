#include "driver/structural_info.h"

#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/json/json_node.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

constexpr std::string_view kNumcodecs = "numcodecs.";

/// A v1 or v2 codec as numcodecs writes it: {"id": ..., ...}.
JsonNode NumcodecsForm(const zarr::CodecSpec& codec) {
  std::vector<std::pair<std::string, JsonNode>> members;
  members.emplace_back("id", JsonNode::MakeString(std::string_view(codec.name).substr(kNumcodecs.size())));
  if (codec.configuration.IsObject()) {
    for (auto& member : codec.configuration.Members()) members.push_back(std::move(member));
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
  if (name.starts_with(kNumcodecs)) name.remove_prefix(kNumcodecs.size());
  for (const char* compressor : {"blosc", "bz2", "gzip", "lz4", "lzma", "zlib", "zstd", "zfp", "zfpy", "pcodec"}) {
    if (name == compressor) return true;
  }
  return false;
}

void AddCodecs(const zarr::ArrayMetadata& metadata, CPLStringList* info) {
  switch (metadata.zarr_format) {
    case zarr::ZarrFormat::kV0:
    case zarr::ZarrFormat::kV1:
      if (!metadata.codecs.empty() && metadata.codecs.back().name.starts_with(kNumcodecs)) {
        info->SetNameValue("COMPRESSOR", NumcodecsForm(metadata.codecs.back()).Dump().c_str());
      }
      break;
    case zarr::ZarrFormat::kV2:
      AddMember(metadata.document, "compressor", "COMPRESSOR", info);
      AddMember(metadata.document, "filters", "FILTERS", info);
      break;
    case zarr::ZarrFormat::kV3:
      AddMember(metadata.document, "codecs", "CODECS", info);
      if (!metadata.codecs.empty() && IsCompressor(metadata.codecs.back().name)) {
        const std::vector<JsonNode> codecs = metadata.document.At("codecs").Items();
        info->SetNameValue("COMPRESSOR", codecs.back().Dump().c_str());
      }
      break;
  }
}

/// [4,2,[3,5]]: edges of 4, 2, and five of 3.
std::string EdgesOf(const zarr::ChunkAxis& axis) {
  std::string text;
  for (const zarr::ChunkRun& run : axis.runs()) {
    if (!text.empty()) text += ",";
    const std::string edge = std::to_string(run.edge);
    text += run.count == 1 ? edge : "[" + edge + "," + std::to_string(run.count) + "]";
  }
  return "[" + text + "]";
}

void AddChunkEdges(const zarr::ChunkGrid& grid, CPLStringList* info) {
  if (grid.kind() != zarr::ChunkGrid::Kind::kRectilinear) return;
  std::string text;
  for (std::size_t i = 0; i < grid.rank(); ++i) text += (i ? "," : "") + EdgesOf(grid.axis(i));
  info->SetNameValue("CHUNK_EDGES", ("[" + text + "]").c_str());
}

void AddTimeUnit(const zarr::DataType& type, CPLStringList* info) {
  const bool is_date = type.kind == zarr::DataType::Kind::kDatetime64;
  if (!is_date && type.kind != zarr::DataType::Kind::kTimedelta64) return;
  info->SetNameValue("data_type.name", is_date ? "numpy.datetime64" : "numpy.timedelta64");
  info->SetNameValue("data_type.unit", type.unit.c_str());
  info->SetNameValue("data_type.scale_factor", std::to_string(type.unit_count).c_str());
}

}  // namespace

CPLStringList StructuralInfo(const zarr::Array& array) {
  CPLStringList info;
  AddTimeUnit(array.data_type(), &info);
  AddCodecs(array.metadata(), &info);
  AddChunkEdges(array.metadata().chunk_grid, &info);
  return info;
}

}  // namespace gdal_zarr
