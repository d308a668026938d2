// SPDX-License-Identifier: MIT
#include "zarrlib/metadata/fill_value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

#include "zarrlib/base/base64.h"
#include "zarrlib/base/float16.h"
#include "zarrlib/base/small_float.h"
#include "zarrlib/base/text.h"
#include "zarrlib/metadata/near_valid.h"

namespace zarr {
namespace {

using Kind = DataType::Kind;

/// The three ways to write a fill value.
enum class Dialect { kV1, kV2, kV3 };

/// How a fill value is read. Without `warnings`, only the forms of the dialect are accepted.
struct Reading {
  Dialect dialect;
  std::vector<std::string>* warnings = nullptr;
};

void FillElement(const JsonNode& node, const DataType& type, const Reading& reading, std::byte* out);

template <typename T>
void Put(std::byte* out, T value) {
  std::memcpy(out, &value, sizeof(T));
}

void PutInteger(std::byte* out, std::size_t size, std::uint64_t bits) {
  WriteBits(out, size, bits);
}

/// Writes a float of `size` bytes.
void PutFloat(std::byte* out, const DataType& type, std::size_t size, double value) {
  if (type.kind == Kind::kBfloat16) return Put(out, ConvertDoubleToBfloat16(value));
  if (type.kind == Kind::kSmallFloat) return Put(out, EncodeSmallFloat(*FindSmallFloat(type.name), value));
  if (size == 2) return Put(out, ConvertDoubleToHalf(value));
  if (size == 4) return Put(out, static_cast<float>(value));
  Put(out, value);
}

/// Turns floats with integral values into integers: some v2 writers write 0.0.
JsonNode MakeIntegralNode(const JsonNode& node) {
  if (node.type() != JsonNode::Type::kFloat) return node;
  const double value = node.AsDouble();
  if (!(std::fabs(value) < 0x1p53) || value != std::floor(value)) node.FailExpected("an integer");
  return JsonNode::MakeInteger(static_cast<std::int64_t>(value), node);
}

/// Writes a 64-bit integer that is stored as text: GDAL 3.4 to 3.7 did that beyond 2^53. Returns false for other nodes.
template <typename T>
bool FillFromDigits(const JsonNode& node, std::size_t size, std::byte* out) {
  if (!node.IsString() || size != sizeof(T)) return false;
  const auto value = ParseNumber<T>(node.AsString());
  if (value) Put(out, *value);
  return value.has_value();
}

void FillSigned(const JsonNode& node, std::size_t size, std::byte* out, unsigned bits = 0) {
  if (FillFromDigits<std::int64_t>(node, size, out)) return;
  if (bits == 0) bits = static_cast<unsigned>(8 * size);
  const std::int64_t high = bits == 64 ? INT64_MAX : (std::int64_t{1} << (bits - 1)) - 1;
  PutInteger(out, size, static_cast<std::uint64_t>(MakeIntegralNode(node).AsIntegerIn(-high - 1, high)));
}

void FillUnsigned(const JsonNode& node, std::size_t size, std::byte* out, unsigned bits = 0) {
  if (FillFromDigits<std::uint64_t>(node, size, out)) return;
  const JsonNode integer = MakeIntegralNode(node);
  if (bits == 0) bits = static_cast<unsigned>(8 * size);
  if (bits < 64) return PutInteger(out, size, static_cast<std::uint64_t>(integer.AsIntegerIn(0, (1LL << bits) - 1)));
  PutInteger(out, size, integer.AsUint64());
}

/// Parses "0x…": the bits as a big-endian number, exactly as wide as the type.
bool FillHex(std::string_view text, std::size_t size, std::byte* out) {
  if (!text.starts_with("0x") || text.size() != 2 + 2 * size) return false;
  std::uint64_t bits = 0;
  const auto parsed = std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return false;
  PutInteger(out, size, bits);
  return true;
}

/// Parses "0b…", which GDAL also reads: the bits as a number, at most as wide as the type.
bool FillBinary(std::string_view text, std::size_t size, std::byte* out) {
  if (!text.starts_with("0b") || text.size() == 2 || text.size() > 2 + 8 * size) return false;
  std::uint64_t bits = 0;
  const auto parsed = std::from_chars(text.data() + 2, text.data() + text.size(), bits, 2);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return false;
  PutInteger(out, size, bits);
  return true;
}

void FillFloat(const JsonNode& node, const DataType& type, std::size_t size, std::byte* out) {
  if (!node.IsString()) {
    const double value = node.AsDouble();
    // Zero is accepted although float8_e8m0fnu does not have it: writers without a fill value write it.
    if (std::isfinite(value) && value != 0 && !std::isfinite(RoundToFloat(type, value))) {
      node.FailExpected("a number that " + std::to_string(8 * size) + " bits can hold");
    }
    return PutFloat(out, type, size, value);
  }
  const std::string& text = node.AsString();
  if (text == "NaN") return PutFloat(out, type, size, std::numeric_limits<double>::quiet_NaN());
  if (text == "Infinity" || text == "+Infinity") {
    return PutFloat(out, type, size, std::numeric_limits<double>::infinity());
  }
  if (text == "-Infinity") return PutFloat(out, type, size, -std::numeric_limits<double>::infinity());
  if (FillHex(text, size, out) || FillBinary(text, size, out)) return;
  node.FailExpected("a number, \"NaN\", \"Infinity\", \"-Infinity\" or \"0x\" and " + std::to_string(2 * size) +
                    " hexadecimal digits");
}

void FillComplex(const JsonNode& node, const DataType& type, const Reading& reading, std::byte* out) {
  const DataType part = GetComplexPart(type);
  if (!node.IsArray()) {  // GDAL writes only the real part
    FillElement(node, part, reading, out);
    return PutFloat(out + part.size, part, part.size, 0.0);
  }
  if (node.size() != 2) node.FailExpected("a pair of numbers");
  FillElement(node[0], part, reading, out);
  FillElement(node[1], part, reading, out + part.size);
}

void FillTime(const JsonNode& node, std::byte* out) {
  if (!node.IsString()) return FillSigned(node, 8, out);
  if (node.AsString() != "NaT") node.FailExpected("an integer or \"NaT\"");
  Put(out, std::numeric_limits<std::int64_t>::min());
}

void PutPadded(const JsonNode& node, ByteSpan bytes, const DataType& type, std::byte* out) {
  // NumPy's `S` drops trailing NUL bytes; opaque bytes must be complete.
  if (type.kind == Kind::kRaw && bytes.size() != type.size) {
    node.FailExpected(std::to_string(type.size) + " bytes");
  }
  if (bytes.size() > type.size) node.FailExpected("at most " + std::to_string(type.size) + " bytes");
  if (!bytes.empty()) std::memcpy(out, bytes.data(), bytes.size());
}

Bytes ParseByteList(const JsonNode& node) {
  Bytes bytes;
  for (const JsonNode& item : node.GetItems()) bytes.push_back(static_cast<std::byte>(item.AsIntegerIn(0, 255)));
  return bytes;
}

Bytes ParseBase64(const JsonNode& node) {
  auto bytes = DecodeBase64(node.AsString());
  if (!bytes) node.FailExpected("base64");
  return *std::move(bytes);
}

void FillBytes(const JsonNode& node, const DataType& type, const Reading& reading, std::byte* out) {
  if (node.IsArray()) return PutPadded(node, ParseByteList(node), type, out);
  if (reading.dialect == Dialect::kV1) return PutPadded(node, AsBytes(node.AsString()), type, out);
  PutPadded(node, ParseBase64(node), type, out);
}

/// Converts UTF-8, which must be valid, to code points.
void FillUtf32(const JsonNode& node, const DataType& type, std::byte* out) {
  const std::string& text = node.AsString();
  std::size_t position = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t code = length == 1 ? lead : lead & (0x7Fu >> length);
    for (std::size_t k = 1; k < length; ++k) code = code << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3Fu);
    if (position + 4 > type.size) node.FailExpected("at most " + std::to_string(type.size / 4) + " characters");
    Put(out + position, code);
    position += 4;
    i += length;
  }
}

/// Fills one element of a field, or all elements of its sub-array.
void FillField(const JsonNode& node, const Field& field, const Reading& reading, std::byte* out) {
  if (field.shape.empty()) return FillElement(node, field.type, reading, out);
  const std::vector<JsonNode> items = node.GetItems();
  const Shape rest(std::span<const std::uint64_t>(field.shape.begin() + 1, field.shape.end()));
  if (items.size() != field.shape[0]) node.FailExpected("a list of " + std::to_string(field.shape[0]));
  const Field inner{field.name, field.type, 0, rest};
  for (std::size_t i = 0; i < items.size(); ++i) FillField(items[i], inner, reading, out + i * inner.size());
}

void FillStruct(const JsonNode& node, const DataType& type, const Reading& reading, std::byte* out) {
  if (node.IsString()) {  // the stored bytes of the element
    const Bytes bytes = ParseBase64(node);
    if (bytes.size() != type.size) node.FailExpected("base64 of " + std::to_string(type.size) + " bytes");
    return SwapBytes(type, Endian::kLittle, bytes.data(), out, 1);
  }
  for (const Field& field : type.fields) FillField(node.At(field.name), field, reading, out + field.offset);
}

void FillElement(const JsonNode& given, const DataType& type, const Reading& reading, std::byte* out) {
  const JsonNode node = reading.warnings ? CorrectFillValue(given, type, reading.warnings) : given;
  switch (type.kind) {
    case Kind::kBool:
      if (node.IsInteger()) return Put(out, static_cast<std::uint8_t>(node.AsIntegerIn(0, 1)));
      return Put(out, static_cast<std::uint8_t>(node.AsBoolean()));
    case Kind::kInt:
      return FillSigned(node, type.size, out, type.bits);
    case Kind::kUint:
      return FillUnsigned(node, type.size, out, type.bits);
    case Kind::kFloat:
    case Kind::kBfloat16:
    case Kind::kSmallFloat:
      return FillFloat(node, type, type.size, out);
    case Kind::kComplex:
    case Kind::kNarrowComplex:
      return FillComplex(node, type, reading, out);
    case Kind::kDatetime64:
    case Kind::kTimedelta64:
      return FillTime(node, out);
    case Kind::kFixedBytes:
    case Kind::kRaw:
      return FillBytes(node, type, reading, out);
    case Kind::kFixedUtf32:
      return FillUtf32(node, type, out);
    case Kind::kStruct:
      return FillStruct(node, type, reading, out);
    default:
      return;
  }
}

bool IsZero(const JsonNode& node) {
  return node.IsNumber() && node.AsDouble() == 0;
}

/// Parses numbers stored as text, as old versions of GDAL wrote them.
JsonNode ParseQuotedNumber(const JsonNode& node) {
  if (node.AsString().find('(') != std::string::npos) return node;  // std::from_chars accepts "nan(...)"
  const auto value = ParseNumber<double>(node.AsString());
  return value ? JsonNode::MakeFloat(*value, node) : node;
}

bool IsInteger(std::string_view text) {
  return ParseNumber<std::int64_t>(text) || ParseNumber<std::uint64_t>(text);
}

/// Corrects deviations of v1 and v2 writers.
JsonNode RelaxV2(const JsonNode& node, const DataType& type) {
  const bool number = type.kind == Kind::kInt || type.kind == Kind::kUint || type.kind == Kind::kFloat;
  if (number && node.IsArray() && node.size() == 1) return node[0];  // NetCDF-C 4.8.0
  // A double cannot hold all 64-bit integers: FillFromDigits reads their text.
  const bool is_wide = type.kind != Kind::kFloat && type.size == 8;
  if (number && is_wide && node.IsString() && IsInteger(node.AsString())) return node;
  if (number && node.IsString() && !node.AsString().starts_with("0x")) return ParseQuotedNumber(node);
  return node;
}

FillValue ReadVariable(const JsonNode& node, const DataType& type, Dialect dialect) {
  // In v1 and v2, "|O" means Python objects of any kind, so 0 may be the fill value of strings; readers use its text.
  const bool number = dialect != Dialect::kV3 && node.IsNumber();
  if (type.kind == Kind::kString && number) {
    // Not every encoding of objects holds larger integers exactly; they are written as text.
    const bool is_large = node.type() == JsonNode::Type::kUnsigned && node.AsUint64() > std::uint64_t{INT64_MAX};
    const std::string text = node.Dump();
    return {ToBytes(text), true, is_large ? Bytes() : ToBytes(std::string(kNumberMark) + text)};
  }
  if (type.kind == Kind::kString) return {ToBytes(node.AsString()), true};
  if (number && IsZero(node)) return {{}, true};
  return {node.IsArray() ? ParseByteList(node) : ParseBase64(node), true};
}

FillValue Read(const JsonNode& node, const DataType& type, const Reading& reading) {
  const Dialect dialect = reading.dialect;
  FillValue fill = MakeZeroFill(type);
  if (node.IsNull() || type.kind == Kind::kUnknown) return fill;
  if (type.variable()) return ReadVariable(node, type, dialect);
  fill.defined = true;
  const bool text = type.kind == Kind::kFixedBytes || type.kind == Kind::kFixedUtf32 || type.kind == Kind::kRaw ||
                    type.kind == Kind::kStruct;
  if (dialect != Dialect::kV3 && text && IsZero(node)) return fill;
  const JsonNode value = dialect == Dialect::kV3 ? node : RelaxV2(node, type);
  FillElement(value, type, reading, fill.bytes.data());
  return fill;
}

/// Parses a fill value nested in one list per level of `optional`; null means "missing" at any level.
FillValue ReadOptional(JsonNode node, DataType type, const Reading& reading) {
  FillValue missing{MakeMissingElement(type), !type.variable()};
  for (; type.optional_depth > 0; --type.optional_depth) {
    if (node.IsNull()) return missing;
    if (!node.IsArray() || node.size() != 1) node.FailExpected("null, or a list of one value");
    node = JsonNode(node[0]);
  }
  if (node.IsNull()) node.FailExpected("a value");
  return Read(node, type, reading);
}

}  // namespace

bool FillValue::EqualsAll(ByteSpan elements) const {
  if (bytes.empty()) return elements.empty();
  if (elements.size() < bytes.size()) return elements.empty();
  // Compares the first element with the value, and each other element with the one before it.
  return std::equal(bytes.begin(), bytes.end(), elements.begin()) &&
         std::memcmp(elements.data(), elements.data() + bytes.size(), elements.size() - bytes.size()) == 0;
}

double RoundToFloat(const DataType& type, double value) {
  if (type.kind == Kind::kBfloat16) return ConvertBfloat16ToFloat(ConvertDoubleToBfloat16(value));
  if (type.kind == Kind::kSmallFloat) {
    const SmallFloat& format = *FindSmallFloat(type.name);
    return DecodeSmallFloat(format, EncodeSmallFloat(format, value));
  }
  if (type.size == 2) return ConvertHalfToFloat(ConvertDoubleToHalf(value));
  return type.size == 4 ? static_cast<double>(static_cast<float>(value)) : value;
}

FillValue MakeZeroFill(const DataType& type) {
  return {Bytes(type.size, std::byte{0}), false};
}

Bytes MakeMissingElement(const DataType& type) {
  Bytes bytes = MakeZeroFill(type).bytes;
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  switch (type.kind) {
    case Kind::kBool:
    case Kind::kUint:
      std::fill(bytes.begin(), bytes.end(), std::byte{0xFF});
      break;
    case Kind::kInt:
    case Kind::kDatetime64:
    case Kind::kTimedelta64:
      PutInteger(bytes.data(), type.size, std::uint64_t{1} << (8 * type.size - 1));
      break;
    case Kind::kFloat:
    case Kind::kBfloat16:
    case Kind::kSmallFloat:
      PutFloat(bytes.data(), type, type.size, kNan);
      break;
    case Kind::kComplex:
    case Kind::kNarrowComplex: {
      const DataType part = GetComplexPart(type);
      PutFloat(bytes.data(), part, part.size, kNan);
      PutFloat(bytes.data() + part.size, part, part.size, kNan);
      break;
    }
    default:
      break;
  }
  return bytes;
}

FillValue ParseFillValueV1(const JsonNode& node, const DataType& type, std::vector<std::string>* warnings) {
  return Read(node, type, {Dialect::kV1, warnings});
}
FillValue ParseFillValueV2(const JsonNode& node, const DataType& type, std::vector<std::string>* warnings) {
  return Read(node, type, {Dialect::kV2, warnings});
}
FillValue ParseFillValueV3(const JsonNode& node, const DataType& type, std::vector<std::string>* warnings) {
  const Reading reading{Dialect::kV3, warnings};
  return type.optional_depth > 0 ? ReadOptional(node, type, reading) : Read(node, type, reading);
}

}  // namespace zarr
