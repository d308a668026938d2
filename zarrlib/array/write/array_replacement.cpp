// SPDX-License-Identifier: MIT
#include "zarrlib/array/write/array_replacement.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "zarrlib/base/error.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/codec_names.h"

namespace zarr {
namespace {

/// Returns true if the chunks with elements inside both extents have the same edges, including the parts past an
/// extent.
bool AreCutAlike(const ChunkAxis& a, const ChunkAxis& b) {
  const std::uint64_t end = std::min(a.extent(), b.extent());
  std::span<const ChunkRun> runs[] = {a.runs(), b.runs()};
  std::uint64_t used[] = {0, 0};  // number of used chunks in the first run of each
  std::uint64_t begin = 0;
  while (begin < end) {
    const std::uint64_t edge = runs[0].front().edge;
    if (runs[1].front().edge != edge) return false;
    const std::uint64_t count = std::min(runs[0].front().count - used[0], runs[1].front().count - used[1]);
    if ((end - begin - 1) / edge < count) return true;
    begin += count * edge;
    for (int i = 0; i < 2; ++i) {
      used[i] += count;
      if (used[i] < runs[i].front().count) continue;
      runs[i] = runs[i].subspan(1);
      used[i] = 0;
    }
  }
  return true;
}

bool AreCutAlike(const ChunkGrid& a, const ChunkGrid& b) {
  if (a.rank() != b.rank()) return false;
  for (std::size_t i = 0; i < a.rank(); ++i) {
    if (!AreCutAlike(a.axis(i), b.axis(i))) return false;
  }
  return true;
}

/// Returns true if elements of two equal types are stored in the same byte order. Single bytes have no order.
bool HaveSameOrder(const DataType& a, const DataType& b) {
  if (a.swap_size() > 1 && a.endian.value_or(Endian::kLittle) != b.endian.value_or(Endian::kLittle)) return false;
  return std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
                    [](const Field& x, const Field& y) { return HaveSameOrder(x.type, y.type); });
}

bool AreAlike(const std::vector<CodecSpec>& a, const std::vector<CodecSpec>& b, const DataType& type);

/// Returns true if a codec's configuration affects only its encoder: a decoder accepts the output of all of them.
bool IsForEncoder(std::string_view name) {
  constexpr std::array kNames = {"blosc", "bz2", "gzip", "lz4", "zlib", "zstd"};
  return std::find(kNames.begin(), kNames.end(), RemoveNumcodecsPrefix(name)) != kNames.end();
}

/// Returns the configuration with its members in a fixed order, without the codec's name, which v2 has there.
std::string FormatSorted(const JsonNode& configuration) {
  if (!configuration.IsObject()) return "";
  const JsonNode options = CopyWithoutMember(configuration, "id");
  return options.size() == 0 ? "" : options.Dump(JsonNode::Style::kV2);
}

std::optional<std::string> FindText(const CodecSpec& codec, std::string_view name) {
  const auto member = FindOption(codec, name);
  return member ? std::optional(member->Dump(JsonNode::Style::kV2)) : std::nullopt;
}

bool AreInnerCodecsAlike(const CodecSpec& a, const CodecSpec& b, const DataType& type, std::string_view name) {
  const auto one = FindOption(a, name);
  const auto other = FindOption(b, name);
  if (!one || !other) return one.has_value() == other.has_value();
  return AreAlike(ParseCodecsV3(*one), ParseCodecsV3(*other), type);
}

bool AreShardsAlike(const CodecSpec& a, const CodecSpec& b, const DataType& type) {
  const auto get_location = [](const CodecSpec& shard) {
    return FindText(shard, "index_location").value_or("\"end\"");
  };
  return FindText(a, "chunk_shape") == FindText(b, "chunk_shape") && AreInnerCodecsAlike(a, b, type, "codecs") &&
         AreInnerCodecsAlike(a, b, DataType::FromV3(JsonNode::MakeString("uint64")), "index_codecs") &&
         get_location(a) == get_location(b);
}

/// Returns true if both decode the same bytes in the same way. Writers may omit defaults, and use any order.
bool AreAlike(const CodecSpec& a, const CodecSpec& b, const DataType& type) {
  if (a.name != b.name) return false;
  if (a.name == kShardingName) return AreShardsAlike(a, b, type);
  // Two explicit byte orders may matter anyway: an earlier codec can widen the elements.
  const bool is_order_said = FindText(a, "endian") && FindText(b, "endian");
  if (a.name == "bytes" && type.swap_size() <= 1 && !is_order_said) return true;
  return IsForEncoder(a.name) || FormatSorted(a.configuration) == FormatSorted(b.configuration);
}

bool AreAlike(const std::vector<CodecSpec>& a, const std::vector<CodecSpec>& b, const DataType& type) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](const CodecSpec& x, const CodecSpec& y) { return AreAlike(x, y, type); });
}

std::string Describe(const std::vector<CodecSpec>& codecs) {
  std::string text;
  for (const CodecSpec& codec : codecs) {
    text += (text.empty() ? "" : ", ") + codec.name;
    if (codec.configuration.IsObject() && codec.configuration.size() > 0) text += codec.configuration.GetExcerpt();
  }
  return text.empty() ? "none" : text;
}

std::string DescribeFill(const ArrayMetadata& array) {
  if (!array.document.IsObject()) return "another one";
  return array.document.Find("fill_value").value_or(JsonNode()).GetExcerpt();
}

/// Returns true if a user chose other keys than the metadata declare (HierarchyOptions::chunk_key_form), and the stored
/// metadata still declare the same keys.
bool HaveChosenKeys(const ArrayMetadata& known, const ArrayMetadata& stored) {
  if (!known.document.IsObject()) return false;
  return ParseArray(known.document, known.zarr_format).chunk_key_encoding == stored.chunk_key_encoding;
}

std::string DescribeKey(const ArrayMetadata& array) {
  return array.chunk_key_encoding.Format(Shape(array.shape.size(), 1));
}

}  // namespace

std::optional<std::string> FindReplacement(const ArrayMetadata& known, const ArrayMetadata& stored,
                                           bool with_fill_value) {
  if (!AreCutAlike(known.chunk_grid, stored.chunk_grid)) {
    const std::string chunks[] = {ToString(known.chunk_grid.max_chunk_shape()),
                                  ToString(stored.chunk_grid.max_chunk_shape())};
    return FormatExpectedGot("chunks of " + chunks[0], chunks[0] == chunks[1] ? "other edges" : chunks[1]);
  }
  const DataType& type = known.data_type;
  if (type != stored.data_type || !HaveSameOrder(type, stored.data_type)) {
    return FormatExpectedGot("the data type \"" + type.name + "\"", "\"" + stored.data_type.name + "\"");
  }
  if (!AreAlike(known.codecs, stored.codecs, type) || known.implicit_bytes != stored.implicit_bytes) {
    return FormatExpectedGot("the codecs " + Describe(known.codecs), Describe(stored.codecs));
  }
  if (known.chunk_key_encoding != stored.chunk_key_encoding && !HaveChosenKeys(known, stored)) {
    return FormatExpectedGot("chunk keys such as " + DescribeKey(known), DescribeKey(stored));
  }
  if (with_fill_value && known.fill_value.bytes != stored.fill_value.bytes) {
    return FormatExpectedGot("the fill value " + DescribeFill(known), DescribeFill(stored));
  }
  return std::nullopt;
}

ArrayMetadata ParseUnreplaced(const JsonNode& document, const ArrayMetadata& known, bool with_fill_value) {
  ArrayMetadata stored;
  std::optional<std::string> why;
  try {
    stored = ParseArray(document, known.zarr_format);
    why = FindReplacement(known, stored, with_fill_value);
    if (why && known.zarr_format <= ZarrFormat::kV1) {
      stored = ParseArray(document, known.zarr_format, {.v1_order_literal = true});
      why = FindReplacement(known, stored, with_fill_value);
    }
  } catch (const Error& error) {
    why = error.message();  // the document may describe a group
  }
  if (!why) return stored;
  throw Error(ErrorKind::kIo, document.store(), document.key(), "",
              "the array has been replaced since it was opened: " + *why);
}

}  // namespace zarr
