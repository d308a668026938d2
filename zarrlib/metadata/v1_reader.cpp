#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

#include "zarrlib/metadata/metadata_parts.h"

namespace zarr {
namespace {

/// The specification lets options be a string, too: here one of a number.
std::optional<int> LevelIn(std::string_view text) {
  int level = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), level);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(level) : std::nullopt;
}

/// A codec of one integer: what v1 says of zlib and bz2.
CodecSpec LevelCodec(std::string name, const JsonNode& options) {
  if (options.IsNull()) return {std::move(name), JsonNode::MakeObject({}, options)};
  const auto level = options.IsString() ? LevelIn(options.AsString()) : std::nullopt;
  if (!level && !options.IsInteger()) options.FailExpected("a compression level");
  const JsonNode number = level ? JsonNode::MakeInteger(*level, options) : options;
  return {std::move(name), JsonNode::MakeObject({{"level", number}}, options)};
}

CodecSpec ObjectCodec(std::string name, const JsonNode& options) {
  if (options.IsObject()) return {std::move(name), options};
  // Nothing in them is needed for decoding.
  if (options.IsNull()) return {std::move(name), JsonNode::MakeObject({}, options)};
  options.FailExpected("an object");
}

/// `compression` and `compression_opts`; nothing for uncompressed chunks.
std::optional<CodecSpec> Compression(const JsonNode& compression, const JsonNode& options) {
  if (compression.IsNull()) return std::nullopt;
  const std::string& name = compression.AsString();
  if (name == "none") return std::nullopt;
  // zarr 1.x: "gzip" is another name of its zlib codec, not the gzip framing.
  if (name == "zlib" || name == "gzip") return LevelCodec("numcodecs.zlib", options);
  if (name == "bz2") return LevelCodec("numcodecs.bz2", options);
  if (name == "blosc" || name == "lzma") return ObjectCodec("numcodecs." + name, options);
  compression.Fail(ErrorKind::kUnsupported,
                   ExpectedGot("\"blosc\", \"zlib\", \"bz2\", \"lzma\" or \"none\"", compression.Excerpt()));
}

/// Whether chunks are stored in F order. zarr 1.x declares what the caller asked for, but only its blosc codec sees the
/// array's memory; the others are given its elements in C order.
bool StoredInFOrder(const JsonNode& meta, const std::optional<CodecSpec>& codec, const MetadataOptions& options) {
  const auto order = meta.Find("order");
  if (!order) return false;
  if (order->AsString() != "C" && order->AsString() != "F") order->FailExpected("\"C\" or \"F\"");
  const bool blosc = codec && codec->name == "numcodecs.blosc";
  return order->AsString() == "F" && (blosc || options.v1_order_literal);
}

std::optional<CodecSpec> CodecOf(const JsonNode& meta, ZarrFormat format) {
  // The releases before 1.0 knew blosc alone, and name its parameters at the top level.
  if (format == ZarrFormat::kV0) return CodecSpec{"numcodecs.blosc", meta};
  return Compression(meta.At("compression"), meta.Find("compression_opts").value_or(JsonNode()));
}

}  // namespace

bool LooksLikeV1(const JsonNode& meta) {
  return meta.IsObject() && meta.Has("shape") && meta.Has("chunks");
}

ArrayMetadata ArrayFromV1(const JsonNode& meta, const std::optional<JsonNode>& attributes, ZarrFormat format,
                          const MetadataOptions& options) {
  if (!meta.IsObject()) meta.FailExpected("an object");
  ArrayMetadata array;
  array.zarr_format = format;
  array.document = meta;
  if (const auto version = meta.Find("zarr_format"); version && *version != JsonNode::MakeInteger(1)) {
    version->Fail(ErrorKind::kUnsupported, ExpectedGot("zarr_format 1", version->Excerpt()));
  }
  array.shape = ShapeFromJson(meta.At("shape"));
  array.chunk_grid = RegularGridFromJson(array.shape, meta.At("chunks"));
  array.data_type = DataType::FromV2(meta.At("dtype"));
  const auto codec = CodecOf(meta, format);
  if (StoredInFOrder(meta, codec, options)) array.codecs.push_back(ReverseAxes(meta.At("order"), array.shape.size()));
  if (codec) array.codecs.push_back(*codec);
  array.implicit_bytes = true;
  array.fill_value = FillValueFromV1(meta.Find("fill_value").value_or(JsonNode()), array.data_type);
  array.chunk_key_encoding = format == ZarrFormat::kV0 ? ChunkKeyEncoding{ChunkKeyEncoding::Kind::kV0, '.'}
                                                       : ChunkKeyEncoding{ChunkKeyEncoding::Kind::kV1, '.'};
  array.attributes = AttributesFromJson(attributes);
  array.Validate();
  return array;
}

}  // namespace zarr
