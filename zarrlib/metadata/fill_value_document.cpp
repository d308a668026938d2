// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstring>
#include <limits>

#include "zarrlib/base/base64.h"
#include "zarrlib/base/float16.h"
#include "zarrlib/base/small_float.h"
#include "zarrlib/base/text.h"
#include "zarrlib/metadata/data_type_names.h"
#include "zarrlib/metadata/document_parts.h"

namespace zarr {
namespace {

using Kind = DataType::Kind;

enum class JsonDialect { kV1, kV2, kV3 };

JsonNode MakeElementJson(const DataType& type, ByteSpan bytes, JsonDialect dialect);

[[noreturn]] void Fail(const std::string& message) {
  throw Error(ErrorKind::kUnsupported, message);
}

template <typename T>
T Load(ByteSpan bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

std::uint64_t LoadInteger(ByteSpan bytes) {
  return LoadBits(bytes.data(), bytes.size());
}

JsonNode MakeSignedJson(ByteSpan bytes) {
  const auto shift = static_cast<unsigned>(64 - 8 * bytes.size());
  return JsonNode::MakeInteger(static_cast<std::int64_t>(LoadInteger(bytes) << shift) >> shift);
}

// --- floats -------------------------------------------------------------------------------------------------------

double LoadFloat(const DataType& type, ByteSpan bytes) {
  if (type.kind == Kind::kBfloat16) return ConvertBfloat16ToFloat(Load<std::uint16_t>(bytes));
  if (type.kind == Kind::kSmallFloat) return DecodeSmallFloat(*FindSmallFloat(type.name), Load<std::uint8_t>(bytes));
  if (bytes.size() == 2) return ConvertHalfToFloat(Load<std::uint16_t>(bytes));
  if (bytes.size() == 4) return Load<float>(bytes);
  return Load<double>(bytes);
}

/// Returns "0x…": the bits as a big-endian number.
std::string FormatHex(ByteSpan bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const std::uint64_t bits = LoadInteger(bytes);
  std::string text = "0x";
  for (std::size_t i = 2 * bytes.size(); i-- > 0;) text += kDigits[bits >> (4 * i) & 15];
  return text;
}

JsonNode MakeFloatJson(const DataType& type, ByteSpan bytes, JsonDialect dialect) {
  const double value = LoadFloat(type, bytes);
  JsonNode node = JsonNode::MakeFloat(value);
  if (dialect == JsonDialect::kV1) return node;  // v1 uses bare tokens
  if (!std::isfinite(value)) {
    node = JsonNode::MakeString(std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
  }
  if (dialect == JsonDialect::kV2) return node;
  // The text cannot represent a NaN with a sign or a payload.
  const Bytes read = ParseFillValueV3(node, type).bytes;
  const bool exact = std::equal(read.begin(), read.end(), bytes.begin(), bytes.end());
  return exact ? node : JsonNode::MakeString(FormatHex(bytes));
}

JsonNode MakeComplexJson(const DataType& type, ByteSpan bytes, JsonDialect dialect) {
  const DataType part = GetComplexPart(type);
  return JsonNode::MakeArray({MakeFloatJson(part, bytes.first(part.size), dialect),
                              MakeFloatJson(part, bytes.subspan(part.size, part.size), dialect)});
}

JsonNode MakeTimeJson(ByteSpan bytes, JsonDialect dialect) {
  const auto value = Load<std::int64_t>(bytes);
  const bool none = value == std::numeric_limits<std::int64_t>::min() && dialect == JsonDialect::kV3;
  return none ? JsonNode::MakeString("NaT") : JsonNode::MakeInteger(value);
}

// --- text and bytes -----------------------------------------------------------------------------------------------

/// Makes a string. Fails if the bytes are not UTF-8.
JsonNode MakeTextJson(ByteSpan bytes) {
  JsonNode node = JsonNode::MakeString(AsText(bytes));
  try {  // text that is not UTF-8 is not read back unchanged
    if (JsonNode::Parse(node.Dump(), "", "").AsString() == AsText(bytes)) return node;
  } catch (const Error&) {
    Fail("a fill value that is not UTF-8");
  }
  Fail("a fill value that is not UTF-8");
}

ByteSpan TrimZeros(ByteSpan bytes) {
  while (!bytes.empty() && bytes.back() == std::byte{0}) bytes = bytes.first(bytes.size() - 1);
  return bytes;
}

JsonNode MakeBytesJson(const DataType& type, ByteSpan bytes, JsonDialect dialect) {
  if (dialect == JsonDialect::kV1) return MakeTextJson(type.kind == Kind::kRaw ? bytes : TrimZeros(bytes));
  if (dialect == JsonDialect::kV2 || type.kind == Kind::kFixedBytes || type.name == kRawBytesName) {
    return JsonNode::MakeString(EncodeBase64(bytes));
  }
  std::vector<JsonNode> items;  // zarr v3 core, "r*"
  for (const std::byte byte : bytes) items.push_back(JsonNode::MakeUnsigned(std::to_integer<unsigned>(byte)));
  return JsonNode::MakeArray(items);
}

JsonNode MakeUtf32Json(ByteSpan bytes) {
  std::size_t length = bytes.size() / 4;
  while (length > 0 && Load<std::uint32_t>(bytes.subspan(4 * (length - 1))) == 0) --length;
  std::string text;
  for (std::size_t i = 0; i < length; ++i) {
    const auto code = Load<std::uint32_t>(bytes.subspan(4 * i));
    if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) Fail("a fill value that is not Unicode");
    AppendUtf8(code, &text);
  }
  return JsonNode::MakeString(text);
}

// --- structs ------------------------------------------------------------------------------------------------------

bool IsZero(ByteSpan bytes) {
  return TrimZeros(bytes).empty();
}

JsonNode MakeStructJson(const DataType& type, ByteSpan bytes, JsonDialect dialect) {
  if (dialect == JsonDialect::kV1) {
    if (!IsZero(bytes)) Fail("v1 has no fill value for a struct but zeros");
    return JsonNode::MakeInteger(0);
  }
  if (dialect == JsonDialect::kV2) {
    Bytes stored(bytes.size());
    SwapBytes(type, Endian::kLittle, bytes.data(), stored.data(), 1);
    return JsonNode::MakeString(EncodeBase64(stored));
  }
  JsonMembers members;
  for (const Field& field : type.fields) {
    members.emplace_back(field.name, MakeElementJson(field.type, bytes.subspan(field.offset, field.size()), dialect));
  }
  return JsonNode::MakeObject(members);
}

JsonNode MakeElementJson(const DataType& type, ByteSpan bytes, JsonDialect dialect) {
  switch (type.kind) {
    case Kind::kBool:
      return JsonNode::MakeBoolean(!IsZero(bytes));
    case Kind::kInt:
      return MakeSignedJson(bytes);
    case Kind::kUint:
      return JsonNode::MakeUnsigned(LoadInteger(bytes));
    case Kind::kFloat:
    case Kind::kBfloat16:
    case Kind::kSmallFloat:
      return MakeFloatJson(type, bytes, dialect);
    case Kind::kComplex:
    case Kind::kNarrowComplex:
      return MakeComplexJson(type, bytes, dialect);
    case Kind::kDatetime64:
    case Kind::kTimedelta64:
      return MakeTimeJson(bytes, dialect);
    case Kind::kFixedBytes:
    case Kind::kRaw:
      return MakeBytesJson(type, bytes, dialect);
    case Kind::kFixedUtf32:
      return MakeUtf32Json(bytes);
    case Kind::kStruct:
      return MakeStructJson(type, bytes, dialect);
    case Kind::kString:
      return MakeTextJson(bytes);
    case Kind::kBytes:
      return JsonNode::MakeString(EncodeBase64(bytes));
    default:
      Fail("a fill value of data type \"" + type.name + "\"");
  }
}

/// Makes null for a missing element, otherwise one list per level.
JsonNode MakeOptionalJson(const FillValue& fill, DataType type) {
  if (!fill.defined || (!type.variable() && fill.bytes == MakeMissingElement(type))) return {};
  JsonNode node = MakeElementJson(type, fill.bytes, JsonDialect::kV3);
  for (; type.optional_depth > 0; --type.optional_depth) node = JsonNode::MakeArray({node});
  return node;
}

JsonNode ToJson(const FillValue& fill, const DataType& type, JsonDialect dialect) {
  if (type.optional_depth > 0) return MakeOptionalJson(fill, type);
  if (!fill.defined && dialect != JsonDialect::kV3) return {};
  // A fill value with the size of another type, or without a size, does not count.
  const bool fits = fill.defined && (type.variable() || fill.bytes.size() == type.size);
  return MakeElementJson(type, fits ? fill.bytes : MakeZeroFill(type).bytes, dialect);
}

}  // namespace

JsonNode MakeFillValueV1(const FillValue& fill, const DataType& type) {
  return ToJson(fill, type, JsonDialect::kV1);
}
JsonNode MakeFillValueV2(const FillValue& fill, const DataType& type) {
  return ToJson(fill, type, JsonDialect::kV2);
}
JsonNode MakeFillValueV3(const FillValue& fill, const DataType& type) {
  return ToJson(fill, type, JsonDialect::kV3);
}

}  // namespace zarr
