// SPDX-License-Identifier: MIT
#include <cstdio>
#include <ostream>

#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/codec_names.h"
#include "zarrlib/tools/chunk/chunk_place.h"
#include "zarrlib/tools/commands.h"

namespace zarr::tools {
namespace {

/// Returns the codecs that encode the chunk itself; for an inner chunk, the codecs inside the shard.
std::vector<CodecSpec> FindCodecs(const Array& array, const ChunkPlace& place) {
  std::vector<CodecSpec> codecs = array.metadata().codecs;
  const auto is_sharding = [](const CodecSpec& codec) { return codec.name == kShardingName; };
  while (place.shard_index) {
    const auto sharding = std::find_if(codecs.begin(), codecs.end(), is_sharding);
    if (sharding == codecs.end()) break;
    codecs = ParseCodecsV3(sharding->configuration.At("codecs"));
  }
  return codecs;
}

std::uint64_t CountDecodedBytes(const Array& array, const ChunkPlace& place) {
  return place.encoded_count() * array.data_type().size;  // 0 for variable-length elements
}

JsonNode MakeList(const Shape& numbers) {
  std::vector<JsonNode> items;
  for (const std::uint64_t number : numbers) items.push_back(JsonNode::MakeUnsigned(number));
  return JsonNode::MakeArray(items);
}

void PrintAsJson(const Array& array, const ChunkPlace& place, bool is_shard, std::ostream& out) {
  const auto number = [](std::uint64_t value) { return JsonNode::MakeUnsigned(value); };
  std::vector<std::pair<std::string, JsonNode>> members = {{"array", JsonNode::MakeString("/" + array.path())},
                                                           {is_shard ? "shard" : "chunk", MakeList(place.index)},
                                                           {"key", JsonNode::MakeString(place.key)},
                                                           {"present", JsonNode::MakeBoolean(place.range.has_value())}};
  if (place.shard_index) members.emplace_back("in_shard", MakeList(*place.shard_index));
  if (place.range) {
    members.emplace_back("offset", number(place.range->offset));
    members.emplace_back("stored_bytes", number(place.range->length));
  }
  if (place.location) {
    const ValueLocation& location = *place.location;
    members.emplace_back("file", location.bytes ? JsonNode() : JsonNode::MakeString(location.path));
    if (!location.bytes) members.emplace_back("file_offset", number(location.offset + place.range->offset));
  }
  members.emplace_back("decoded_bytes", number(CountDecodedBytes(array, place)));
  members.emplace_back(
      "region", JsonNode::MakeObject({{"start", MakeList(place.box.origin)}, {"count", MakeList(place.box.shape)}}));
  members.emplace_back("shape", MakeList(place.encoded_shape));
  members.emplace_back("data_type", JsonNode::MakeString(array.data_type().name));
  members.emplace_back("codecs", MakeCodecListJson(FindCodecs(array, place)));
  out << JsonNode::MakeObject(members).Dump(JsonNode::Style::kV3) << "\n";
}

std::string FormatNumbers(const Shape& numbers) {
  std::string text;
  for (const std::uint64_t number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text.empty() ? "..." : text;
}

std::string FormatRegion(const Box& box) {
  std::string text;
  for (std::size_t i = 0; i < box.rank(); ++i) {
    text += (i > 0 ? "," : "") + std::to_string(box.origin[i]) + ":" + std::to_string(box.end(i));
  }
  return text.empty() ? "..." : text;
}

/// Prints where the store's references say that the bytes are.
void PrintLocation(const ValueLocation& location, const ByteRange& range, std::ostream& out) {
  if (location.bytes) {
    out << "file            none: the bytes are among the references\n";
  } else {
    out << "file            " << location.path << "\noffset in file  " << location.offset + range.offset << "\n";
  }
}

void PrintAsText(const Array& array, const ChunkPlace& place, bool is_shard, std::ostream& out) {
  out << "/" << array.path() << (is_shard ? ", shard " : ", chunk ") << FormatNumbers(place.index) << "\n"
      << "key             " << place.key << "\n";
  if (place.shard_index) out << "in shard        " << FormatNumbers(*place.shard_index) << "\n";
  out << "present         " << (place.range ? "yes\n" : "no: all values are the fill value\n");
  const std::uint64_t decoded = CountDecodedBytes(array, place);
  if (place.range) {
    out << "offset          " << place.range->offset << "\n"
        << "bytes stored    " << place.range->length << "\n";
    if (place.location) PrintLocation(*place.location, *place.range, out);
  }
  out << "bytes decoded   ";
  decoded > 0 ? out << decoded : out << "unknown";
  if (place.range && decoded > 0 && place.range->length > 0) {
    char ratio[48];
    std::snprintf(ratio, sizeof(ratio), " (%.2f to 1)",
                  static_cast<double>(decoded) / static_cast<double>(place.range->length));
    out << ratio;
  }
  out << "\nregion          " << FormatRegion(place.box) << "\n"
      << "shape           " << FormatNumbers(place.encoded_shape) << "\n"
      << "data type       " << array.data_type().name << "\n"
      << "codecs          ";
  const auto codecs = FindCodecs(array, place);
  for (std::size_t i = 0; i < codecs.size(); ++i) out << (i > 0 ? " " : "") << codecs[i].name;
  out << (codecs.empty() ? "none\n" : "\n");
}

}  // namespace

int PrintChunkStat(const std::shared_ptr<Store>& store, const StatOptions& options, std::ostream& out) {
  const auto array = OpenChosenArray(store, options.chunk);
  const ChunkPlace place = FindChunk(*array, options.chunk);
  (options.json ? PrintAsJson : PrintAsText)(*array, place, options.chunk.is_shard, out);
  return kSuccess;
}

}  // namespace zarr::tools
