// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/msgpack2_codec.h"

#include <bit>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "zarrlib/codec/array_to_array/numeric_elements.h"
#include "zarrlib/codec/array_to_bytes/element_builder.h"
#include "zarrlib/codec/array_to_bytes/msgpack_reader.h"
#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

using Token = MsgpackReader::Token;

constexpr std::uint64_t kMaxRank = 64;  // as in NumPy
constexpr std::byte kNil{0xC0};

// --- decoding -----------------------------------------------------------------------------------------------------

/// Reads the elements of one chunk from nested arrays.
class ElementReader {
 public:
  /// Called for each element; must read one value.
  using Visitor = std::function<void(MsgpackReader*)>;

  ElementReader(std::uint64_t count, Visitor visit) : count_(count), visit_(std::move(visit)) {}

  void Read(ByteSpan chunk) {
    MsgpackReader reader(chunk);
    const std::uint64_t length = reader.ReadArray();
    if (length < 2) throw Error(ErrorKind::kCorrupt, "expected a list that ends with a data type and a shape");
    const std::uint64_t levels = ReadRank(reader, length);
    for (std::uint64_t i = 0; i + 2 < length; ++i) ReadRows(&reader, levels > 0 ? levels - 1 : 0);
    if (seen_ != count_) Fail(std::to_string(seen_));
    reader.Skip();
    reader.Skip();
    if (!IsPadding(reader.rest())) throw Error(ErrorKind::kCorrupt, "expected no bytes behind the list");
  }

 private:
  /// Finds the nesting depth in the shape declared in the chunk, which may differ from the shape of the chunk: even in
  /// order F, the values are in C order.
  static std::uint64_t ReadRank(MsgpackReader reader, std::uint64_t length) {
    for (std::uint64_t i = 1; i < length; ++i) reader.Skip();
    const std::uint64_t rank = reader.ReadArray();
    if (rank > kMaxRank) throw Error(ErrorKind::kCorrupt, "a shape of too many dimensions");
    return rank;
  }
  void ReadRows(MsgpackReader* reader, std::uint64_t levels) {
    if (levels == 0) {
      if (seen_++ == count_) Fail("more");
      return visit_(reader);
    }
    const std::uint64_t length = reader->ReadArray();
    for (std::uint64_t i = 0; i < length; ++i) ReadRows(reader, levels - 1);
  }
  [[noreturn]] void Fail(const std::string& got) const {
    throw Error(ErrorKind::kCorrupt, FormatExpectedGot(std::to_string(count_) + " elements", got));
  }

  std::uint64_t count_;
  Visitor visit_;
  std::uint64_t seen_ = 0;
};

[[noreturn]] void FailNumber() {
  throw Error(ErrorKind::kCorrupt, "expected a number of the array's data type");
}

template <typename T>
T ConvertToInteger(const Token& token) {
  if (token.type == Token::Type::kInteger && std::in_range<T>(token.integer)) return static_cast<T>(token.integer);
  if (token.type == Token::Type::kUnsigned && std::in_range<T>(token.number)) return static_cast<T>(token.number);
  FailNumber();
}

double ConvertToDouble(const Token& token) {
  if (token.type == Token::Type::kInteger) return static_cast<double>(token.integer);
  if (token.type == Token::Type::kUnsigned) return static_cast<double>(token.number);
  if (token.type != Token::Type::kFloat) FailNumber();
  return token.real;
}

template <typename T>
T ConvertTo(const Token& token) {
  if constexpr (std::is_same_v<T, Boolean>) {
    if (token.type != Token::Type::kBoolean) FailNumber();
    return Boolean(token.number != 0);
  } else if constexpr (kIsFloat<T>) {
    return static_cast<T>(ConvertToDouble(token));
  } else {
    return ConvertToInteger<T>(token);
  }
}

// --- encoding -----------------------------------------------------------------------------------------------------

/// Appends a byte and a number of `size` bytes.
void AppendHeader(unsigned code, std::uint64_t number, std::size_t size, Bytes* out) {
  out->push_back(static_cast<std::byte>(code));
  for (std::size_t i = size; i-- > 0;) out->push_back(static_cast<std::byte>(number >> (8 * i)));
}

void AppendList(std::uint64_t length, Bytes* out) {
  if (length < 16) return AppendHeader(0x90u | static_cast<unsigned>(length), 0, 0, out);
  AppendHeader(length < 0x10000 ? 0xDC : 0xDD, length, length < 0x10000 ? 2 : 4, out);
}

void AppendText(std::string_view text, Bytes* out) {
  const std::size_t length = text.size();
  if (length < 32) {
    AppendHeader(0xA0u | static_cast<unsigned>(length), 0, 0, out);
  } else if (length < 0x100) {
    AppendHeader(0xD9, length, 1, out);
  } else {
    AppendHeader(length < 0x10000 ? 0xDA : 0xDB, length, length < 0x10000 ? 2 : 4, out);
  }
  const ByteSpan bytes = AsBytes(text);
  out->insert(out->end(), bytes.begin(), bytes.end());
}

void AppendNumber(const JsonNode& number, Bytes* out) {
  if (number.IsInteger()) return AppendHeader(0xD3, static_cast<std::uint64_t>(number.AsInt64()), 8, out);
  AppendHeader(0xCB, std::bit_cast<std::uint64_t>(number.AsDouble()), 8, out);
}

/// Appends one element: text, null, a number, or a value that was decoded for an update.
void AppendElement(std::string_view element, Bytes* out) {
  if (element.data() == kMissingText) return out->push_back(kNil);
  if (element.starts_with(kNumberMark)) {
    return AppendNumber(JsonNode::Parse(element.substr(kNumberMark.size()), "", ""), out);
  }
  if (!element.starts_with(kStoredValueMark)) return AppendText(element, out);
  const ByteSpan stored = AsBytes(element.substr(kStoredValueMark.size()));
  out->insert(out->end(), stored.begin(), stored.end());
}

/// Appends the elements from `*next` on, in nested lists.
void AppendRows(std::span<const std::string_view> elements, const Shape& shape, std::size_t axis, std::size_t* next,
                Bytes* out) {
  if (axis == shape.size()) return AppendElement(elements[(*next)++], out);
  if (axis > 0) AppendList(shape[axis], out);
  for (std::uint64_t i = 0; i < shape[axis]; ++i) AppendRows(elements, shape, axis + 1, next, out);
}

class ResolvedMsgpack2 final : public ResolvedArrayToBytes {
 public:
  explicit ResolvedMsgpack2(const ChunkSpec& chunk) : chunk_(chunk) {}

  std::optional<std::uint64_t> encoded_size() const override { return std::nullopt; }
  void Decode(ByteSpan encoded, MutableByteSpan decoded) const override;
  void Encode(ByteSpan, Bytes*) const override {
    throw Error(ErrorKind::kUnsupported, "numbers cannot be encoded as MessagePack");
  }
  bool stores_null() const override { return true; }
  void DecodeVariable(ByteSpan encoded, VariableChunk* decoded) const override;
  void EncodeVariable(std::span<const std::string_view> decoded, Bytes* encoded) const override;

 private:
  ChunkSpec chunk_;
};

void ResolvedMsgpack2::Decode(ByteSpan encoded, MutableByteSpan decoded) const {
  VisitNumber(chunk_.data_type, [&](auto zero) {
    using T = decltype(zero);
    std::size_t index = 0;
    const auto visit = [&](MsgpackReader* reader) { WriteElement<T>(decoded, index++, ConvertTo<T>(reader->Read())); };
    ElementReader(chunk_.element_count(), visit).Read(encoded);
  });
}

void ResolvedMsgpack2::DecodeVariable(ByteSpan encoded, VariableChunk* decoded) const {
  ElementBuilder builder;
  std::string text;
  const auto visit = [&](MsgpackReader* reader) {
    const ByteSpan rest = reader->rest();
    if (decoded->for_update && !reader->IsAtString()) {
      reader->Skip();
      builder.Append(text.assign(kStoredValueMark).append(AsText(rest.first(rest.size() - reader->rest().size()))));
    } else if (!rest.empty() && rest[0] == kNil) {
      reader->Skip();
      builder.AppendMissing();
    } else {
      text.clear();
      reader->ReadText(&text);
      builder.Append(text);
    }
  };
  ElementReader(chunk_.element_count(), visit).Read(encoded);
  builder.MoveTo(decoded);
}

void ResolvedMsgpack2::EncodeVariable(std::span<const std::string_view> decoded, Bytes* encoded) const {
  const Shape& shape = chunk_.shape;
  encoded->clear();
  AppendList((shape.empty() ? 1 : shape[0]) + 2, encoded);
  std::size_t next = 0;
  AppendRows(decoded, shape, 0, &next, encoded);
  AppendText("|O", encoded);
  AppendList(shape.size(), encoded);
  for (const std::uint64_t length : shape) AppendHeader(0xCF, length, sizeof(length), encoded);
}

class Msgpack2Codec final : public ArrayToBytesCodec {
 public:
  explicit Msgpack2Codec(JsonNode place) : place_(std::move(place)) {}

  std::shared_ptr<const ResolvedArrayToBytes> Resolve(const ChunkSpec& decoded) const override {
    const DataType& type = decoded.data_type;
    if (!type.variable() && !IsNumber(type)) {
      place_.Fail(ErrorKind::kUnsupported,
                  FormatExpectedGot("numbers or elements of variable length", "data type \"" + type.name + "\""));
    }
    return std::make_shared<ResolvedMsgpack2>(decoded);
  }

 private:
  JsonNode place_;
};

}  // namespace

Codec MakeMsgpack2Codec(const CodecSpec& spec) {
  return std::shared_ptr<const ArrayToBytesCodec>(std::make_shared<Msgpack2Codec>(spec.configuration));
}

}  // namespace zarr
