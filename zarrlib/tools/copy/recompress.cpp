// SPDX-License-Identifier: MIT
#include "zarrlib/tools/copy/recompress.h"

#include <algorithm>
#include <optional>

#include "zarrlib/base/text.h"
#include "zarrlib/metadata/codec_names.h"
#include "zarrlib/metadata/document_parts.h"
#include "zarrlib/tools/reshard/new_metadata.h"

namespace zarr::tools {
namespace {

struct Compressor {
  std::string_view name;
  int usual_level;
  int low;
  int high;
};

constexpr Compressor kCompressors[] = {{"zstd", 3, -7, 22}, {"gzip", 6, 0, 9}, {"blosc", 5, 0, 9}};

struct Choice {
  const Compressor* compressor = nullptr;  ///< Null for "none".
  int level = 0;
};

Choice ParseChoice(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  if (text == "none") return {};
  for (const Compressor& compressor : kCompressors) {
    if (compressor.name != name) continue;
    if (colon == std::string::npos) return {&compressor, compressor.usual_level};
    const auto level = ParseNumber<int>(std::string_view(text).substr(colon + 1));
    if (level && *level >= compressor.low && *level <= compressor.high) return {&compressor, *level};
    throw Error(ErrorKind::kInvalidArgument,
                FormatExpectedGot("a level of " + name + " from " + std::to_string(compressor.low) + " to " +
                                      std::to_string(compressor.high),
                                  text));
  }
  throw Error(
      ErrorKind::kInvalidArgument,
      FormatExpectedGot("a compressor (zstd, gzip, blosc or none), with or without a level as in zstd:5", text));
}

/// Makes the compressor in the form of numcodecs; the metadata writers know its v3 name.
CodecSpec MakeSpec(const Choice& choice, const DataType& type) {
  const JsonNode level = JsonNode::MakeInteger(choice.level);
  if (choice.compressor->name != "blosc") {
    return {MakeNumcodecsName(choice.compressor->name), JsonNode::MakeObject({{"level", level}})};
  }
  const int shuffle = type.size == 1 ? 2 : 1;  // of bits, or of bytes
  return {MakeNumcodecsName("blosc"),
          JsonNode::MakeObject({{"cname", JsonNode::MakeString("zstd")},
                                {"clevel", level},
                                {"shuffle", JsonNode::MakeInteger(type.variable() ? 0 : shuffle)},
                                {"blocksize", JsonNode::MakeInteger(0)}})};
}

bool IsCompressor(const CodecSpec& spec) {
  const CodecName* const name = FindCodecName(spec.name);
  return name != nullptr && name->stage == CodecStage::kBytesToBytes && name->is_compressor;
}

bool IsChecksum(const CodecSpec& spec) {
  constexpr std::string_view kNames[] = {"crc32", "crc32c", "adler32", "fletcher32", "jenkins_lookup3"};
  return std::ranges::find(kNames, RemoveNumcodecsPrefix(spec.name)) != std::end(kNames);
}

/// Puts the new compressor in the position of the old one, otherwise after all codecs but checksums.
void Replace(const Choice& choice, const DataType& type, std::vector<CodecSpec>* codecs) {
  const auto first = std::ranges::find_if(*codecs, IsCompressor);
  auto place = static_cast<std::size_t>(first - codecs->begin());
  if (first == codecs->end()) {
    while (place > 0 && IsChecksum((*codecs)[place - 1])) --place;
  }
  std::erase_if(*codecs, IsCompressor);
  if (choice.compressor == nullptr) return;
  codecs->insert(codecs->begin() + static_cast<std::ptrdiff_t>(place), MakeSpec(choice, type));
}

}  // namespace

void CheckCompressor(const std::string& text) {
  ParseChoice(text);
}

void ReplaceCompressor(const std::string& text, ArrayMetadata* array) {
  const Choice choice = ParseChoice(text);
  std::vector<CodecSpec> inner = GetInnerCodecs(*array);
  Replace(choice, array->data_type, &inner);
  const bool is_sharded = array->codecs.size() == 1 && array->codecs[0].name == kShardingName;
  if (!is_sharded) {
    array->codecs = inner;
    return;
  }
  CodecSpec& sharding = array->codecs[0];
  const JsonNode codecs = MakeCodecListJson(ConvertCodecsToV3(inner, array->data_type));
  sharding.configuration = CopyWithMembers(sharding.configuration, {{"codecs", codecs}});
}

}  // namespace zarr::tools
