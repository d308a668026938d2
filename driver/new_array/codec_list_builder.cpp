// SPDX-License-Identifier: MIT
#include "driver/new_array/codec_list_builder.h"

#include <cpl_string.h>

#include <string>
#include <utility>

#include "zarrlib/base/text.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/codec_names.h"

namespace gdal_zarr {
namespace {

using zarr::CodecSpec;
using zarr::DataType;
using zarr::JsonMembers;
using zarr::JsonNode;
using zarr::ZarrFormat;

JsonNode MakeInteger(std::int64_t value) {
  return JsonNode::MakeInteger(value);
}

CodecSpec MakeNumcodecs(const char* id, const JsonMembers& members) {
  return {zarr::MakeNumcodecsName(id), JsonNode::MakeObject(members)};
}

bool IsInteger(const DataType& type) {
  return type.kind == DataType::Kind::kInt || type.kind == DataType::Kind::kUint;
}

bool IsFloat(const DataType& type) {
  return type.kind == DataType::Kind::kFloat;
}

/// Makes NumPy's name of a numeric type, such as "<i4". NumPy writes "|i1" for a single byte, but not all readers of
/// filters accept the "|", so it is omitted.
std::string MakeTypestr(char letter, std::size_t size) {
  return (size == 1 ? "" : "<") + std::string(1, letter) + std::to_string(size);
}

/// Returns the name of a type for messages.
std::string FormatType(const DataType& type) {
  if (IsInteger(type)) {
    return (type.kind == DataType::Kind::kInt ? "int" : "uint") + std::to_string(8 * type.size);
  }
  if (IsFloat(type)) return "float" + std::to_string(8 * type.size);
  return type.kind == DataType::Kind::kComplex ? "complex" + std::to_string(8 * type.size) : "that is not numeric";
}

CodecSpec MakeDelta(const std::string& typestr) {
  return MakeNumcodecs("delta", {{"dtype", JsonNode::MakeString(typestr)}});
}

CodecSpec MakeShuffle(std::size_t size) {
  return MakeNumcodecs("shuffle", {{"elementsize", MakeInteger(static_cast<std::int64_t>(size))}});
}

/// Returns the predictor. The default is 2 for integers in v2: all readers have that filter, and it saves a sixth of
/// the size. In v3 the filter is an extension that few readers support.
std::string GetPredictor(const CreationOptions& options, const DataType& type, ZarrFormat format) {
  for (const char* choice : {"COMPRESS", "FILTER", "PREDICTOR", "BLOSC_SHUFFLE"}) {
    if (options.Has(choice)) return options.GetText("PREDICTOR");
  }
  return format == ZarrFormat::kV2 && IsInteger(type) && type.size > 1 ? "2" : "1";
}

void AddPredictor(const CreationOptions& options, const DataType& type, ZarrFormat format,
                  std::vector<CodecSpec>* codecs) {
  const std::string predictor = GetPredictor(options, type, format);
  if (predictor == "1") return;
  if (predictor == "2") {
    // Rounding makes differences of floats inexact.
    if (!IsInteger(type)) FailOption("PREDICTOR", "1 or 3 (2 is for integers)", "2 for type " + FormatType(type));
    codecs->push_back(MakeDelta(MakeTypestr(type.kind == DataType::Kind::kInt ? 'i' : 'u', type.size)));
    return;
  }
  if (!IsFloat(type))
    FailOption("PREDICTOR", "1 or 2 (3 is for floating-point numbers)", "3 for type " + FormatType(type));
  // Computes differences of the bits as integers, which is exact. In v3, readers would use the filter's type as the
  // array's.
  if (format == ZarrFormat::kV2) codecs->push_back(MakeDelta(MakeTypestr('i', type.size)));
  codecs->push_back(MakeShuffle(type.size));
}

void AddFilter(const CreationOptions& options, const DataType& type, std::vector<CodecSpec>* codecs) {
  const std::string filter = options.GetText("FILTER");
  if (filter == "NONE") return;
  if (filter == "SHUFFLE") {
    if (type.variable()) FailOption("FILTER", "a filter for type " + FormatType(type), filter);
    codecs->push_back(MakeShuffle(type.size));
  } else if (filter == "BITROUND") {
    if (!IsFloat(type)) FailOption("FILTER", "a filter for type " + FormatType(type), filter);
    codecs->push_back(MakeNumcodecs("bitround", {{"keepbits", MakeInteger(options.GetInteger("BITROUND_KEEPBITS"))}}));
  } else {
    std::string typestr = options.GetText("DELTA_DTYPE");
    if (typestr.empty() && !IsInteger(type)) FailOption("FILTER", "a filter for type " + FormatType(type), filter);
    if (typestr.empty()) typestr = MakeTypestr(type.kind == DataType::Kind::kInt ? 'i' : 'u', type.size);
    codecs->push_back(MakeDelta(typestr));
  }
}

/// Returns true if the choice of codecs is left to the driver. v1 keeps the codecs that all its readers support.
bool ChoosesFreely(const CreationOptions& options, ZarrFormat format) {
  return !options.Has("COMPRESS") && format != ZarrFormat::kV1;
}

/// For rasters, shuffled bits compress better and faster than shuffled bytes.
std::string GetShuffle(const CreationOptions& options, const DataType& type, ZarrFormat format) {
  const bool number = IsInteger(type) || IsFloat(type) || type.kind == DataType::Kind::kComplex;
  if (ChoosesFreely(options, format) && number && !options.Has("BLOSC_SHUFFLE")) return "BIT";
  return options.GetText("BLOSC_SHUFFLE");
}

CodecSpec MakeBlosc(const CreationOptions& options, const DataType& type, ZarrFormat format) {
  std::string name = options.GetText("BLOSC_CNAME");
  if (name.empty()) name = ChoosesFreely(options, format) ? "zstd" : "lz4";
  const std::string shuffle = GetShuffle(options, type, format);
  const bool shuffles = !type.variable() && type.size > 1;
  const std::int64_t mode = shuffle == "BIT" ? 2 : shuffle == "BYTE" && shuffles ? 1 : 0;
  return MakeNumcodecs("blosc", {{"cname", JsonNode::MakeString(name)},
                                 {"clevel", MakeInteger(options.GetInteger("BLOSC_CLEVEL"))},
                                 {"shuffle", MakeInteger(type.variable() ? 0 : mode)},
                                 {"blocksize", MakeInteger(options.GetInteger("BLOSC_BLOCKSIZE"))}});
}

CodecSpec MakeLzma(const CreationOptions& options) {
  const JsonNode preset = MakeInteger(options.GetInteger("LZMA_PRESET"));
  JsonMembers members{
      {"format", MakeInteger(1)}, {"check", MakeInteger(-1)}, {"preset", preset}, {"filters", JsonNode()}};
  if (options.Has("LZMA_DELTA")) {
    const JsonNode delta =
        JsonNode::MakeObject({{"id", MakeInteger(3)}, {"dist", MakeInteger(options.GetInteger("LZMA_DELTA"))}});
    const JsonNode lzma2 = JsonNode::MakeObject({{"id", MakeInteger(33)}, {"preset", preset}});
    // numcodecs takes filters with liblzma's raw format alone.
    members[0].second = MakeInteger(3);
    members[2].second = JsonNode();
    members[3].second = JsonNode::MakeArray({delta, lzma2});
  }
  return MakeNumcodecs("lzma", members);
}

CodecSpec MakeZfp(const CreationOptions& options, const DataType& type) {
  constexpr int kFixedAccuracy = 4;  // numbers of libzfp's modes
  constexpr int kReversible = 5;
  if (!(IsFloat(type) || type.kind == DataType::Kind::kInt) || type.size < 4) {
    FailOption("COMPRESS", "a compression for type " + FormatType(type), "ZFP");
  }
  const std::string tolerance = options.GetText("ZFP_TOLERANCE");
  const double value = tolerance.empty() ? -1 : zarr::ParseNumber<double>(tolerance).value_or(0);
  if (!tolerance.empty() && !(value > 0)) FailOption("ZFP_TOLERANCE", "a number above 0", tolerance);
  return MakeNumcodecs("zfpy", {{"mode", MakeInteger(tolerance.empty() ? kReversible : kFixedAccuracy)},
                                {"tolerance", JsonNode::MakeFloat(value)},
                                {"rate", MakeInteger(-1)},
                                {"precision", MakeInteger(-1)}});
}

CodecSpec MakeCodecWithLevel(const char* id, const CreationOptions& options, const char* option) {
  return MakeNumcodecs(id, {{"level", MakeInteger(options.GetInteger(option))}});
}

void AddCompressor(const CreationOptions& options, const DataType& type, ZarrFormat format,
                   std::vector<CodecSpec>* codecs) {
  const std::size_t others = codecs->size();
  const std::string name = options.Has("COMPRESS") ? options.GetText("COMPRESS") : "BLOSC";
  if (name == "BLOSC") codecs->push_back(MakeBlosc(options, type, format));
  if (name == "ZLIB") codecs->push_back(MakeCodecWithLevel("zlib", options, "ZLIB_LEVEL"));
  if (name == "GZIP") codecs->push_back(MakeCodecWithLevel("gzip", options, "GZIP_LEVEL"));
  if (name == "BZ2") codecs->push_back(MakeCodecWithLevel("bz2", options, "BZ2_LEVEL"));
  if (name == "LZMA") codecs->push_back(MakeLzma(options));
  if (name == "ZFP") codecs->push_back(MakeZfp(options, type));
  if (name == "ZSTD") {
    JsonMembers members{{"level", MakeInteger(options.GetInteger("ZSTD_LEVEL"))}};
    if (options.GetBoolean("ZSTD_CHECKSUM")) members.emplace_back("checksum", JsonNode::MakeBoolean(true));
    codecs->push_back(MakeNumcodecs("zstd", members));
  }
  if (name == "LZ4") {
    codecs->push_back(MakeNumcodecs("lz4", {{"acceleration", MakeInteger(options.GetInteger("LZ4_ACCELERATION"))}}));
  }
  const bool is_known = codecs->size() > others || name == "NONE";
  if (!is_known) codecs->push_back(MakeNumcodecs(CPLString(name).tolower().c_str(), {}));
}

/// Parses the option CODECS: items in v2's form have an "id", items in v3's form a "name".
std::vector<CodecSpec> ParseCodecs(const std::string& text) {
  const JsonNode list = JsonNode::Parse(text, "creation option", "CODECS");
  if (!list.IsArray()) list.FailExpected("a list of codecs");
  std::vector<CodecSpec> codecs;
  for (const JsonNode& item : list.GetItems()) {
    if (!item.IsObject()) item.FailExpected("an object with an \"id\" or a \"name\"");
    if (item.Has("id")) {
      JsonMembers members;
      for (auto& member : item.GetMembers()) {
        if (member.first != "id") members.push_back(std::move(member));
      }
      codecs.push_back({zarr::MakeNumcodecsName(item.At("id").AsString()), JsonNode::MakeObject(members, item)});
    } else {
      const auto configuration = item.Find("configuration");
      codecs.push_back({item.At("name").AsString(), configuration ? *configuration : JsonNode::MakeObject({}, item)});
    }
  }
  return codecs;
}

CodecSpec MakeReversedAxes(std::size_t rank) {
  std::vector<JsonNode> order;
  for (std::size_t i = rank; i-- > 0;) order.push_back(MakeInteger(static_cast<std::int64_t>(i)));
  return {"transpose", JsonNode::MakeObject({{"order", JsonNode::MakeArray(order)}})};
}

}  // namespace

std::vector<CodecSpec> MakeCodecs(const CreationOptions& options, const DataType& type, std::size_t rank,
                                  ZarrFormat format) {
  if (options.Has("CODECS")) {
    for (const char* other : {"COMPRESS", "FILTER", "PREDICTOR"}) {
      if (options.Has(other)) FailOption(other, "nothing beside CODECS", options.GetText(other));
    }
    if (options.GetText("CHUNK_MEMORY_LAYOUT") == "F")
      FailOption("CHUNK_MEMORY_LAYOUT", "C beside CODECS, which may have a transpose", "F");
    return ParseCodecs(options.GetText("CODECS"));
  }
  std::vector<CodecSpec> codecs;
  if (options.GetText("CHUNK_MEMORY_LAYOUT") == "F" && rank > 1) codecs.push_back(MakeReversedAxes(rank));
  if (type.kind == DataType::Kind::kString) codecs.push_back(MakeNumcodecs("vlen-utf8", {}));
  if (type.kind == DataType::Kind::kBytes) codecs.push_back(MakeNumcodecs("vlen-bytes", {}));
  if (options.GetText("PREDICTOR") != "1" && options.GetText("FILTER") != "NONE") {
    FailOption("FILTER", "NONE, since there is a PREDICTOR", options.GetText("FILTER"));
  }
  AddPredictor(options, type, format, &codecs);
  AddFilter(options, type, &codecs);
  AddCompressor(options, type, format, &codecs);
  return codecs;
}

}  // namespace gdal_zarr
