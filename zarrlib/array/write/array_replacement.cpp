// SPDX-License-Identifier: MIT
#include "zarrlib/array/write/array_replacement.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "zarrlib/base/error.h"

namespace zarr {
namespace {

/// Whether the chunks with elements inside both extents have the same edges, also beyond an extent.
bool AreCutAlike(const ChunkAxis& a, const ChunkAxis& b) {
  const std::uint64_t end = std::min(a.extent(), b.extent());
  std::span<const ChunkRun> runs[] = {a.runs(), b.runs()};
  std::uint64_t used[] = {0, 0};  // of the chunks of the first run of each
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

/// Whether elements of two equal types are stored in the same byte order. Bytes have none.
bool HaveSameOrder(const DataType& a, const DataType& b) {
  if (a.swap_size() > 1 && a.endian.value_or(kNativeEndian) != b.endian.value_or(kNativeEndian)) return false;
  return std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
                    [](const Field& x, const Field& y) { return HaveSameOrder(x.type, y.type); });
}

bool AreEqual(const std::vector<CodecSpec>& a, const std::vector<CodecSpec>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const CodecSpec& x, const CodecSpec& y) {
    return x.name == y.name && x.configuration == y.configuration;
  });
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
  if (!AreEqual(known.codecs, stored.codecs) || known.implicit_bytes != stored.implicit_bytes) {
    return FormatExpectedGot("the codecs " + Describe(known.codecs), Describe(stored.codecs));
  }
  if (known.chunk_key_encoding != stored.chunk_key_encoding) {
    return FormatExpectedGot("chunk keys such as " + DescribeKey(known), DescribeKey(stored));
  }
  if (with_fill_value && known.fill_value.bytes != stored.fill_value.bytes) {
    return FormatExpectedGot("the fill value " + DescribeFill(known), DescribeFill(stored));
  }
  return std::nullopt;
}

ArrayMetadata ParseUnreplaced(const JsonNode& document, const ArrayMetadata& known, bool with_fill_value) {
  const auto parse = [&](bool v1_order_literal) {
    switch (known.zarr_format) {
      case ZarrFormat::kV3:
        return ParseArrayV3(document);
      case ZarrFormat::kV2:
        return ParseArrayV2(document, std::nullopt);
      default:
        return ParseArrayV1(document, std::nullopt, known.zarr_format, {.v1_order_literal = v1_order_literal});
    }
  };
  ArrayMetadata stored;
  std::optional<std::string> why;
  try {
    stored = parse(false);
    why = FindReplacement(known, stored, with_fill_value);
    if (why && known.zarr_format <= ZarrFormat::kV1) {
      stored = parse(true);
      why = FindReplacement(known, stored, with_fill_value);
    }
  } catch (const Error& error) {
    why = error.message();  // it is the document of a group, for instance
  }
  if (!why) return stored;
  throw Error(ErrorKind::kIo, document.store(), document.key(), "",
              "the array has been replaced since it was opened: " + *why);
}

}  // namespace zarr
