#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zarrlib/base/error.h"

namespace zarr {

/// A value of a JSON document that knows where it stands: the store, the key and the JSON Pointer, so that what is
/// wrong with it can be said in one way (`Fail`). Immutable, cheap to copy, shares ownership of its document; safe for
/// any number of threads.
///
/// Numbers keep 64-bit integers exact. The bare tokens NaN, Infinity and -Infinity, which Python writes and JSON does
/// not have, are read as non-finite numbers and written back as such tokens.
class JsonNode {
 public:
  enum class Type { kNull, kBoolean, kInteger, kUnsigned, kFloat, kString, kArray, kObject };
  /// How a document is written.
  enum class Style {
    kV2,  ///< Keys sorted, indented by 4, as zarr-python writes v1 and v2.
    kV3,  ///< Keys in their order, indented by 2.
    kCompact,
  };

  /// A null that stands nowhere.
  JsonNode();

  /// Parses one document. Throws Error(corrupt) for what is not JSON, nested deeper than 200 levels, or not UTF-8.
  /// A byte order mark and trailing NUL bytes are tolerated.
  /// `pointer` is where the text stands in a document of which it is only a part.
  static JsonNode Parse(std::string_view text, std::string_view store, std::string_view key,
                        std::string_view pointer = "");

  /// New values, which stand at `place`: that is where errors about them point.
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
  /// An integer in JSON's sense: no fraction, no exponent.
  bool IsInteger() const { return type() == Type::kInteger || type() == Type::kUnsigned; }
  /// Any number, NaN and infinities included.
  bool IsNumber() const { return IsInteger() || type() == Type::kFloat; }
  bool IsString() const { return type() == Type::kString; }
  bool IsArray() const { return type() == Type::kArray; }
  bool IsObject() const { return type() == Type::kObject; }

  /// The value, or Error(corrupt) "expected a ..., got ..." at this place.
  bool AsBoolean() const;
  std::int64_t AsInt64() const;
  std::uint64_t AsUint64() const;
  double AsDouble() const;
  const std::string& AsString() const;
  /// As AsInt64, and within [low, high].
  std::int64_t AsIntegerIn(std::int64_t low, std::int64_t high) const;

  /// Members of an object, or items of an array; Error if this is neither.
  std::size_t size() const;
  JsonNode operator[](std::size_t index) const;
  std::vector<JsonNode> Items() const;
  /// In the document's order.
  std::vector<std::pair<std::string, JsonNode>> Members() const;
  bool Has(std::string_view name) const;
  /// The member, or nothing if it is absent; Error(corrupt) if this is no object.
  std::optional<JsonNode> Find(std::string_view name) const;
  /// The member, or Error(corrupt) "expected a member ..." at this place.
  JsonNode At(std::string_view name) const;

  /// JSON text. Non-ASCII characters are escaped, which every reader of Zarr takes.
  std::string Dump(Style style = Style::kCompact) const;
  /// As Dump, at most about 60 characters: for error messages.
  std::string Excerpt() const;

  const std::string& store() const;
  const std::string& key() const;
  const std::string& pointer() const { return pointer_; }

  /// Throws Error at this place.
  [[noreturn]] void Fail(ErrorKind kind, std::string message) const;
  /// Throws Error(corrupt) "expected <expected>, got <this value>" at this place.
  [[noreturn]] void FailExpected(std::string_view expected) const;

  friend bool operator==(const JsonNode& a, const JsonNode& b);

 private:
  struct Document;
  JsonNode(std::shared_ptr<const Document> document, const nlohmann::ordered_json* value, std::string pointer);
  static JsonNode Make(nlohmann::ordered_json value, const JsonNode& place);

  std::shared_ptr<const Document> document_;
  const nlohmann::ordered_json* value_;
  std::string pointer_;
};

/// One step of a JSON Pointer, escaped: "~" as "~0", "/" as "~1".
std::string PointerStep(std::string_view name);

}  // namespace zarr
