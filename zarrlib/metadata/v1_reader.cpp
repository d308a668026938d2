// SPDX-License-Identifier: MIT
#include <optional>
#include <string_view>

#include "zarrlib/base/text.h"
#include "zarrlib/metadata/codec_names.h"
#include "zarrlib/metadata/metadata_parts.h"

namespace zarr {
namespace {

/// Makes a codec with one integer as its option; in v1 these are zlib and bz2.
CodecSpec MakeLevelCodec(std::string name, const JsonNode& options) {
  if (options.IsNull()) return {std::move(name), JsonNode::MakeObject({}, options)};
  // The specification allows strings as options.
  const auto level = options.IsString() ? ParseNumber<int>(options.AsString()) : std::nullopt;
  if (!level && !options.IsInteger()) options.FailExpected("a compression level");
  const JsonNode number = level ? JsonNode::MakeInteger(*level, options) : options;
  return {std::move(name), JsonNode::MakeObject({{"level", number}}, options)};
}

CodecSpec MakeObjectCodec(std::string name, const JsonNode& options) {
  if (options.IsObject()) return {std::move(name), options};
  // Decoding does not need any of these options.
  if (options.IsNull()) return {std::move(name), JsonNode::MakeObject({}, options)};
  options.FailExpected("an object");
}

/// Parses `compression` and `compression_opts`. Returns nullopt for uncompressed chunks.
std::optional<CodecSpec> ParseCompression(const JsonNode& compression, const JsonNode& options) {
  if (compression.IsNull()) return std::nullopt;
  const std::string& name = compression.AsString();
  if (name == "none") return std::nullopt;
  // In zarr 1.x, "gzip" is another name of the zlib codec, and not the gzip format.
  if (name == "zlib" || name == "gzip") return MakeLevelCodec("numcodecs.zlib", options);
  if (name == "bz2") return MakeLevelCodec("numcodecs.bz2", options);
  if (name == "blosc" || name == "lzma") return MakeObjectCodec(MakeNumcodecsName(name), options);
  compression.Fail(ErrorKind::kUnsupported,
                   FormatExpectedGot("\"blosc\", \"zlib\", \"bz2\", \"lzma\" or \"none\"", compression.GetExcerpt()));
}

/// Returns true if chunks are stored in F order. zarr 1.x declares the order that its caller requested, but only its
/// blosc codec gets the array's memory; other codecs get the elements in C order.
bool IsStoredInFOrder(const JsonNode& meta, const std::optional<CodecSpec>& codec, const MetadataOptions& options) {
  const auto order = meta.Find("order");
  if (!order) return false;
  if (order->AsString() != "C" && order->AsString() != "F") order->FailExpected("\"C\" or \"F\"");
  const bool blosc = codec && codec->name == "numcodecs.blosc";
  return order->AsString() == "F" && (blosc || options.v1_order_literal);
}

std::optional<CodecSpec> ParseCodec(const JsonNode& meta, ZarrFormat format) {
  // Releases before 1.0 have only blosc, and its parameters are members of the document.
  if (format == ZarrFormat::kV0) return CodecSpec{"numcodecs.blosc", meta};
  return ParseCompression(meta.At("compression"), meta.Find("compression_opts").value_or(JsonNode()));
}

}  // namespace

bool LooksLikeV1(const JsonNode& meta) {
  return meta.IsObject() && meta.Has("shape") && meta.Has("chunks");
}

ArrayMetadata ParseArrayV1(const JsonNode& meta, const std::optional<JsonNode>& attributes, ZarrFormat format,
                           const MetadataOptions& options) {
  if (!meta.IsObject()) meta.FailExpected("an object");
  ArrayMetadata array;
  array.zarr_format = format;
  array.document = meta;
  if (const auto version = meta.Find("zarr_format"); version && *version != JsonNode::MakeInteger(1)) {
    version->Fail(ErrorKind::kUnsupported, FormatExpectedGot("zarr_format 1", version->GetExcerpt()));
  }
  array.shape = ParseShape(meta.At("shape"));
  array.chunk_grid = ParseRegularGrid(array.shape, meta.At("chunks"));
  array.data_type = DataType::FromV2(meta.At("dtype"));
  const auto codec = ParseCodec(meta, format);
  if (IsStoredInFOrder(meta, codec, options)) array.codecs.push_back(ReverseAxes(meta.At("order"), array.shape.size()));
  if (codec) array.codecs.push_back(*codec);
  array.implicit_bytes = true;
  array.fill_value = ParseFillValueV1(meta.Find("fill_value").value_or(JsonNode()), array.data_type, &array.warnings);
  array.chunk_key_encoding = format == ZarrFormat::kV0 ? ChunkKeyEncoding{ChunkKeyEncoding::Kind::kV0, '.'}
                                                       : ChunkKeyEncoding{ChunkKeyEncoding::Kind::kV1, '.'};
  array.attributes = ParseAttributes(attributes);
  array.Validate();
  return array;
}

}  // namespace zarr
