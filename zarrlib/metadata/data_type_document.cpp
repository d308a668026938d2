#include "zarrlib/metadata/document_parts.h"

namespace zarr {
namespace {

using Kind = DataType::Kind;

[[noreturn]] void Fail(const DataType& type, std::string_view format) {
  throw Error(ErrorKind::kUnsupported, std::string(format) + " has no data type \"" + type.name + "\"");
}

/// The letter of NumPy's typestr; 0 if there is none.
char TypestrLetter(const DataType& type) {
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

/// "[25s]"; nothing for a unit that is none.
std::string TimeUnit(const DataType& type) {
  if (type.unit.empty() || (type.unit == "generic" && type.unit_count == 1)) return "";
  const std::string unit = type.unit == "\u03bcs" ? "us" : type.unit;
  return "[" + (type.unit_count == 1 ? "" : std::to_string(type.unit_count)) + unit + "]";
}

std::string Typestr(const DataType& type) {
  const char letter = TypestrLetter(type);
  if (letter == 0) Fail(type, "v2");
  if (letter == 'O') return "|O";
  const char order = type.swap_size() <= 1 ? '|' : type.endian == Endian::kBig ? '>' : '<';
  const std::size_t digits = letter == 'U' ? type.size / 4 : type.size;
  const bool time = letter == 'M' || letter == 'm';
  return std::string{order, letter} + std::to_string(digits) + (time ? TimeUnit(type) : "");
}

JsonNode StructToV2(const DataType& type) {
  std::vector<JsonNode> fields;
  for (const Field& field : type.fields) {
    std::vector<JsonNode> items = {JsonNode::MakeString(field.name), DataTypeToV2(field.type)};
    if (!field.shape.empty()) items.push_back(ShapeToJson(field.shape));
    fields.push_back(JsonNode::MakeArray(items));
  }
  return JsonNode::MakeArray(fields);
}

JsonNode WithConfiguration(std::string_view name, const JsonMembers& configuration) {
  return JsonNode::MakeObject(
      {{"name", JsonNode::MakeString(name)}, {"configuration", JsonNode::MakeObject(configuration)}});
}

JsonNode StructToV3(const DataType& type) {
  std::vector<JsonNode> fields;
  for (const Field& field : type.fields) {
    if (!field.shape.empty()) {
      throw Error(ErrorKind::kUnsupported, "v3 has no struct with a sub-array (field \"" + field.name + "\")");
    }
    fields.push_back(
        JsonNode::MakeObject({{"name", JsonNode::MakeString(field.name)}, {"data_type", DataTypeToV3(field.type)}}));
  }
  return WithConfiguration("struct", {{"fields", JsonNode::MakeArray(fields)}});
}

JsonNode TimeToV3(const DataType& type) {
  constexpr std::uint64_t kMaxCount = INT32_MAX;
  if (type.unit_count > kMaxCount) Fail(type, "v3");
  return WithConfiguration(type.kind == Kind::kDatetime64 ? "numpy.datetime64" : "numpy.timedelta64",
                           {{"unit", JsonNode::MakeString(type.unit.empty() ? "generic" : type.unit)},
                            {"scale_factor", JsonNode::MakeUnsigned(type.unit_count)}});
}

JsonNode BytesToV3(std::string_view name, const DataType& type) {
  return WithConfiguration(name, {{"length_bytes", JsonNode::MakeUnsigned(type.size)}});
}

std::string NumberToV3(const DataType& type) {
  const std::string bits = std::to_string(type.bits > 0 ? type.bits : 8 * type.size);
  switch (type.kind) {
    case Kind::kInt:
      return "int" + bits;
    case Kind::kUint:
      return "uint" + bits;
    case Kind::kFloat:
      return "float" + bits;
    case Kind::kBfloat16:
      return "bfloat16";
    case Kind::kComplex:
      return type.size == 4 ? "complex_float16" : "complex" + bits;
    default:
      return "bool";
  }
}

}  // namespace

JsonNode DataTypeToV2(const DataType& type) {
  if (type.kind == Kind::kStruct) return StructToV2(type);
  return JsonNode::MakeString(Typestr(type));
}

JsonNode DataTypeToV3(const DataType& type) {
  switch (type.kind) {
    case Kind::kStruct:
      return StructToV3(type);
    case Kind::kDatetime64:
    case Kind::kTimedelta64:
      return TimeToV3(type);
    case Kind::kFixedBytes:
      return BytesToV3("null_terminated_bytes", type);
    case Kind::kFixedUtf32:
      return BytesToV3("fixed_length_utf32", type);
    case Kind::kRaw:
      if (type.size == 0) return BytesToV3("raw_bytes", type);  // "r0" is none
      return JsonNode::MakeString("r" + std::to_string(8 * type.size));
    case Kind::kSmallFloat:
      return JsonNode::MakeString(type.name);
    case Kind::kString:
      return JsonNode::MakeString("string");
    case Kind::kBytes:
      return JsonNode::MakeString("bytes");
    case Kind::kUnknown:
      Fail(type, "v3");
    default:
      return JsonNode::MakeString(NumberToV3(type));
  }
}

}  // namespace zarr
