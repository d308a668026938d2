#include "driver/new_array/codec_list_builder.h"

#include <string>
#include <utility>

namespace gdal_zarr {
namespace {

using zarr::CodecSpec;
using zarr::DataType;
using zarr::JsonNode;
using zarr::ZarrFormat;
using Members = std::vector<std::pair<std::string, JsonNode>>;

JsonNode Integer(std::int64_t value) {
  return JsonNode::MakeInteger(value);
}

CodecSpec Numcodecs(const char* id, const Members& members) {
  return {"numcodecs." + std::string(id), JsonNode::MakeObject(members)};
}

bool IsInteger(const DataType& type) {
  return type.kind == DataType::Kind::kInt || type.kind == DataType::Kind::kUint;
}

bool IsFloat(const DataType& type) {
  return type.kind == DataType::Kind::kFloat;
}

/// NumPy's name of a number, such as "<i4". A byte has none of order: "|i1" is not what all readers of filters know.
std::string Typestr(char letter, std::size_t size) {
  return (size == 1 ? "" : "<") + std::string(1, letter) + std::to_string(size);
}

/// For messages.
std::string TypeText(const DataType& type) {
  if (IsInteger(type)) {
    return (type.kind == DataType::Kind::kInt ? "int" : "uint") + std::to_string(8 * type.size);
  }
  if (IsFloat(type)) return "float" + std::to_string(8 * type.size);
  return type.kind == DataType::Kind::kComplex ? "complex" + std::to_string(8 * type.size) : "that is no number";
}

CodecSpec Delta(const std::string& typestr) {
  return Numcodecs("delta", {{"dtype", JsonNode::MakeString(typestr)}});
}

CodecSpec Shuffle(std::size_t size) {
  return Numcodecs("shuffle", {{"elementsize", Integer(static_cast<std::int64_t>(size))}});
}

/// 2 for integers of v2 if nothing else is asked for: all its readers have the filter, which makes them smaller by a
/// sixth. In v3 it is an extension that few know.
std::string PredictorOf(const CreationOptions& options, const DataType& type, ZarrFormat format) {
  for (const char* choice : {"COMPRESS", "FILTER", "PREDICTOR", "BLOSC_SHUFFLE"}) {
    if (options.Has(choice)) return options.Text("PREDICTOR");
  }
  return format == ZarrFormat::kV2 && IsInteger(type) && type.size > 1 ? "2" : "1";
}

void AddPredictor(const CreationOptions& options, const DataType& type, ZarrFormat format,
                  std::vector<CodecSpec>* codecs) {
  const std::string predictor = PredictorOf(options, type, format);
  if (predictor == "1") return;
  if (predictor == "2") {
    // Differences of floats are rounded: bits would be lost.
    if (!IsInteger(type)) FailOption("PREDICTOR", "1 or 3 (2 is for integers)", "2 for type " + TypeText(type));
    codecs->push_back(Delta(Typestr(type.kind == DataType::Kind::kInt ? 'i' : 'u', type.size)));
    return;
  }
  if (!IsFloat(type))
    FailOption("PREDICTOR", "1 or 2 (3 is for floating-point numbers)", "3 for type " + TypeText(type));
  // Of the bits as integers, which loses nothing. In v3 readers take the filter's type for that of the array.
  if (format == ZarrFormat::kV2) codecs->push_back(Delta(Typestr('i', type.size)));
  codecs->push_back(Shuffle(type.size));
}

void AddFilter(const CreationOptions& options, const DataType& type, std::vector<CodecSpec>* codecs) {
  const std::string filter = options.Text("FILTER");
  if (filter == "NONE") return;
  if (filter == "SHUFFLE") {
    codecs->push_back(Shuffle(type.size));
  } else if (filter == "BITROUND") {
    if (!IsFloat(type)) FailOption("FILTER", "a filter for type " + TypeText(type), filter);
    codecs->push_back(Numcodecs("bitround", {{"keepbits", Integer(options.Integer("BITROUND_KEEPBITS"))}}));
  } else {
    std::string typestr = options.Text("DELTA_DTYPE");
    if (typestr.empty() && !IsInteger(type)) FailOption("FILTER", "a filter for type " + TypeText(type), filter);
    if (typestr.empty()) typestr = Typestr(type.kind == DataType::Kind::kInt ? 'i' : 'u', type.size);
    codecs->push_back(Delta(typestr));
  }
}

/// Whether the user leaves the choice to the driver. v1 stays with what all its readers have.
bool ChoosesFreely(const CreationOptions& options, ZarrFormat format) {
  return !options.Has("COMPRESS") && format != ZarrFormat::kV1;
}

/// Of rasters, shuffled bits compress better than bytes, and faster.
std::string ShuffleOf(const CreationOptions& options, const DataType& type, ZarrFormat format) {
  const bool number = IsInteger(type) || IsFloat(type) || type.kind == DataType::Kind::kComplex;
  if (ChoosesFreely(options, format) && number && !options.Has("BLOSC_SHUFFLE")) return "BIT";
  return options.Text("BLOSC_SHUFFLE");
}

CodecSpec Blosc(const CreationOptions& options, const DataType& type, ZarrFormat format) {
  std::string name = options.Text("BLOSC_CNAME");
  if (name.empty()) name = ChoosesFreely(options, format) ? "zstd" : "lz4";
  const std::string shuffle = ShuffleOf(options, type, format);
  const bool shuffles = !type.variable() && type.size > 1;
  const std::int64_t mode = shuffle == "BIT" ? 2 : shuffle == "BYTE" && shuffles ? 1 : 0;
  return Numcodecs("blosc", {{"cname", JsonNode::MakeString(name)},
                             {"clevel", Integer(options.Integer("BLOSC_CLEVEL"))},
                             {"shuffle", Integer(type.variable() ? 0 : mode)},
                             {"blocksize", Integer(options.Integer("BLOSC_BLOCKSIZE"))}});
}

CodecSpec Lzma(const CreationOptions& options) {
  const JsonNode preset = Integer(options.Integer("LZMA_PRESET"));
  Members members{{"format", Integer(1)}, {"check", Integer(-1)}, {"preset", preset}, {"filters", JsonNode()}};
  if (options.Has("LZMA_DELTA")) {
    const JsonNode delta = JsonNode::MakeObject({{"id", Integer(3)}, {"dist", Integer(options.Integer("LZMA_DELTA"))}});
    const JsonNode lzma2 = JsonNode::MakeObject({{"id", Integer(33)}, {"preset", preset}});
    members[2].second = JsonNode();
    members[3].second = JsonNode::MakeArray({delta, lzma2});
  }
  return Numcodecs("lzma", members);
}

CodecSpec Zfp(const CreationOptions& options, const DataType& type) {
  constexpr int kFixedAccuracy = 4;  // libzfp's numbers of its modes
  constexpr int kReversible = 5;
  if (!(IsFloat(type) || type.kind == DataType::Kind::kInt) || type.size < 4) {
    FailOption("COMPRESS", "a compression for type " + TypeText(type), "ZFP");
  }
  const std::string tolerance = options.Text("ZFP_TOLERANCE");
  const double value = tolerance.empty() ? -1 : CPLAtof(tolerance.c_str());
  if (!tolerance.empty() && !(value > 0)) FailOption("ZFP_TOLERANCE", "a number above 0", tolerance);
  return Numcodecs("zfpy", {{"mode", Integer(tolerance.empty() ? kReversible : kFixedAccuracy)},
                            {"tolerance", JsonNode::MakeFloat(value)},
                            {"rate", Integer(-1)},
                            {"precision", Integer(-1)}});
}

CodecSpec Level(const char* id, const CreationOptions& options, const char* option) {
  return Numcodecs(id, {{"level", Integer(options.Integer(option))}});
}

void AddCompressor(const CreationOptions& options, const DataType& type, ZarrFormat format,
                   std::vector<CodecSpec>* codecs) {
  const std::string name = options.Has("COMPRESS") ? options.Text("COMPRESS") : "BLOSC";
  if (name == "BLOSC") codecs->push_back(Blosc(options, type, format));
  if (name == "ZLIB") codecs->push_back(Level("zlib", options, "ZLIB_LEVEL"));
  if (name == "GZIP") codecs->push_back(Level("gzip", options, "GZIP_LEVEL"));
  if (name == "BZ2") codecs->push_back(Level("bz2", options, "BZ2_LEVEL"));
  if (name == "LZMA") codecs->push_back(Lzma(options));
  if (name == "ZFP") codecs->push_back(Zfp(options, type));
  if (name == "ZSTD") {
    Members members{{"level", Integer(options.Integer("ZSTD_LEVEL"))}};
    if (options.Boolean("ZSTD_CHECKSUM")) members.emplace_back("checksum", JsonNode::MakeBoolean(true));
    codecs->push_back(Numcodecs("zstd", members));
  }
  if (name == "LZ4") {
    codecs->push_back(Numcodecs("lz4", {{"acceleration", Integer(options.Integer("LZ4_ACCELERATION"))}}));
  }
}

/// The option CODECS: items of v2's form have an "id", those of v3's a "name".
std::vector<CodecSpec> FromJson(const std::string& text) {
  const JsonNode list = JsonNode::Parse(text, "creation option", "CODECS");
  if (!list.IsArray()) list.FailExpected("a list of codecs");
  std::vector<CodecSpec> codecs;
  for (const JsonNode& item : list.GetItems()) {
    if (!item.IsObject()) item.FailExpected("an object with an \"id\" or a \"name\"");
    if (item.Has("id")) {
      Members members;
      for (auto& member : item.GetMembers()) {
        if (member.first != "id") members.push_back(std::move(member));
      }
      codecs.push_back({"numcodecs." + item.At("id").AsString(), JsonNode::MakeObject(members, item)});
    } else {
      const auto configuration = item.Find("configuration");
      codecs.push_back({item.At("name").AsString(), configuration ? *configuration : JsonNode::MakeObject({}, item)});
    }
  }
  return codecs;
}

CodecSpec ReversedAxes(std::size_t rank) {
  std::vector<JsonNode> order;
  for (std::size_t i = rank; i-- > 0;) order.push_back(Integer(static_cast<std::int64_t>(i)));
  return {"transpose", JsonNode::MakeObject({{"order", JsonNode::MakeArray(order)}})};
}

}  // namespace

std::vector<CodecSpec> CodecsOf(const CreationOptions& options, const DataType& type, std::size_t rank,
                                ZarrFormat format) {
  if (options.Has("CODECS")) {
    for (const char* other : {"COMPRESS", "FILTER", "PREDICTOR"}) {
      if (options.Has(other)) FailOption(other, "nothing beside CODECS", options.Text(other));
    }
    return FromJson(options.Text("CODECS"));
  }
  std::vector<CodecSpec> codecs;
  if (options.Text("CHUNK_MEMORY_LAYOUT") == "F" && rank > 1) codecs.push_back(ReversedAxes(rank));
  if (type.kind == DataType::Kind::kString) codecs.push_back(Numcodecs("vlen-utf8", {}));
  if (options.Text("PREDICTOR") != "1" && options.Text("FILTER") != "NONE") {
    FailOption("FILTER", "NONE where there is a PREDICTOR", options.Text("FILTER"));
  }
  AddPredictor(options, type, format, &codecs);
  AddFilter(options, type, &codecs);
  AddCompressor(options, type, format, &codecs);
  return codecs;
}

}  // namespace gdal_zarr
