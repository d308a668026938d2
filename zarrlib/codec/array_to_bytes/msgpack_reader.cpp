// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/msgpack_reader.h"

#include <bit>

#include "zarrlib/base/error.h"
#include "zarrlib/json/json_node.h"

namespace zarr {
namespace {

using Token = MsgpackReader::Token;
using Type = Token::Type;

constexpr unsigned kMaxDepth = 200;

[[noreturn]] void Fail(const std::string& message) {
  throw Error(ErrorKind::kCorrupt, message);
}

}  // namespace

std::uint64_t MsgpackReader::ReadBigEndian(std::size_t size) {
  if (rest_.size() < size) Fail("the bytes end inside a value");
  std::uint64_t value = 0;
  for (const std::byte byte : rest_.first(size)) value = (value << 8) | std::to_integer<std::uint64_t>(byte);
  rest_ = rest_.subspan(size);
  return value;
}

Token MsgpackReader::MakeText(std::uint64_t length) {
  if (rest_.size() < length) Fail("the bytes end inside a text");
  Token token{Type::kText};
  token.text = AsText(rest_.first(static_cast<std::size_t>(length)));
  rest_ = rest_.subspan(token.text.size());
  return token;
}

/// Each item takes at least one byte.
Token MsgpackReader::MakeList(Type type, std::uint64_t length) const {
  const std::uint64_t items = type == Type::kMap ? 2 * length : length;
  if (items > rest_.size()) Fail("the bytes end inside a list");
  Token token{type};
  token.number = length;
  return token;
}

/// Reads a number that follows the byte `code`, 0xCA to 0xD3.
Token MsgpackReader::ReadNumber(unsigned code) {
  if (code == 0xCA) {
    Token token{Type::kFloat};
    token.real = std::bit_cast<float>(static_cast<std::uint32_t>(ReadBigEndian(4)));
    return token;
  }
  if (code == 0xCB) {
    Token token{Type::kFloat};
    token.real = std::bit_cast<double>(ReadBigEndian(8));
    return token;
  }
  const unsigned size = 1u << (code & 3);
  Token token{Type::kUnsigned};
  token.number = ReadBigEndian(size);
  if (code < 0xD0) return token;
  const auto shift = 64 - 8 * size;
  token.integer = static_cast<std::int64_t>(token.number << shift) >> shift;
  if (token.integer < 0) token.type = Type::kInteger;
  return token;
}

Token MsgpackReader::Read() {
  const auto code = static_cast<unsigned>(ReadBigEndian(1));
  if (code < 0x80) {
    Token token{Type::kUnsigned};
    token.number = code;
    return token;
  }
  if (code >= 0xE0) {
    Token token{Type::kInteger};
    token.integer = static_cast<std::int64_t>(code) - 0x100;
    return token;
  }
  if (code < 0x90) return MakeList(Type::kMap, code & 0xF);
  if (code < 0xA0) return MakeList(Type::kArray, code & 0xF);
  if (code < 0xC0) return MakeText(code & 0x1F);
  if (code == 0xC0) return {};
  if (code == 0xC2 || code == 0xC3) {
    Token token{Type::kBoolean};
    token.number = code & 1;
    return token;
  }
  if (code >= 0xC4 && code <= 0xC6) return MakeText(ReadBigEndian(std::size_t{1} << (code - 0xC4)));
  if (code >= 0xCA && code <= 0xD3) return ReadNumber(code);
  if (code >= 0xD9 && code <= 0xDB) return MakeText(ReadBigEndian(std::size_t{1} << (code - 0xD9)));
  if (code == 0xDC || code == 0xDD) return MakeList(Type::kArray, ReadBigEndian(code == 0xDC ? 2 : 4));
  if (code == 0xDE || code == 0xDF) return MakeList(Type::kMap, ReadBigEndian(code == 0xDE ? 2 : 4));
  if (code == 0xC1) Fail("a byte that stands for nothing");
  throw Error(ErrorKind::kUnsupported, "extension types are not implemented");
}

std::uint64_t MsgpackReader::ReadArray() {
  const Token token = Read();
  if (token.type != Type::kArray) Fail("expected a list");
  return token.number;
}

bool MsgpackReader::IsAtString() const {
  const auto code = rest_.empty() ? 0 : std::to_integer<unsigned>(rest_[0]);
  return (code >= 0xA0 && code < 0xC0) || (code >= 0xD9 && code <= 0xDB);
}

void MsgpackReader::Skip() {
  for (std::uint64_t pending = 1; pending > 0; --pending) {
    const Token token = Read();
    if (token.type == Type::kArray) pending += token.number;
    if (token.type == Type::kMap) pending += 2 * token.number;
    if (pending - 1 > rest_.size()) Fail("the bytes end inside a list");
  }
}

void MsgpackReader::AppendJson(const Token& token, unsigned depth, std::string* out) {
  if (depth > kMaxDepth) Fail("lists are nested deeper than " + std::to_string(kMaxDepth) + " levels");
  const bool is_map = token.type == Type::kMap;
  if (token.type == Type::kArray || is_map) {
    *out += is_map ? '{' : '[';
    for (std::uint64_t i = 0; i < token.number; ++i) {
      if (i > 0) *out += ',';
      const Token item = Read();
      if (is_map && item.type != Type::kText) Fail("expected text as the name of a member");
      AppendJson(item, depth + 1, out);
      if (!is_map) continue;
      *out += ':';
      AppendJson(Read(), depth + 1, out);
    }
    *out += is_map ? '}' : ']';
    return;
  }
  JsonNode value;
  if (token.type == Type::kBoolean) value = JsonNode::MakeBoolean(token.number != 0);
  if (token.type == Type::kInteger) value = JsonNode::MakeInteger(token.integer);
  if (token.type == Type::kUnsigned) value = JsonNode::MakeUnsigned(token.number);
  if (token.type == Type::kFloat) value = JsonNode::MakeFloat(token.real);
  if (token.type == Type::kText) value = JsonNode::MakeString(token.text);
  *out += value.Dump();
}

void MsgpackReader::ReadText(std::string* out) {
  const Token token = Read();
  if (token.type == Type::kText) {
    out->append(token.text);
  } else {
    AppendJson(token, 0, out);
  }
}

}  // namespace zarr
