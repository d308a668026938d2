// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/json2_codec.h"

#include <string>

#include "zarrlib/codec/array_to_bytes/variable_codec.h"
#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

/// Reads the elements of one chunk from nested lists.
class ElementList {
 public:
  explicit ElementList(std::uint64_t count) : count_(count) {}

  /// Appends the elements of `node`, a list nested `levels` deep.
  void Append(const JsonNode& node, std::size_t levels) {
    if (levels > 0) {
      for (const JsonNode& item : node.GetItems()) Append(item, levels - 1);
      return;
    }
    if (values_.size() == count_) Fail("more");
    values_.push_back(node.IsString() ? node.AsString() : node.Dump());
  }

  const std::vector<std::string>& values() const {
    if (values_.size() != count_) Fail(std::to_string(values_.size()));
    return values_;
  }

 private:
  [[noreturn]] void Fail(const std::string& got) const {
    throw Error(ErrorKind::kCorrupt, FormatExpectedGot(std::to_string(count_) + " elements", got));
  }

  std::uint64_t count_;
  std::vector<std::string> values_;
};

/// Determines the nesting depth from the shape declared in the chunk. It may differ from the shape of the chunk: even
/// in order F, the values are in C order.
void ReadElements(const JsonNode& chunk, ElementList* elements) {
  if (!chunk.IsArray() || chunk.size() < 2) chunk.FailExpected("a list that ends with a data type and a shape");
  const std::size_t rows = chunk.size() - 2;
  const JsonNode shape = chunk[rows + 1];
  if (!shape.IsArray()) shape.FailExpected("a shape");
  const std::size_t levels = shape.size() == 0 ? 0 : shape.size() - 1;
  for (std::size_t i = 0; i < rows; ++i) elements->Append(chunk[i], levels);
}

/// Makes nested lists of the elements from `*next` on.
JsonNode Nest(std::span<const std::string_view> elements, const Shape& shape, std::size_t axis, std::size_t* next) {
  if (axis == shape.size()) return JsonNode::MakeString(elements[(*next)++]);
  std::vector<JsonNode> items;
  for (std::uint64_t i = 0; i < shape[axis]; ++i) items.push_back(Nest(elements, shape, axis + 1, next));
  return JsonNode::MakeArray(items);
}

class ResolvedJson2 final : public ResolvedVariable {
 public:
  explicit ResolvedJson2(const Shape& shape) : shape_(shape) {}

  void DecodeVariable(ByteSpan encoded, VariableChunk* decoded) const override;
  void EncodeVariable(std::span<const std::string_view> decoded, Bytes* encoded) const override;

 private:
  Shape shape_;
};

void ResolvedJson2::DecodeVariable(ByteSpan encoded, VariableChunk* decoded) const {
  ElementList list(ComputeProduct(shape_));
  try {
    ReadElements(JsonNode::Parse(AsText(encoded), "", ""), &list);
  } catch (const Error& error) {
    throw Error(error.kind(), error.message());  // without the location of the error, which is inside the chunk
  }
  decoded->arena.clear();
  for (const std::string& value : list.values()) {
    const ByteSpan bytes = AsBytes(value);
    decoded->arena.insert(decoded->arena.end(), bytes.begin(), bytes.end());
  }
  decoded->elements.clear();
  std::string_view rest = AsText(decoded->arena);
  for (const std::string& value : list.values()) {
    decoded->elements.push_back(rest.substr(0, value.size()));
    rest.remove_prefix(value.size());
  }
}

void ResolvedJson2::EncodeVariable(std::span<const std::string_view> decoded, Bytes* encoded) const {
  std::size_t next = 0;
  const JsonNode nested = Nest(decoded, shape_, 0, &next);
  std::vector<JsonNode> items = shape_.empty() ? std::vector{nested} : nested.GetItems();
  std::vector<JsonNode> lengths;
  for (const std::uint64_t length : shape_) lengths.push_back(JsonNode::MakeUnsigned(length));
  items.push_back(JsonNode::MakeString("|O"));
  items.push_back(JsonNode::MakeArray(lengths));
  *encoded = ToBytes(JsonNode::MakeArray(items).Dump());
}

}  // namespace

Codec MakeJson2Codec(const CodecSpec& spec) {
  if (const auto encoding = FindOption(spec, "encoding")) {
    const std::string& name = encoding->AsString();
    if (name != "utf-8" && name != "utf8" && name != "ascii") {
      encoding->Fail(ErrorKind::kUnsupported, FormatExpectedGot("encoding \"utf-8\"", encoding->GetExcerpt()));
    }
  }
  return std::make_shared<VariableCodec<ResolvedJson2>>(spec.configuration);
}

}  // namespace zarr
