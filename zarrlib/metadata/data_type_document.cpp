// SPDX-License-Identifier: MIT
#include "zarrlib/metadata/data_type_names.h"
#include "zarrlib/metadata/document_parts.h"

namespace zarr {
namespace {

using Kind = DataType::Kind;

[[noreturn]] void Fail(const DataType& type, std::string_view format, std::string_view prefix = "") {
  throw Error(ErrorKind::kUnsupported,
              std::string(format).append(" has no data type \"").append(prefix).append(type.name) + "\"");
}

/// Returns the letter of NumPy's typestr; 0 if there is none.
char GetTypestrLetter(const DataType& type) {
  if (type.bits > 0) return 0;
  switch (type.kind) {
    case Kind::kBool:
      return 'b';
    case Kind::kInt:
      return 'i';
    case Kind::kUint:
      return 'u';
    case Kind::kFloat:
      return 'f';
    case Kind::kComplex:
      return type.size >= 8 ? 'c' : 0;
    case Kind::kDatetime64:
      return 'M';
    case Kind::kTimedelta64:
      return 'm';
    case Kind::kFixedBytes:
      return 'S';
    case Kind::kFixedUtf32:
      return 'U';
    case Kind::kRaw:
      return 'V';
    case Kind::kString:
    case Kind::kBytes:
      return 'O';
    default:
      return 0;
  }
}

/// Returns a string such as "[25s]"; "" for a type without a unit.
std::string FormatTimeUnit(const DataType& type) {
  if (type.unit.empty() || (type.unit == "generic" && type.unit_count == 1)) return "";
  const std::string unit = type.unit == "\u03bcs" ? "us" : type.unit;
  return "[" + (type.unit_count == 1 ? "" : std::to_string(type.unit_count)) + unit + "]";
}

std::string MakeTypestr(const DataType& type) {
  const char letter = GetTypestrLetter(type);
  if (letter == 0) Fail(type, "v2");
  if (letter == 'O') return "|O";
  const char order = type.swap_size() <= 1 ? '|' : type.endian == Endian::kBig ? '>' : '<';
  const std::size_t digits = letter == 'U' ? type.size / 4 : type.size;
  const bool time = letter == 'M' || letter == 'm';
  return std::string{order, letter} + std::to_string(digits) + (time ? FormatTimeUnit(type) : "");
}

JsonNode MakeStructV2(const DataType& type) {
  std::vector<JsonNode> fields;
  for (const Field& field : type.fields) {
    std::vector<JsonNode> items = {JsonNode::MakeString(field.name), MakeDataTypeV2(field.type)};
    if (!field.shape.empty()) items.push_back(MakeShapeJson(field.shape));
    fields.push_back(JsonNode::MakeArray(items));
  }
  return JsonNode::MakeArray(fields);
}

JsonNode MakeStructV3(const DataType& type) {
  std::vector<JsonNode> fields;
  for (const Field& field : type.fields) {
    if (!field.shape.empty()) {
      throw Error(ErrorKind::kUnsupported, "v3 has no struct with a sub-array (field \"" + field.name + "\")");
    }
    fields.push_back(
        JsonNode::MakeObject({{"name", JsonNode::MakeString(field.name)}, {"data_type", MakeDataTypeV3(field.type)}}));
  }
  return MakeNamedConfiguration(kStructName, {{"fields", JsonNode::MakeArray(fields)}});
}

/// The configuration is the wrapped type, as an object.
JsonNode MakeOptionalV3(const DataType& type) {
  DataType inner = type;
  --inner.optional_depth;
  const JsonNode node = MakeDataTypeV3(inner);
  return MakeNamedConfiguration(kOptionalName, node.IsObject() ? node.GetMembers() : JsonMembers{{"name", node}});
}

JsonNode MakeTimeV3(const DataType& type) {
  constexpr std::uint64_t kMaxCount = INT32_MAX;
  if (type.unit_count > kMaxCount) Fail(type, "v3");
  return MakeNamedConfiguration(type.kind == Kind::kDatetime64 ? kDatetime64Name : kTimedelta64Name,
                                {{"unit", JsonNode::MakeString(type.unit.empty() ? "generic" : type.unit)},
                                 {"scale_factor", JsonNode::MakeUnsigned(type.unit_count)}});
}

JsonNode MakeBytesV3(std::string_view name, const DataType& type) {
  return MakeNamedConfiguration(name, {{"length_bytes", JsonNode::MakeUnsigned(type.size)}});
}

}  // namespace

JsonNode MakeDataTypeV2(const DataType& type) {
  if (type.optional_depth > 0) Fail(type, "v2", "optional ");
  if (type.kind == Kind::kStruct) return MakeStructV2(type);
  return JsonNode::MakeString(MakeTypestr(type));
}

JsonNode MakeDataTypeV3(const DataType& type) {
  if (type.optional_depth > 0) return MakeOptionalV3(type);
  switch (type.kind) {
    case Kind::kStruct:
      return MakeStructV3(type);
    case Kind::kDatetime64:
    case Kind::kTimedelta64:
      return MakeTimeV3(type);
    case Kind::kFixedBytes:
      return MakeBytesV3(kFixedBytesName, type);
    case Kind::kFixedUtf32:
      return MakeBytesV3(kFixedUtf32Name, type);
    case Kind::kRaw:
      if (type.size == 0) return MakeBytesV3(kRawBytesName, type);  // "r0" is not a valid name
      return JsonNode::MakeString("r" + std::to_string(8 * type.size));
    case Kind::kSmallFloat:
    case Kind::kNarrowComplex:
      return JsonNode::MakeString(type.name);
    default:
      break;
  }
  const std::string_view name = FindPlainTypeName(type);
  if (name.empty()) Fail(type, "v3");
  return JsonNode::MakeString(name);
}

}  // namespace zarr
