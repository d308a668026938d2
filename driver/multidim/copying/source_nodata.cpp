// SPDX-License-Identifier: MIT
#include "driver/multidim/copying/source_nodata.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "driver/cf/attribute_number.h"
#include "driver/dataset/attribute_names.h"
#include "driver/gdal/attribute_value.h"
#include "driver/multidim/copying/hidden_parts.h"

namespace gdal_zarr {
namespace {

std::unique_ptr<GdalElement> MakeElement(GDALDataType type, const void* number) {
  auto element = std::make_unique<GdalElement>(GDALExtendedDataType::Create(type));
  std::memcpy(element->data(), number, element->type().GetSize());
  return element;
}

/// Returns null for text that is not a number.
std::unique_ptr<GdalElement> ParseNumber(const char* text) {
  const auto number = FindNumber(zarr::JsonNode::MakeString(text ? text : ""));
  if (!number) return nullptr;
  if (number->type() == zarr::JsonNode::Type::kInteger) {
    const std::int64_t value = number->AsInt64();
    return MakeElement(GDT_Int64, &value);
  }
  if (number->type() == zarr::JsonNode::Type::kUnsigned) {
    const std::uint64_t value = number->AsUint64();
    return MakeElement(GDT_UInt64, &value);
  }
  const double value = number->AsDouble();
  return MakeElement(GDT_Float64, &value);
}

/// Returns the number of an attribute in the attribute's type. Returns null if it is not one.
std::unique_ptr<GdalElement> ReadStatedNumber(const GDALAttribute& attribute) {
  const GDALExtendedDataType& type = attribute.GetDataType();
  if (type.GetClass() == GEDTC_STRING) return ParseNumber(attribute.ReadAsString());
  if (type.GetClass() != GEDTC_NUMERIC || GDALDataTypeIsComplex(type.GetNumericDataType())) return nullptr;
  if (!HasValue(attribute)) return nullptr;
  auto element = std::make_unique<GdalElement>(type);
  std::byte* const data = element->data();
  const bool is_read = attribute.Read(nullptr, nullptr, nullptr, nullptr, type, data, data, type.GetSize());
  return is_read ? std::move(element) : nullptr;
}

/// CF gives the nodata value of unsigned bytes as a signed byte.
bool PutUnsigned(const GDALMDArray& source, double number, GdalElement* element) {
  if (element->type().GetNumericDataType() != GDT_Byte || number < -128 || number >= 0) return false;
  if (!source.GetAttribute(kUnsignedAttribute)) return false;
  const double shown = number + 256;
  ConvertNumber(&shown, GDT_Float64, element->data(), GDT_Byte);
  return true;
}

/// Returns null if no element of the source can have the attribute's value.
std::unique_ptr<GdalElement> ReadStatedNodata(const GDALMDArray& source, const GDALAttribute& attribute) {
  auto element = std::make_unique<GdalElement>(source.GetDataType());
  if (source.GetDataType().GetClass() == GEDTC_STRING) {
    const char* const text = attribute.ReadAsString();
    if (attribute.GetDataType().GetClass() != GEDTC_STRING || !text) return nullptr;
    char* const copy = CopyToNewString(text);
    std::memcpy(element->data(), &copy, sizeof(copy));
    return element;
  }
  const auto number = ReadStatedNumber(attribute);
  if (!number) return nullptr;
  const GDALDataType from = number->type().GetNumericDataType();
  const GDALDataType to = element->type().GetNumericDataType();
  ConvertNumber(number->data(), from, element->data(), to);
  if (CanHold(to, number->data(), from)) return element;
  double as_double = 0;
  GDALCopyWords64(number->data(), from, 0, &as_double, GDT_Float64, 0, 1);
  return PutUnsigned(source, as_double, element.get()) ? std::move(element) : nullptr;
}

/// Returns true if an attribute may say something else than what GDAL gives as the nodata value of the source.
bool MayDiffer(GDALDataset* dataset, const GDALMDArray& source, const GDALAttribute& attribute) {
  if (!IsOfDriver(dataset, "netCDF")) return IsOfHdf5(dataset) && !HasValue(attribute);
  const GDALExtendedDataType& type = source.GetDataType();
  // Texts of a maximum length are rows of characters, whose `_FillValue` is that of a character.
  if (type.GetClass() == GEDTC_STRING) return type.GetMaxStringLength() == 0;
  if (type.GetClass() != GEDTC_NUMERIC || GDALDataTypeIsComplex(type.GetNumericDataType())) return false;
  // Characters are shown as bytes.
  return type.GetNumericDataType() != GDT_Byte || attribute.GetDataType().GetClass() == GEDTC_NUMERIC;
}

}  // namespace

std::optional<std::unique_ptr<GdalElement>> FindStatedNodata(GDALDataset* dataset, const GDALMDArray& source) {
  std::optional<std::unique_ptr<GdalElement>> stated;
  for (const char* name : {kFillValueAttribute, kMissingValueAttribute}) {
    const auto attribute = source.GetAttribute(name);
    if (!attribute || attribute->GetDimensionCount() > 0) continue;
    if (!MayDiffer(dataset, source, *attribute)) return stated;
    stated = ReadStatedNodata(source, *attribute);
    if (*stated) return stated;
    if (name == kFillValueAttribute && HasValue(*attribute)) {
      CPLError(CE_Warning, CPLE_NotSupported, "%s: _FillValue is not copied: no element can have this value",
               source.GetFullName().c_str());
    }
  }
  return stated;
}

}  // namespace gdal_zarr
