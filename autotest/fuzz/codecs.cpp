// SPDX-License-Identifier: MIT
// The decoders. The first byte of the input is the number of a row of codec_rows.cpp, the second one that of a shape,
// and the rest is the encoded chunk.
#include <cstring>
#include <string>
#include <vector>

#include "autotest/fuzz/support/checks.h"
#include "autotest/fuzz/support/codec_rows.h"
#include "zarrlib/tools/reshard/lossy_codecs.h"

namespace zarr::fuzz {
namespace {

/// The decoded elements: bytes, or texts of variable length.
struct Decoded {
  std::vector<std::byte> bytes;
  std::vector<std::string> texts;
  friend bool operator==(const Decoded&, const Decoded&) = default;
};

std::optional<Decoded> Decode(const ResolvedPipeline& pipeline, ByteSpan encoded) {
  return Try([&] {
    Decoded decoded;
    if (pipeline.decoded().data_type.variable()) {
      VariableChunk chunk;
      pipeline.DecodeVariable(encoded, &chunk);
      Require(chunk.elements.size() == pipeline.decoded().element_count(), "a chunk has all elements");
      decoded.texts.assign(chunk.elements.begin(), chunk.elements.end());
    } else {
      decoded.bytes.resize(pipeline.decoded().byte_size());
      pipeline.Decode(encoded, decoded.bytes);
    }
    return decoded;
  });
}

/// Part of a chunk is decoded to what it is in the whole chunk.
void CheckRange(const ResolvedPipeline& pipeline, ByteSpan encoded, const std::optional<Decoded>& whole) {
  if (pipeline.decoded().data_type.variable()) return;
  const std::size_t size = pipeline.decoded().byte_size();
  const std::size_t item_size = pipeline.decoded().data_type.size;
  const ByteRange wanted{size / item_size / 2 * item_size, item_size};
  if (wanted.offset + wanted.length > size) return;
  Bytes part;
  const auto range =
      Try([&] { return pipeline.ReadPart(MakeEncodedValue(encoded), wanted, size - 1, &part); }).value_or(std::nullopt);
  if (!range) return;
  Require(range->offset <= wanted.offset && range->offset + range->length >= wanted.offset + wanted.length &&
              range->length < size && range->offset <= size - range->length,
          "a range that can be decoded holds the wanted one");
  std::vector<std::byte> decoded(range->length);
  if (!Succeeds([&] { pipeline.DecodePart(part, decoded); }) || !whole) return;
  Require(std::memcmp(decoded.data(), whole->bytes.data() + range->offset, decoded.size()) == 0,
          "a part of a chunk is that of the whole chunk");
}

std::optional<Bytes> Encode(const ResolvedPipeline& pipeline, const Decoded& decoded) {
  return Try([&] {
    Bytes encoded;
    if (pipeline.decoded().data_type.variable()) {
      const std::vector<std::string_view> views(decoded.texts.begin(), decoded.texts.end());
      pipeline.EncodeLaidOutVariable(views, &encoded);
    } else {
      const ByteSpan result = pipeline.EncodeLaidOut(decoded.bytes, &encoded);
      if (result.data() != encoded.data()) encoded.assign(result.begin(), result.end());
    }
    return encoded;
  });
}

bool IsLossy(const CodecRow& row, const DataType& type) {
  return tools::FindLossyCodec(ParseCodecsV3(JsonNode::Parse(row.codecs, "", "")), type).has_value();
}

void Run(ByteSpan input) {
  if (input.size() < 2) return;
  const auto rows = GetCodecRows();
  const auto shapes = GetChunkShapes();
  const CodecRow& row = rows[static_cast<std::size_t>(input[0]) % rows.size()];
  const Shape& shape = shapes[static_cast<std::size_t>(input[1]) % shapes.size()];
  const auto pipeline = Try([&] { return ResolveRow(row, shape); });
  if (!pipeline) return;
  const ByteSpan encoded = input.subspan(2);
  const auto decoded = Decode(**pipeline, encoded);
  CheckRange(**pipeline, encoded, decoded);
  if (!decoded) return;
  const auto again = Encode(**pipeline, *decoded);
  if (!again || IsLossy(row, (*pipeline)->decoded().data_type)) return;
  Require(Decode(**pipeline, *again) == decoded, "encoded elements are decoded", row.codecs);
}

}  // namespace
}  // namespace zarr::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  zarr::fuzz::Run({reinterpret_cast<const std::byte*>(data), size});
  return 0;
}
