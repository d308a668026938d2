// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/json2_codec.h"

#include <string>
#include <string_view>

#include "zarrlib/codec/array_to_bytes/element_builder.h"
#include "zarrlib/codec/array_to_bytes/variable_codec.h"
#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

/// Reads the elements of one chunk from nested lists.
class ElementList {
 public:
  ElementList(std::uint64_t count, bool for_update) : count_(count), for_update_(for_update) {}

  /// Appends the elements of `node`, a list nested `levels` deep.
  void Append(const JsonNode& node, std::size_t levels) {
    if (levels > 0) {
      for (const JsonNode& item : node.GetItems()) Append(item, levels - 1);
      return;
    }
    if (elements_.size() == count_) Fail("more");
    if (node.IsString()) {
      elements_.Append(node.AsString());
    } else if (for_update_) {
      elements_.Append(std::string(kStoredValueMark) + node.Dump());
    } else if (node.IsNull()) {
      elements_.AppendMissing();
    } else {
      elements_.Append(node.Dump());
    }
  }

  void MoveTo(VariableChunk* chunk) {
    if (elements_.size() != count_) Fail(std::to_string(elements_.size()));
    elements_.MoveTo(chunk);
  }

 private:
  [[noreturn]] void Fail(const std::string& got) const {
    throw Error(ErrorKind::kCorrupt, FormatExpectedGot(std::to_string(count_) + " elements", got));
  }

  std::uint64_t count_;
  bool for_update_;
  ElementBuilder elements_;
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

/// Returns true if JSON text has a number of so many digits that it may be rounded when it is read: integers in Python
/// have any size.
bool HasLongNumber(std::string_view text) {
  constexpr std::size_t kMostDigits = 19;
  std::size_t digits = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (in_string && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      in_string = !in_string;
    } else if (!in_string) {
      const bool is_digit = text[i] >= '0' && text[i] <= '9';
      digits = is_digit ? digits + 1 : text[i] == '.' ? digits : 0;
      if (digits > kMostDigits) return true;
    }
  }
  return false;
}

JsonNode MakeElement(std::string_view element) {
  if (element.data() == kMissingText) return {};
  for (const std::string_view mark : {kStoredValueMark, kNumberMark}) {
    if (element.starts_with(mark)) return JsonNode::Parse(element.substr(mark.size()), "", "");
  }
  return JsonNode::MakeString(element);
}

/// Makes nested lists of the elements from `*next` on.
JsonNode Nest(std::span<const std::string_view> elements, const Shape& shape, std::size_t axis, std::size_t* next) {
  if (axis == shape.size()) return MakeElement(elements[(*next)++]);
  std::vector<JsonNode> items;
  for (std::uint64_t i = 0; i < shape[axis]; ++i) items.push_back(Nest(elements, shape, axis + 1, next));
  return JsonNode::MakeArray(items);
}

class ResolvedJson2 final : public ResolvedVariable {
 public:
  explicit ResolvedJson2(const Shape& shape) : shape_(shape) {}

  bool stores_null() const override { return true; }
  void DecodeVariable(ByteSpan encoded, VariableChunk* decoded) const override;
  void EncodeVariable(std::span<const std::string_view> decoded, Bytes* encoded) const override;

 private:
  Shape shape_;
};

void ResolvedJson2::DecodeVariable(ByteSpan encoded, VariableChunk* decoded) const {
  if (decoded->for_update && HasLongNumber(AsText(encoded)))
    throw Error(ErrorKind::kUnsupported, "a number of 20 or more digits would be rounded if the chunk were written");
  ElementList list(ComputeProduct(shape_), decoded->for_update);
  try {
    ReadElements(JsonNode::Parse(AsText(encoded), "", ""), &list);
  } catch (const Error& error) {
    throw Error(error.kind(), error.message());  // without the location of the error, which is inside the chunk
  }
  list.MoveTo(decoded);
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
