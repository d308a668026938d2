// SPDX-License-Identifier: MIT
#include <string>
#include <utility>

#include "driver/new_array/array_metadata_builder.h"

namespace gdal_zarr {
namespace {

using zarr::DataType;
using zarr::ZarrFormat;

DataType MakeNumber(DataType::Kind kind, std::size_t size) {
  DataType type;
  type.kind = kind;
  type.size = size;
  type.endian = zarr::Endian::kLittle;  // on all machines: stores are shared
  return type;
}

[[noreturn]] void FailType(const std::string& name) {
  throw zarr::Error(zarr::ErrorKind::kUnsupported, zarr::FormatExpectedGot("a data type that Zarr has", name));
}

/// Makes a numeric type. v1 and v2 do not have complex numbers of half floats, so these are stored as complex numbers
/// of floats.
DataType MakeNumericType(GDALDataType type, ZarrFormat format) {
  using Kind = DataType::Kind;
  if (kHasFloat16 && type == kFloat16Type) return MakeNumber(Kind::kFloat, 2);
  if (kHasFloat16 && type == kComplexFloat16Type) return MakeNumber(Kind::kComplex, format == ZarrFormat::kV3 ? 4 : 8);
  if (kHasInt8 && type == kInt8Type) return MakeNumber(Kind::kInt, 1);
  switch (type) {
    case GDT_Byte:
      return MakeNumber(Kind::kUint, 1);
    case GDT_UInt16:
      return MakeNumber(Kind::kUint, 2);
    case GDT_UInt32:
      return MakeNumber(Kind::kUint, 4);
    case GDT_UInt64:
      return MakeNumber(Kind::kUint, 8);
    case GDT_Int16:
      return MakeNumber(Kind::kInt, 2);
    case GDT_Int32:
      return MakeNumber(Kind::kInt, 4);
    case GDT_Int64:
      return MakeNumber(Kind::kInt, 8);
    case GDT_Float32:
      return MakeNumber(Kind::kFloat, 4);
    case GDT_Float64:
      return MakeNumber(Kind::kFloat, 8);
    case GDT_CInt16:  // Zarr lacks complex integers; complex floats of this size hold their values
    case GDT_CFloat32:
      return MakeNumber(Kind::kComplex, 8);
    case GDT_CInt32:
    case GDT_CFloat64:
      return MakeNumber(Kind::kComplex, 16);
    default:
      FailType(GDALGetDataTypeName(type));
  }
}

/// Makes a variable-length type, unless a maximum is given for text, for which v2 has separate types (v1 has only
/// those).
DataType MakeStringType(std::size_t max_length, const CreationOptions& options, ZarrFormat format) {
  const std::string stored = options.GetText("STRING_FORMAT");
  if (max_length == 0 || format == ZarrFormat::kV3 || stored == "BYTES") {
    if (format == ZarrFormat::kV1) FailType("strings of any length (in v1)");
    return MakeNumber(stored == "BYTES" ? DataType::Kind::kBytes : DataType::Kind::kString, 0);
  }
  const bool unicode = stored == "UNICODE";
  return MakeNumber(unicode ? DataType::Kind::kFixedUtf32 : DataType::Kind::kFixedBytes,
                    unicode ? 4 * max_length : max_length);
}

DataType MakeStructType(const GDALExtendedDataType& type, const CreationOptions& options, ZarrFormat format) {
  DataType result = MakeNumber(DataType::Kind::kStruct, 0);
  for (const auto& component : type.GetComponents()) {
    zarr::Field field;
    field.name = component->GetName();
    field.type = MakeDataType(component->GetType(), options, format);
    if (field.type.variable()) FailType("a compound with a string of any length");
    field.offset = result.size;
    result.size += field.type.size;
    result.fields.push_back(std::move(field));
  }
  return result;
}

}  // namespace

DataType MakeDataType(const GDALExtendedDataType& type, const CreationOptions& options, ZarrFormat format) {
  switch (type.GetClass()) {
    case GEDTC_NUMERIC:
      return MakeNumericType(type.GetNumericDataType(), format);
    case GEDTC_STRING:
      return MakeStringType(type.GetMaxStringLength(), options, format);
    case GEDTC_COMPOUND:
      return MakeStructType(type, options, format);
  }
  FailType("an unknown class of types");
}

}  // namespace gdal_zarr
