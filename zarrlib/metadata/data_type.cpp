// SPDX-License-Identifier: MIT
#include "zarrlib/metadata/data_type.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "zarrlib/base/limits.h"
#include "zarrlib/base/small_float.h"
#include "zarrlib/metadata/data_type_names.h"

namespace zarr {
namespace {

using Kind = DataType::Kind;

[[noreturn]] void FailItemSize(const JsonNode& node) {
  node.Fail(ErrorKind::kLimitExceeded,
            FormatExpectedGot("elements of " + FormatAtMost(Limit::kElement, "bytes"), node.GetExcerpt()));
}

constexpr std::array<std::string_view, 14> kTimeUnits = {"Y",  "M",  "W",  "D",  "h",  "m",  "s",
                                                         "ms", "us", "ns", "ps", "fs", "as", "generic"};

bool IsTimeUnit(std::string_view unit) {
  return unit == "\u03bcs" || std::find(kTimeUnits.begin(), kTimeUnits.end(), unit) != kTimeUnits.end();
}

/// The v3 types without a configuration. If a type has several names, the first is written.
struct NamedType {
  std::string_view name;
  Kind kind;
  std::size_t size;
  unsigned bits = 0;
};
constexpr NamedType kNamedTypes[] = {
    {"bool", Kind::kBool, 1},
    {"int8", Kind::kInt, 1},
    {"int16", Kind::kInt, 2},
    {"int32", Kind::kInt, 4},
    {"int64", Kind::kInt, 8},
    {"uint8", Kind::kUint, 1},
    {"uint16", Kind::kUint, 2},
    {"uint32", Kind::kUint, 4},
    {"uint64", Kind::kUint, 8},
    {"float16", Kind::kFloat, 2},
    {"float32", Kind::kFloat, 4},
    {"float64", Kind::kFloat, 8},
    {"int2", Kind::kInt, 1, 2},
    {"int4", Kind::kInt, 1, 4},
    {"uint2", Kind::kUint, 1, 2},
    {"uint4", Kind::kUint, 1, 4},
    {"bfloat16", Kind::kBfloat16, 2},
    {"complex_float16", Kind::kComplex, 4},
    {"complex32", Kind::kComplex, 4},
    {"complex64", Kind::kComplex, 8},
    {"complex_float32", Kind::kComplex, 8},
    {"complex128", Kind::kComplex, 16},
    {"complex_float64", Kind::kComplex, 16},
    {"string", Kind::kString, 0},
    {"bytes", Kind::kBytes, 0},
    {"variable_length_bytes", Kind::kBytes, 0},
};

/// The kinds of NumPy's typestr that have fixed sizes, and the unit of their digits.
struct TypestrKind {
  char letter;
  Kind kind;
  std::array<std::size_t, 4> sizes;  // allowed digits; 0 ends the list; an empty list allows any
  std::size_t unit;                  // number of bytes represented by a count of 1
};
constexpr TypestrKind kTypestrKinds[] = {
    {'b', Kind::kBool, {1}, 1},
    {'i', Kind::kInt, {1, 2, 4, 8}, 1},
    {'u', Kind::kUint, {1, 2, 4, 8}, 1},
    {'f', Kind::kFloat, {2, 4, 8}, 1},
    {'c', Kind::kComplex, {4, 8, 16}, 1},
    {'M', Kind::kDatetime64, {8}, 1},
    {'m', Kind::kTimedelta64, {8}, 1},
    {'S', Kind::kFixedBytes, {}, 1},
    {'a', Kind::kFixedBytes, {}, 1},
    {'U', Kind::kFixedUtf32, {}, 4},
    {'V', Kind::kRaw, {}, 1},
};

void ParseTimeUnit(const JsonNode& node, std::string_view text, DataType* type) {
  type->unit = "generic";
  if (text.empty()) return;
  if (!text.starts_with('[') || !text.ends_with(']')) node.FailExpected("a unit in brackets");
  text = text.substr(1, text.size() - 2);
  const auto digits = std::from_chars(text.data(), text.data() + text.size(), type->unit_count);
  if (digits.ec == std::errc::result_out_of_range || type->unit_count == 0) node.FailExpected("a count of units");
  text.remove_prefix(static_cast<std::size_t>(digits.ptr - text.data()));
  if (!IsTimeUnit(text)) node.FailExpected("a unit of time (Y M W D h m s ms us ns ps fs as)");
  type->unit = text;
}

bool IsSizeAllowed(const TypestrKind& kind, std::uint64_t digits) {
  if (kind.sizes[0] == 0) return true;
  return digits != 0 && std::find(kind.sizes.begin(), kind.sizes.end(), digits) != kind.sizes.end();
}

DataType ParseTypestr(const JsonNode& node) {
  constexpr std::string_view kExpected = "a NumPy type string such as \"<f4\"";
  const std::string_view text = node.AsString();
  DataType type;
  type.name = text;
  if (text.starts_with("|O")) {
    type.kind = Kind::kUnknown;
    type.size = 0;
    return type;
  }
  if (text.size() < 3 || std::string_view("<>|=!").find(text[0]) == std::string_view::npos)
    node.FailExpected(kExpected);
  type.endian = text[0] == '>' ? Endian::kBig : Endian::kLittle;
  const auto* kind = std::find_if(std::begin(kTypestrKinds), std::end(kTypestrKinds),
                                  [&](const TypestrKind& k) { return k.letter == text[1]; });
  if (kind == std::end(kTypestrKinds)) node.FailExpected(kExpected);
  std::uint64_t digits = 0;
  const auto parsed = std::from_chars(text.data() + 2, text.data() + text.size(), digits);
  if (parsed.ec == std::errc::invalid_argument) node.FailExpected(kExpected);
  if (parsed.ec != std::errc() || digits > GetLimit(Limit::kElement) / kind->unit) FailItemSize(node);
  const std::string_view rest(parsed.ptr, static_cast<std::size_t>(text.data() + text.size() - parsed.ptr));
  if ((text[1] == 'f' && digits == 16) || (text[1] == 'c' && digits == 32)) {  // long double depends on the platform
    type.kind = Kind::kUnknown;
    type.size = 0;
    return type;
  }
  if (!IsSizeAllowed(*kind, digits)) node.FailExpected(kExpected);
  type.kind = kind->kind;
  type.size = static_cast<std::size_t>(digits) * kind->unit;
  if (kind->kind == Kind::kDatetime64 || kind->kind == Kind::kTimedelta64) {
    ParseTimeUnit(node, rest, &type);
  } else if (!rest.empty()) {
    node.FailExpected(kExpected);
  }
  // NumPy's "!" is network byte order. Some writers use it for types without a byte order.
  if (text[0] == '!' && type.swap_size() > 1) node.FailExpected(kExpected);
  return type;
}

/// Appends a field, and checks the total size.
void AddField(const JsonNode& node, Field field, DataType* type) {
  if (field.type.variable() || field.type.kind == Kind::kUnknown || field.type.optional_depth > 0) {
    node.Fail(ErrorKind::kUnsupported, "a struct with a field of type " + field.type.name + " is not supported");
  }
  const auto count = ComputeCheckedProduct(field.shape);
  const auto size = count ? MultiplyChecked(*count, field.type.size) : std::nullopt;
  if (!size || *size > GetLimit(Limit::kElement) || type->size + *size > GetLimit(Limit::kElement)) FailItemSize(node);
  field.offset = type->size;
  type->size += static_cast<std::size_t>(*size);
  type->fields.push_back(std::move(field));
}

/// Parses a field's name: a string, or NumPy's pair [title, name].
std::string ParseFieldName(const JsonNode& node) {
  return node.IsArray() && node.size() == 2 ? node[1].AsString() : node.AsString();
}

/// The result does not have a name: the text of each of many nested structs, which includes the text of all inner ones,
/// would use much memory.
DataType ParseFieldsV2(const JsonNode& node) {
  if (node.size() == 0) node.FailExpected("at least one field");
  DataType type;
  type.kind = Kind::kStruct;
  type.size = 0;
  for (const JsonNode& item : node.GetItems()) {
    if (!item.IsArray() || item.size() < 2 || item.size() > 3) item.FailExpected("[name, type] or [name, type, shape]");
    Field field;
    field.name = ParseFieldName(item[0]);
    field.type = item[1].IsArray() ? ParseFieldsV2(item[1]) : DataType::FromV2(item[1]);
    if (item.size() == 3 && item[2].IsArray()) {
      for (const JsonNode& length : item[2].GetItems()) field.shape.push_back(length.AsUint64());
    } else if (item.size() == 3) {
      field.shape.push_back(item[2].AsUint64());
    }
    AddField(item, std::move(field), &type);
  }
  return type;
}

/// Parses `length_bytes` of the configuration, a multiple of `unit`.
std::size_t ParseLengthBytes(const JsonNode& configuration, std::uint64_t unit) {
  const JsonNode length = configuration.At("length_bytes");
  const std::int64_t bytes = length.AsIntegerIn(0, INT64_MAX);
  if (static_cast<std::uint64_t>(bytes) > GetLimit(Limit::kElement)) FailItemSize(length);
  if (static_cast<std::uint64_t>(bytes) % unit != 0) length.FailExpected("a multiple of " + std::to_string(unit));
  return static_cast<std::size_t>(bytes);
}

void ParseTimeV3(const JsonNode& configuration, DataType* type) {
  type->size = 8;
  const JsonNode unit = configuration.At("unit");
  if (!IsTimeUnit(unit.AsString())) unit.FailExpected("a unit of time (Y M W D h m s ms us ns ps fs as generic)");
  type->unit = unit.AsString();
  if (const auto factor = configuration.Find("scale_factor")) {
    type->unit_count = static_cast<std::uint64_t>(factor->AsIntegerIn(1, INT32_MAX));
  }
}

void ParseStructV3(const JsonNode& configuration, DataType* type) {
  type->size = 0;
  const JsonNode fields = configuration.At("fields");
  if (!fields.IsArray() || fields.size() == 0) fields.FailExpected("a list of at least one field");
  for (const JsonNode& item : fields.GetItems()) {
    Field field;
    if (item.IsArray()) {  // older versions of zarr-python wrote "structured" like this
      if (item.size() != 2) item.FailExpected("[name, data type]");
      field.name = item[0].AsString();
      field.type = DataType::FromV3(item[1]);
    } else {
      field.name = item.At("name").AsString();
      field.type = DataType::FromV3(item.At("data_type"));
    }
    AddField(item, std::move(field), type);
  }
}

/// The configuration is the wrapped type, in the form of a data type that is an object.
void ParseOptionalV3(const JsonNode& configuration, DataType* type) {
  *type = DataType::FromV3(configuration);
  if (type->kind != Kind::kUnknown) ++type->optional_depth;
}

/// Parses `r<N>`: N bits, a multiple of 8.
void ParseRawBitsV3(const JsonNode& node, std::string_view digits, DataType* type) {
  std::uint64_t bits = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  if (parsed.ec != std::errc() || bits / 8 > GetLimit(Limit::kElement)) FailItemSize(node);
  if (bits == 0 || bits % 8 != 0) node.FailExpected("\"r\" and a positive multiple of 8");
  type->kind = Kind::kRaw;
  type->size = static_cast<std::size_t>(bits / 8);
}

bool IsRawBits(std::string_view name) {
  return name.size() > 1 && name[0] == 'r' && name.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

constexpr std::string_view kComplexPrefix = "complex_";

/// Finds the type of the halves of "complex_<name>" if C++ does not have it.
bool FromNarrowComplexName(const std::string& name, DataType* type) {
  if (!name.starts_with(kComplexPrefix)) return false;
  const std::string_view part = std::string_view(name).substr(kComplexPrefix.size());
  if (part != "bfloat16" && !FindSmallFloat(part)) return false;
  type->kind = Kind::kNarrowComplex;
  type->size = part == "bfloat16" ? 4 : 2;
  return true;
}

void FromNameV3(const JsonNode& node, const JsonNode& configuration, DataType* type) {
  const std::string& name = type->name;
  const auto* named =
      std::find_if(std::begin(kNamedTypes), std::end(kNamedTypes), [&](const NamedType& t) { return t.name == name; });
  if (named != std::end(kNamedTypes)) {
    type->kind = named->kind;
    type->size = named->size;
    type->bits = named->bits;
  } else if (FindSmallFloat(name)) {
    type->kind = Kind::kSmallFloat;
    type->size = 1;
  } else if (FromNarrowComplexName(name, type)) {
    return;
  } else if (IsRawBits(name)) {
    ParseRawBitsV3(node, std::string_view(name).substr(1), type);
  } else if (name == kRawBytesName) {
    type->kind = Kind::kRaw;
    type->size = ParseLengthBytes(configuration, 1);
  } else if (name == kFixedBytesName) {
    type->kind = Kind::kFixedBytes;
    type->size = ParseLengthBytes(configuration, 1);
  } else if (name == kFixedUtf32Name) {
    type->kind = Kind::kFixedUtf32;
    type->size = ParseLengthBytes(configuration, 4);
  } else if (name == kDatetime64Name || name == kTimedelta64Name) {
    type->kind = name == kDatetime64Name ? Kind::kDatetime64 : Kind::kTimedelta64;
    ParseTimeV3(configuration, type);
  } else if (name == kStructName || name == "structured") {
    type->kind = Kind::kStruct;
    ParseStructV3(configuration, type);
  } else if (name == kOptionalName || name == "optional") {
    ParseOptionalV3(configuration, type);
  } else {
    type->kind = Kind::kUnknown;
    type->size = 0;
  }
}

}  // namespace

DataType DataType::FromV2(const JsonNode& node) {
  if (node.IsString()) return ParseTypestr(node);
  if (!node.IsArray()) node.FailExpected("a NumPy type string or a list of fields");
  DataType type = ParseFieldsV2(node);
  type.name = node.Dump();
  return type;
}

DataType DataType::FromV3(const JsonNode& node) {
  DataType type;
  JsonNode configuration = JsonNode::MakeObject({}, node);
  if (node.IsObject()) {
    type.name = node.At("name").AsString();
    if (const auto given = node.Find("configuration")) {
      if (!given->IsObject()) given->FailExpected("an object");
      configuration = *given;
    }
  } else if (node.IsString()) {
    type.name = node.AsString();
  } else {
    node.FailExpected("a name, or an object with a name");
  }
  FromNameV3(node, configuration, &type);
  if (type.kind != Kind::kUnknown || !node.IsObject()) return type;
  // Early versions of the v3 specification let an extension name a known type by which its elements can be read.
  const auto fallback = node.Find("fallback");
  return fallback && !fallback->IsNull() ? FromV3(*fallback) : type;
}

std::string_view FindPlainTypeName(const DataType& type) {
  const auto* found = std::find_if(std::begin(kNamedTypes), std::end(kNamedTypes), [&type](const NamedType& named) {
    return named.kind == type.kind && named.bits == type.bits && (named.size == type.size || type.variable());
  });
  return found == std::end(kNamedTypes) ? std::string_view() : found->name;
}

bool operator==(const DataType& a, const DataType& b) {
  const bool named = a.kind == Kind::kUnknown || a.kind == Kind::kSmallFloat || a.kind == Kind::kNarrowComplex;
  return a.kind == b.kind && a.size == b.size && a.bits == b.bits && a.optional_depth == b.optional_depth &&
         a.unit == b.unit && a.unit_count == b.unit_count && a.fields == b.fields && (!named || a.name == b.name);
}

DataType GetComplexPart(const DataType& type) {
  DataType part;
  part.kind = Kind::kFloat;
  part.size = type.size / 2;
  if (type.kind == Kind::kNarrowComplex) {
    part.kind = part.size == 2 ? Kind::kBfloat16 : Kind::kSmallFloat;
    part.name = type.name.substr(kComplexPrefix.size());
  }
  return part;
}

}  // namespace zarr
