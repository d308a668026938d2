#include "zarrlib/codec/json2_codec.h"

#include <string>
#include <utility>

#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

/// Appends what `node` holds, `levels` levels deep.
void Flatten(const JsonNode& node, std::size_t levels, std::vector<std::string>* values) {
  if (levels == 0) {
    values->push_back(node.IsString() ? node.AsString() : node.Dump());
    return;
  }
  for (const JsonNode& item : node.Items()) Flatten(item, levels - 1, values);
}

/// All elements of a chunk. The shape that it declares is believed as far as nesting goes: it may be that of a chunk in
/// order F, in which case zarr-python takes the values in C order all the same.
std::vector<std::string> ReadElements(const JsonNode& chunk) {
  if (!chunk.IsArray() || chunk.size() < 2) chunk.FailExpected("a list that ends with a data type and a shape");
  const std::size_t rows = chunk.size() - 2;
  const std::size_t levels = chunk[rows + 1].size();
  std::vector<std::string> values;
  for (std::size_t i = 0; i < rows; ++i) Flatten(chunk[i], levels == 0 ? 0 : levels - 1, &values);
  return values;
}

/// The chunk's elements from `*next` on as nested lists.
JsonNode Nest(std::span<const std::string_view> elements, const Shape& shape, std::size_t axis, std::size_t* next) {
  std::vector<JsonNode> items;
  for (std::uint64_t i = 0; i < shape[axis]; ++i) {
    const bool last = axis + 1 == shape.size();
    items.push_back(last ? JsonNode::MakeString(elements[(*next)++]) : Nest(elements, shape, axis + 1, next));
  }
  return JsonNode::MakeArray(items);
}

class ResolvedJson2 final : public ResolvedArrayToBytes {
 public:
  explicit ResolvedJson2(Shape shape) : shape_(shape) {}

  std::optional<std::uint64_t> encoded_size() const override { return std::nullopt; }
  void Decode(ByteSpan, MutableByteSpan) const override { FailFixed(); }
  void Encode(ByteSpan, Bytes*) const override { FailFixed(); }
  void DecodeVariable(ByteSpan encoded, VariableChunk* decoded) const override;
  void EncodeVariable(std::span<const std::string_view> decoded, Bytes* encoded) const override;

 private:
  [[noreturn]] static void FailFixed() {
    throw Error(ErrorKind::kUnsupported, "expected elements of variable length, got elements of fixed size");
  }

  Shape shape_;
};

void ResolvedJson2::DecodeVariable(ByteSpan encoded, VariableChunk* decoded) const {
  std::vector<std::string> values;
  try {
    values = ReadElements(JsonNode::Parse(AsText(encoded), "", ""));
  } catch (const Error& error) {
    throw Error(error.kind(), error.message());  // the place was one in the chunk
  }
  const std::uint64_t count = Product(shape_);
  if (values.size() != count) {
    throw Error(ErrorKind::kCorrupt, ExpectedGot(std::to_string(count) + " elements", std::to_string(values.size())));
  }
  decoded->arena.clear();
  for (const std::string& value : values) {
    const ByteSpan bytes = AsBytes(value);
    decoded->arena.insert(decoded->arena.end(), bytes.begin(), bytes.end());
  }
  decoded->elements.clear();
  std::string_view rest = AsText(decoded->arena);
  for (const std::string& value : values) {
    decoded->elements.push_back(rest.substr(0, value.size()));
    rest.remove_prefix(value.size());
  }
}

void ResolvedJson2::EncodeVariable(std::span<const std::string_view> decoded, Bytes* encoded) const {
  std::size_t next = 0;
  std::vector<JsonNode> items;
  if (shape_.empty()) {
    items.push_back(JsonNode::MakeString(decoded[0]));
  } else {
    items = Nest(decoded, shape_, 0, &next).Items();
  }
  std::vector<JsonNode> lengths;
  for (const std::uint64_t length : shape_) lengths.push_back(JsonNode::MakeUnsigned(length));
  items.push_back(JsonNode::MakeString("|O"));
  items.push_back(JsonNode::MakeArray(lengths));
  *encoded = ToBytes(JsonNode::MakeArray(items).Dump());
}

class Json2Codec final : public ArrayToBytesCodec {
 public:
  explicit Json2Codec(JsonNode place) : place_(std::move(place)) {}

  std::shared_ptr<const ResolvedArrayToBytes> Resolve(const ChunkSpec& decoded) const override {
    if (!decoded.data_type.variable()) {
      place_.Fail(ErrorKind::kUnsupported,
                  ExpectedGot("elements of variable length", "data type \"" + decoded.data_type.name + "\""));
    }
    return std::make_shared<ResolvedJson2>(decoded.shape);
  }

 private:
  JsonNode place_;
};

}  // namespace

Codec MakeJson2Codec(const CodecSpec& spec) {
  if (const auto encoding = FindOption(spec, "encoding")) {
    if (encoding->AsString() != "utf-8" && encoding->AsString() != "utf8" && encoding->AsString() != "ascii") {
      encoding->Fail(ErrorKind::kUnsupported, ExpectedGot("encoding \"utf-8\"", encoding->Excerpt()));
    }
  }
  return std::make_shared<Json2Codec>(spec.configuration);
}

}  // namespace zarr
