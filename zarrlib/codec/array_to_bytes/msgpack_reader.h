// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "zarrlib/base/bytes.h"

namespace zarr {

/// Reads MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md) from start to end. Throws Error(corrupt)
/// for other bytes, and Error(unsupported) for extension types.
class MsgpackReader {
 public:
  struct Token {
    enum class Type { kNil, kBoolean, kInteger, kUnsigned, kFloat, kText, kArray, kMap };
    Type type = Type::kNil;
    std::int64_t integer = 0;    ///< For kInteger, which is negative.
    std::uint64_t number = 0;    ///< For kBoolean and kUnsigned; for kArray and kMap the length.
    double real = 0;             ///< For kFloat.
    std::string_view text = {};  ///< For kText: strings and bytes.
  };

  explicit MsgpackReader(ByteSpan bytes) : rest_(bytes) {}

  /// Reads a value; for an array or a map only its length.
  Token Read();
  /// Reads the length of an array.
  std::uint64_t ReadArray();
  /// Returns true if the next value is a string, and not bytes.
  bool IsAtString() const;
  /// Skips a value with everything inside it.
  void Skip();
  /// Appends a value: text unchanged, and everything else as JSON.
  void ReadText(std::string* out);

  ByteSpan rest() const { return rest_; }

 private:
  std::uint64_t ReadBigEndian(std::size_t size);
  Token ReadNumber(unsigned code);
  Token MakeText(std::uint64_t length);
  Token MakeList(Token::Type type, std::uint64_t length) const;
  void AppendJson(const Token& token, unsigned depth, std::string* out);

  ByteSpan rest_;
};

}  // namespace zarr
