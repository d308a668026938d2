// SPDX-License-Identifier: MIT
#include "zarrlib/metadata/codec_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

#include "zarrlib/json/json_edit.h"

namespace zarr {
namespace {

constexpr auto kA2A = CodecStage::kArrayToArray;
constexpr auto kA2B = CodecStage::kArrayToBytes;
constexpr auto kB2B = CodecStage::kBytesToBytes;

// If a codec has two names in v3, `name` is the one that more libraries read.
constexpr auto kTable = std::to_array<CodecName>({
    {"", "transpose", "", kA2A},
    {"", "cast_value", "", kA2A},
    {"", "reshape", "", kA2A},
    {"", "scale_offset", "", kA2A},
    {"", "zarrs.squeeze", "squeeze", kA2A},
    {"bitround", "numcodecs.bitround", "bitround", kA2A},
    {"astype", "numcodecs.astype", "astype", kA2A},
    {"delta", "numcodecs.delta", "delta", kA2A},
    {"fixedscaleoffset", "numcodecs.fixedscaleoffset", "fixedscaleoffset", kA2A},
    {"quantize", "numcodecs.quantize", "quantize", kA2A},
    {"packbits", "numcodecs.packbits", "", kA2A},
    {"imagecodecs_delta", "imagecodecs_delta", "", kA2A},
    {"imagecodecs_floatpred", "imagecodecs_floatpred", "", kA2A},
    {"", "bytes", "endian", kA2B},
    {"", kShardingName, "", kA2B},
    {"", "packbits", "", kA2B},
    {"", "n5_default", "", kA2B},
    {"", "zarrs.optional", "optional", kA2B},
    {"", "zarrs.vlen", "vlen", kA2B},
    {"", "zarrs.vlen_v2", "vlen_v2", kA2B},
    {"", "zfp", "", kA2B},
    {"vlen-utf8", "vlen-utf8", "", kA2B},
    {"vlen-bytes", "vlen-bytes", "", kA2B},
    {"vlen-array", "", "", kA2B},
    {"categorize", "", "", kA2B},
    {"fill_hdf_strings", "", "", kA2B},
    {"grib", "", "", kA2B},
    {"zfpy", "numcodecs.zfpy", "zfpy", kA2B, true},
    {"pcodec", "numcodecs.pcodec", "pcodec", kA2B, true},
    {"json2", "", "json2", kA2B},
    {"msgpack2", "", "", kA2B},
    {"pickle", "", "", kA2B},
    {"blosc", "blosc", "", kB2B, true},
    {"gzip", "gzip", "", kB2B, true},
    {"zstd", "zstd", "", kB2B, true},
    {"crc32c", "crc32c", "", kB2B},
    {"", "conditional", "", kB2B},
    {"bz2", "numcodecs.bz2", "bz2", kB2B, true},
    {"lz4", "numcodecs.lz4", "lz4", kB2B, true},
    {"lzma", "numcodecs.lzma", "lzma", kB2B, true},
    {"zlib", "numcodecs.zlib", "zlib", kB2B, true},
    {"adler32", "numcodecs.adler32", "adler32", kB2B},
    {"crc32", "numcodecs.crc32", "crc32", kB2B},
    {"fletcher32", "numcodecs.fletcher32", "fletcher32", kB2B},
    {"jenkins_lookup3", "numcodecs.jenkins_lookup3", "jenkins_lookup3", kB2B},
    {"shuffle", "numcodecs.shuffle", "shuffle", kB2B},
    {"imagecodecs_pcodec", "imagecodecs_pcodec", "", kA2B, true},
    {"imagecodecs_jpeg", "imagecodecs_jpeg", "", kA2B, true},
    {"imagecodecs_lerc", "imagecodecs_lerc", "", kA2B, true},
    {"imagecodecs_webp", "imagecodecs_webp", "", kA2B, true},
    {"imagecodecs_bz2", "imagecodecs_bz2", "", kB2B, true},
    {"imagecodecs_deflate", "imagecodecs_deflate", "", kB2B, true},
    {"imagecodecs_lzf", "imagecodecs_lzf", "", kB2B, true},
    {"imagecodecs_lzma", "imagecodecs_lzma", "", kB2B, true},
    {"imagecodecs_lzw", "imagecodecs_lzw", "", kB2B, true},
    {"imagecodecs_packbits", "imagecodecs_packbits", "", kB2B, true},
    {"imagecodecs_tiff", "imagecodecs_tiff", "", kB2B, true},
    {"imagecodecs_zlib", "imagecodecs_zlib", "", kB2B, true},
    {"imagecodecs_zstd", "imagecodecs_zstd", "", kB2B, true},
});

/// Returns the codec that a name of the library zarrs contains: "zarrs.<codec>", or, in older releases,
/// "https://codec.zarrs.dev/<kind>/<codec>". Returns "" for other names.
std::string_view FindNameInZarrs(std::string_view name) {
  constexpr std::string_view kPrefix = "zarrs.";
  constexpr std::string_view kAddress = "https://codec.zarrs.dev/";
  if (name.starts_with(kPrefix)) return name.substr(kPrefix.size());
  return name.starts_with(kAddress) ? name.substr(name.rfind('/') + 1) : std::string_view();
}

/// In addresses, zarrs writes "_" for "-".
bool IsSpelledAlike(std::string_view name, std::string_view in_zarrs) {
  return std::ranges::equal(name, in_zarrs, [](char a, char b) { return a == b || (a == '-' && b == '_'); });
}

[[noreturn]] void Fail(const CodecSpec& spec, std::string message) {
  spec.configuration.Fail(ErrorKind::kUnsupported, std::move(message));
}

/// Returns the members of the configuration without "id".
JsonMembers GetOptions(const CodecSpec& spec) {
  if (spec.configuration.IsNull()) return {};
  JsonMembers members = spec.configuration.GetMembers();
  std::erase_if(members, [](const auto& member) { return member.first == "id"; });
  return members;
}

/// Adds a member unless one of that name exists.
void SetDefault(JsonMembers* members, std::string_view name, JsonNode value) {
  const bool known = std::any_of(members->begin(), members->end(), [&](const auto& m) { return m.first == name; });
  if (!known) members->emplace_back(name, std::move(value));
}

/// The gzip of v3 has no level -1, for which zlib takes 6.
void NameAutomaticLevel(JsonMembers* members) {
  for (auto& [name, value] : *members) {
    if (name == "level" && value.IsInteger() && value.AsInt64() == -1) value = JsonNode::MakeInteger(6, value);
  }
}

// --- blosc --------------------------------------------------------------------------------------------------------

constexpr std::array<std::string_view, 3> kShuffles = {"noshuffle", "shuffle", "bitshuffle"};

/// In numcodecs -1 means "automatic", which depends on the size of the elements.
std::string_view GetShuffleName(const CodecSpec& spec, std::size_t element_size) {
  const std::int64_t number = GetBloscShuffle(spec);
  if (number >= 0) return kShuffles[static_cast<std::size_t>(number)];
  return element_size == 1 ? "bitshuffle" : "shuffle";
}

JsonNode ConvertBloscToV3(const CodecSpec& spec, const DataType& element) {
  constexpr std::size_t kMaxTypeSize = 255;
  const bool has_size = element.size > 0 && element.size <= kMaxTypeSize;
  const JsonNode& place = spec.configuration;
  const auto or_else = [&](std::string_view name, const JsonNode& value) {
    return FindOption(spec, name).value_or(value);
  };
  const JsonNode type_size = JsonNode::MakeUnsigned(has_size ? element.size : 1, place);
  return JsonNode::MakeObject({{"typesize", or_else("typesize", type_size)},
                               {"cname", or_else("cname", JsonNode::MakeString("lz4", place))},
                               {"clevel", or_else("clevel", JsonNode::MakeInteger(5, place))},
                               {"shuffle", JsonNode::MakeString(GetShuffleName(spec, element.size), place)},
                               {"blocksize", or_else("blocksize", JsonNode::MakeInteger(0, place))}},
                              place);
}

JsonNode ConvertBloscToV2(const CodecSpec& spec) {
  JsonMembers members = GetOptions(spec);
  std::erase_if(members, [](const auto& member) { return member.first == "typesize" || member.first == "shuffle"; });
  members.emplace_back("shuffle", JsonNode::MakeInteger(GetBloscShuffle(spec), spec.configuration));
  SetDefault(&members, "id", JsonNode::MakeString("blosc"));
  SetDefault(&members, "cname", JsonNode::MakeString("lz4"));
  SetDefault(&members, "clevel", JsonNode::MakeInteger(5));
  SetDefault(&members, "blocksize", JsonNode::MakeInteger(0));
  return JsonNode::MakeObject(members, spec.configuration);
}

// --- lists of codecs ----------------------------------------------------------------------------------------------

CodecStage GetStage(const CodecSpec& spec) {
  const CodecName* known = FindCodecName(spec.name);
  if (known == nullptr) Fail(spec, "unknown codec " + JsonNode::MakeString(spec.name).GetExcerpt());
  return known->stage;
}

bool HasArrayToBytes(const std::vector<CodecSpec>& codecs) {
  // An unknown codec may be an array-to-bytes codec.
  return std::any_of(codecs.begin(), codecs.end(), [](const CodecSpec& spec) {
    const CodecName* known = FindCodecName(spec.name);
    return known == nullptr || known->stage == kA2B;
  });
}

/// Makes the codec that v1 and v2 imply between filters and compressors.
CodecSpec MakeImpliedCodec(const DataType& type) {
  if (type.kind == DataType::Kind::kString) return {"vlen-utf8", JsonNode::MakeObject({})};
  if (type.kind == DataType::Kind::kBytes) return {"vlen-bytes", JsonNode::MakeObject({})};
  const auto endian = GetStoredEndian(type);
  JsonMembers members;
  if (endian) members.emplace_back("endian", JsonNode::MakeString(*endian == Endian::kBig ? "big" : "little"));
  return {"bytes", JsonNode::MakeObject(members)};
}

/// Adds the byte order to `bytes`, which requires it for elements of more than one byte.
CodecSpec CompleteBytes(const CodecSpec& spec, const DataType& element) {
  if (spec.name != "bytes" || FindOption(spec, "endian")) return spec;
  return MakeImpliedCodec(element);
}

CodecSpec ConvertShardToV3(const CodecSpec& spec, const DataType& element) {
  JsonMembers members = GetOptions(spec);
  for (auto& [name, value] : members) {
    if (name == "codecs") value = MakeCodecListJson(ConvertCodecsToV3(ParseCodecsV3(value), element));
  }
  return {spec.name, JsonNode::MakeObject(members, spec.configuration)};
}

void CheckOrder(const std::vector<CodecSpec>& codecs) {
  const bool known = std::all_of(codecs.begin(), codecs.end(),
                                 [](const CodecSpec& spec) { return FindCodecName(spec.name) != nullptr; });
  if (!known) return;
  const auto wrong = std::is_sorted_until(
      codecs.begin(), codecs.end(), [](const CodecSpec& a, const CodecSpec& b) { return GetStage(a) < GetStage(b); });
  if (wrong != codecs.end()) Fail(*wrong, "v3 has no array codec \"" + wrong->name + "\" behind a codec of bytes");
}

}  // namespace

std::int64_t GetBloscShuffle(const CodecSpec& spec) {
  // In v3, and as GDAL's built-in driver writes them into v2.
  constexpr std::array<std::array<std::string_view, 3>, 3> kForms = {
      {{"NOSHUFFLE", "NONE", "0"}, {"SHUFFLE", "BYTE", "1"}, {"BITSHUFFLE", "BIT", "2"}}};
  const auto shuffle = FindOption(spec, "shuffle");
  if (!shuffle) return 1;
  if (!shuffle->IsString()) return shuffle->AsIntegerIn(-1, 2);
  std::string text = shuffle->AsString();
  for (char& letter : text) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  for (std::size_t i = 0; i < kForms.size(); ++i) {
    if (std::ranges::count(kForms[i], text) > 0) return static_cast<std::int64_t>(i);
  }
  shuffle->FailExpected("\"noshuffle\", \"shuffle\" or \"bitshuffle\"");
}

const CodecName* FindCodecName(std::string_view name) {
  const auto* found =
      std::find_if(kTable.begin(), kTable.end(), [&](const CodecName& codec) { return HasName(codec, name); });
  return found == kTable.end() ? nullptr : &*found;
}

bool HasName(const CodecName& codec, std::string_view name) {
  if (name.empty()) return false;
  if (name == codec.name || name == codec.alias) return true;
  const std::string_view in_zarrs = FindNameInZarrs(name);
  if (!in_zarrs.empty()) return IsSpelledAlike(codec.name, in_zarrs) || IsSpelledAlike(codec.alias, in_zarrs);
  return name.starts_with(kNumcodecsPrefix) && !codec.id.empty() && RemoveNumcodecsPrefix(name) == codec.id;
}

std::optional<JsonNode> FindOption(const CodecSpec& spec, std::string_view name) {
  if (spec.configuration.IsNull()) return std::nullopt;
  std::optional<JsonNode> member = spec.configuration.Find(name);
  if (member && member->IsNull()) return std::nullopt;
  return member;
}

CodecSpec ConvertCodecToV3(const CodecSpec& spec, const DataType& element) {
  const CodecName* known = FindCodecName(spec.name);
  if (known == nullptr) {
    if (IsNumcodecs(spec)) Fail(spec, "\"" + std::string(RemoveNumcodecsPrefix(spec.name)) + "\" has no name in v3");
    return spec;
  }
  if (known->name.empty()) Fail(spec, "\"" + std::string(known->id) + "\" has no equal in v3");
  if (known->name == "blosc") return {"blosc", ConvertBloscToV3(spec, element)};
  if (known->name == kShardingName) return ConvertShardToV3(spec, element);
  JsonMembers members = GetOptions(spec);
  if (known->name == "crc32c") {
    const auto location = FindOption(spec, "location");
    if (location && location->AsString() == "start") return {"numcodecs.crc32c", JsonNode::MakeObject(members)};
    members.clear();
  }
  if (known->name == "gzip") NameAutomaticLevel(&members);
  if (known->name == "gzip" || known->name == "zstd") SetDefault(&members, "level", JsonNode::MakeInteger(1));
  if (known->name == "zstd") SetDefault(&members, "checksum", JsonNode::MakeBoolean(false));
  return {std::string(known->name), JsonNode::MakeObject(members, spec.configuration)};
}

JsonNode ConvertCodecToV2(const CodecSpec& spec) {
  const CodecName* known = FindCodecName(spec.name);
  if (known == nullptr && !IsNumcodecs(spec)) Fail(spec, "v1 and v2 have no codec \"" + spec.name + "\"");
  if (known != nullptr && known->id.empty()) Fail(spec, "v1 and v2 have no codec \"" + spec.name + "\"");
  const std::string_view id = known ? known->id : RemoveNumcodecsPrefix(spec.name);
  if (id == "blosc") return ConvertBloscToV2(spec);
  JsonMembers members = GetOptions(spec);
  members.emplace_back("id", JsonNode::MakeString(id, spec.configuration));
  if (id == "zlib" || id == "gzip" || id == "zstd" || id == "bz2") {
    SetDefault(&members, "level", JsonNode::MakeInteger(1));
  }
  return JsonNode::MakeObject(members, spec.configuration);
}

DataType GetEncodedType(const CodecSpec& spec, const DataType& element) {
  const CodecName* known = FindCodecName(spec.name);
  DataType type = element;
  if (known != nullptr && known->id == "packbits" && known->stage == kA2A) {
    type = DataType();
  } else if (known != nullptr && known->stage == kA2A) {
    const auto astype = FindOption(spec, known->id == "astype" ? "encode_dtype" : "astype");
    if (!astype || !astype->IsString()) return type;
    const bool has_order = std::string_view("<>|=").find(astype->AsString()[0]) != std::string_view::npos;
    type = has_order ? DataType::FromV2(*astype) : DataType::FromV3(*astype);
  }
  return type;
}

std::vector<CodecSpec> ConvertCodecsToV3(const std::vector<CodecSpec>& codecs, const DataType& type) {
  std::vector<CodecSpec> result;
  DataType element = type;
  bool implied = HasArrayToBytes(codecs);  // implied or in the list
  const auto imply = [&] {
    if (!implied) result.push_back(MakeImpliedCodec(element));
    implied = true;
  };
  for (const CodecSpec& spec : codecs) {
    const CodecName* known = FindCodecName(spec.name);
    if (known != nullptr && known->stage == kB2B) imply();
    result.push_back(CompleteBytes(ConvertCodecToV3(spec, element), element));
    element = GetEncodedType(spec, element);
  }
  imply();
  CheckOrder(result);
  return result;
}

JsonNode MakeCodecListJson(const std::vector<CodecSpec>& codecs) {
  std::vector<JsonNode> items;
  for (const CodecSpec& spec : codecs) {
    JsonMembers members = {{"name", JsonNode::MakeString(spec.name)}};
    if (!spec.configuration.IsNull() && spec.configuration.size() > 0) {
      members.emplace_back("configuration", spec.configuration);
    }
    items.push_back(JsonNode::MakeObject(members));
  }
  return JsonNode::MakeArray(items);
}

std::optional<Endian> GetStoredEndian(const DataType& type) {
  if (type.kind != DataType::Kind::kStruct) {
    if (type.swap_size() <= 1) return std::nullopt;
    return type.endian.value_or(Endian::kLittle);
  }
  std::optional<Endian> endian;
  for (const Field& field : type.fields) {
    const auto of_field = GetStoredEndian(field.type);
    if (endian && of_field && *endian != *of_field) {
      throw Error(ErrorKind::kUnsupported, "a struct whose fields are stored in different byte orders");
    }
    if (of_field) endian = of_field;
  }
  return endian;
}

CodecSpec MakeShardingSpec(const Shape& inner_chunk_shape, const std::vector<CodecSpec>& codecs,
                           bool index_has_checksum) {
  std::vector<JsonNode> edges;
  for (const std::uint64_t edge : inner_chunk_shape) edges.push_back(JsonNode::MakeUnsigned(edge));
  std::vector<CodecSpec> of_index = {{"bytes", JsonNode::MakeObject({{"endian", JsonNode::MakeString("little")}})}};
  if (index_has_checksum) of_index.push_back({"crc32c", JsonNode::MakeObject({})});
  return {std::string(kShardingName), JsonNode::MakeObject({{"chunk_shape", JsonNode::MakeArray(edges)},
                                                            {"codecs", MakeCodecListJson(codecs)},
                                                            {"index_codecs", MakeCodecListJson(of_index)},
                                                            {"index_location", JsonNode::MakeString("end")}})};
}

}  // namespace zarr
