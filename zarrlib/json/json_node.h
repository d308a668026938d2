// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zarrlib/base/error.h"

namespace zarr {

class JsonValue;

/// A value of a JSON document that knows its location: the store, the key and the JSON Pointer. All errors about values
/// therefore have one form (`Fail`). Immutable, cheap to copy, and safe for any number of threads; shares ownership of
/// the document.
///
/// 64-bit integers are exact. The bare tokens NaN, Infinity and -Infinity, which Python writes but JSON does not have,
/// are read as non-finite numbers and written back as such tokens.
class JsonNode {
 public:
  enum class Type { kNull, kBoolean, kInteger, kUnsigned, kFloat, kString, kArray, kObject };
  /// The layout in which a document is written.
  enum class Style {
    kV2,  ///< Sorted keys, indented by 4: as zarr-python writes v1 and v2.
    kV3,  ///< Keys in their own order, indented by 2.
    kCompact,
  };

  /// Makes a null without a location.
  JsonNode();

  /// Parses one document. Ignores a byte order mark and trailing NUL bytes. If the text is only part of a document,
  /// `pointer` is its location in it. Throws Error(corrupt) for text that is not JSON, is nested deeper than 200
  /// levels, or is not UTF-8.
  static JsonNode Parse(std::string_view text, std::string_view store, std::string_view key,
                        std::string_view pointer = "");

  /// The Make functions make new values. Errors about them point to `place`.
  static JsonNode MakeString(std::string_view value, const JsonNode& place = {});
  static JsonNode MakeInteger(std::int64_t value, const JsonNode& place = {});
  static JsonNode MakeUnsigned(std::uint64_t value, const JsonNode& place = {});
  static JsonNode MakeFloat(double value, const JsonNode& place = {});
  static JsonNode MakeBoolean(bool value, const JsonNode& place = {});
  static JsonNode MakeArray(const std::vector<JsonNode>& items, const JsonNode& place = {});
  static JsonNode MakeObject(const std::vector<std::pair<std::string, JsonNode>>& members, const JsonNode& place = {});

  Type type() const;
  bool IsNull() const { return type() == Type::kNull; }
  bool IsBoolean() const { return type() == Type::kBoolean; }
  /// Returns true if the value is an integer in JSON's sense: without a fraction or an exponent.
  bool IsInteger() const { return type() == Type::kInteger || type() == Type::kUnsigned; }
  /// Returns true if the value is a number; NaN and infinities are numbers.
  bool IsNumber() const { return IsInteger() || type() == Type::kFloat; }
  bool IsString() const { return type() == Type::kString; }
  bool IsArray() const { return type() == Type::kArray; }
  bool IsObject() const { return type() == Type::kObject; }

  /// The As functions return the value, or throw Error(corrupt) "expected a ..., got ..." at this location.
  bool AsBoolean() const;
  std::int64_t AsInt64() const;
  std::uint64_t AsUint64() const;
  double AsDouble() const;
  const std::string& AsString() const;
  /// Returns AsInt64(), which must be within [low, high].
  std::int64_t AsIntegerIn(std::int64_t low, std::int64_t high) const;

  /// Returns the number of members of an object or items of an array. Throws Error for other values.
  std::size_t size() const;
  JsonNode operator[](std::size_t index) const;
  std::vector<JsonNode> GetItems() const;
  /// Returns the members in the order of the document.
  std::vector<std::pair<std::string, JsonNode>> GetMembers() const;
  bool Has(std::string_view name) const;
  /// Returns the member of that name, or nullopt if it is missing. Throws Error(corrupt) if this is not an object.
  std::optional<JsonNode> Find(std::string_view name) const;
  /// Returns the member of that name. Throws Error(corrupt) "expected a member ..." at this location.
  JsonNode At(std::string_view name) const;

  /// Returns the JSON text. Non-ASCII characters are escaped, which every Zarr reader understands.
  std::string Dump(Style style = Style::kCompact) const;
  /// Returns the JSON text, cut to about 60 characters, for error messages.
  std::string GetExcerpt() const;

  const std::string& store() const;
  const std::string& key() const;
  const std::string& pointer() const { return pointer_; }

  /// Throws Error at this location.
  [[noreturn]] void Fail(ErrorKind kind, std::string message) const;
  /// Throws Error(corrupt) "expected <expected>, got <this value>" at this location.
  [[noreturn]] void FailExpected(std::string_view expected) const;

  friend bool operator==(const JsonNode& a, const JsonNode& b);

 private:
  struct Document;
  JsonNode(std::shared_ptr<const Document> document, const JsonValue* value, std::string pointer);
  static JsonNode Make(JsonValue value, const JsonNode& place);

  std::shared_ptr<const Document> document_;
  const JsonValue* value_;
  std::string pointer_;
};

/// Escapes one step of a JSON Pointer: "~" becomes "~0", "/" becomes "~1".
std::string EscapePointerStep(std::string_view name);

}  // namespace zarr
