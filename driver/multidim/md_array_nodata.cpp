// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "driver/cf/attribute_number.h"
#include "driver/cf/unsigned_attribute.h"
#include "driver/dataset/attribute_names.h"
#include "driver/dataset/unused_attribute.h"
#include "driver/multidim/md_array.h"
#include "zarrlib/base/base64.h"
#include "zarrlib/base/bytes.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/fill_value.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

// --- CF attributes ----------------------------------------------------------------------------------------------

/// A number in an attribute, exact for 64-bit integers.
struct Number {
  enum class Kind { kSigned, kUnsigned, kFloat } kind = Kind::kFloat;
  std::int64_t as_signed = 0;
  std::uint64_t as_unsigned = 0;
  double as_float = 0;

  GDALDataType type() const {
    return kind == Kind::kSigned ? GDT_Int64 : kind == Kind::kUnsigned ? GDT_UInt64 : GDT_Float64;
  }
  const void* data() const {
    if (kind == Kind::kSigned) return &as_signed;
    if (kind == Kind::kUnsigned) return &as_unsigned;
    return &as_float;
  }
};

Number ToNumber(double value) {
  Number number;
  number.as_float = value;
  return number;
}

/// Parses a number, including a number in text form, or base64 of the eight bytes of a little-endian Float64, which is
/// how xarray writes the `_FillValue` of floating-point arrays in v3.
std::optional<Number> ParseNumber(const JsonNode& node) {
  Number number;
  switch (node.type()) {
    case JsonNode::Type::kInteger:
      number.kind = Number::Kind::kSigned;
      number.as_signed = node.AsInt64();
      return number;
    case JsonNode::Type::kUnsigned:
      number.kind = Number::Kind::kUnsigned;
      number.as_unsigned = node.AsUint64();
      return number;
    case JsonNode::Type::kFloat:
      return ToNumber(node.AsDouble());
    case JsonNode::Type::kBoolean:
      return ToNumber(node.AsBoolean() ? 1 : 0);
    case JsonNode::Type::kString: {
      if (const std::optional<JsonNode> written = FindNumber(node)) return ParseNumber(*written);
      const std::optional<zarr::Bytes> bytes = zarr::DecodeBase64(node.AsString());
      if (!bytes || bytes->size() != sizeof(double)) return std::nullopt;
      return ToNumber(zarr::LoadLittleEndian<double>(bytes->data()));
    }
    default:
      return std::nullopt;
  }
}

/// Returns true if a number keeps its value in `type`. Float32 may round, because 1e20 is written with the digits of a
/// Float32.
bool Survives(const Number& number, GDALDataType type, const std::byte* stored) {
  if (!GDALDataTypeIsInteger(type)) {
    double back = 0;
    GDALCopyWords64(stored, type, 0, &back, GDT_Float64, 0, 1);
    return number.kind != Number::Kind::kFloat || std::isfinite(back) == std::isfinite(number.as_float);
  }
  if (number.kind == Number::Kind::kFloat && !std::isfinite(number.as_float)) return false;
  Number back = number;
  GDALCopyWords64(stored, type, 0, const_cast<void*>(back.data()), number.type(), 0, 1);
  return back.as_signed == number.as_signed && back.as_unsigned == number.as_unsigned &&
         back.as_float == number.as_float;
}

bool WriteNumber(const Number& number, GdalElement* element) {
  const GDALDataType type = element->type().GetNumericDataType();
  ConvertNumber(number.data(), number.type(), element->data(), type);
  return Survives(number, type, element->data());
}

/// Sets an element in the form `shown` to the value that an array of the form `stored` keeps of a number. Returns false
/// for a number that does not fit the array's type.
bool PutAsStored(const Number& number, const ElementForm& stored, const ElementForm& shown, GdalElement* element) {
  GdalElement as_stored(stored.type);
  if (!WriteNumber(number, &as_stored) || !KeepsNumber(stored, as_stored.data())) return false;
  alignas(16) std::array<std::byte, 16> bytes{};
  stored.pack(as_stored.data(), bytes.data());
  shown.expand(bytes.data(), element->data());
  return true;
}

/// The attribute of an array that is shown with the opposite signedness may be a number of either signedness.
bool PutNumber(const zarr::Array& array, const Number& number, const ElementForm& form, GdalElement* element) {
  const bool as_shown = GetShownType(array) == array.data_type();
  if (!as_shown && PutAsStored(number, MakeElementForm(array.data_type()), form, element)) return true;
  return PutAsStored(number, form, form, element);
}

/// Returns null if the attribute's value does not fit this type.
std::unique_ptr<GdalElement> ReadNodataAttribute(const zarr::Array& array, const ElementForm& form, const char* name) {
  const JsonNode& attributes = array.metadata().attributes;
  if (!attributes.IsObject()) return nullptr;
  std::optional<JsonNode> node = attributes.Find(name);
  if (node && node->IsArray() && node->size() == 1) node = (*node)[0];
  if (!node) return nullptr;
  auto element = std::make_unique<GdalElement>(form.type);
  if (form.type.GetClass() == GEDTC_STRING && node->IsString()) {
    char* text = CopyToNewString(node->AsString());
    std::memcpy(element->data(), &text, sizeof(text));
    return element;
  }
  const std::optional<Number> number = ParseNumber(*node);
  if (form.type.GetClass() != GEDTC_NUMERIC || !number) return nullptr;
  if (!PutNumber(array, *number, form, element.get())) return nullptr;
  return element;
}

/// Formats a numeric or string element.
std::string FormatElement(const GdalElement& element) {
  GdalElement text(GDALExtendedDataType::CreateString());
  GDALExtendedDataType::CopyValue(element.data(), element.type(), text.data(), text.type());
  const char* const characters = *reinterpret_cast<const char* const*>(text.data());
  return characters ? characters : "";
}

// --- the fill value ---------------------------------------------------------------------------------------------

/// Returns true if a fill value is zero of either sign, or consists of zero bytes.
bool IsZero(const zarr::FillValue& fill, const GdalElement& element) {
  if (element.type().GetClass() != GEDTC_NUMERIC) {
    return std::all_of(fill.bytes.begin(), fill.bytes.end(), [](std::byte b) { return b == std::byte{0}; });
  }
  std::array<double, 2> parts{};
  GDALCopyWords64(element.data(), element.type().GetNumericDataType(), 0, parts.data(), GDT_CFloat64, 0, 1);
  return parts[0] == 0 && parts[1] == 0;
}

std::unique_ptr<GdalElement> ReadFillValue(const zarr::Array& array, const ElementForm& form, FillValueUse use) {
  const zarr::FillValue& fill = array.metadata().fill_value;
  if (!fill.defined || use == FillValueUse::kNo) return nullptr;
  const zarr::DataType& type = array.data_type();
  if (type.kind == zarr::DataType::Kind::kUnknown) return nullptr;
  auto element = std::make_unique<GdalElement>(form.type);
  if (type.variable()) {
    const std::string_view text = zarr::AsText({fill.bytes.data(), fill.bytes.size()});
    form.expand(reinterpret_cast<const std::byte*>(&text), element->data());
  } else {
    form.expand(fill.bytes.data(), element->data());
  }
  const bool zero_says_nothing = use == FillValueUse::kAuto && array.metadata().zarr_format == zarr::ZarrFormat::kV3;
  return zero_says_nothing && IsZero(fill, *element) ? nullptr : std::move(element);
}

/// Returns the value as which missing elements of the data type `optional` are read. Returns null for strings, where
/// missing elements are null.
std::unique_ptr<GdalElement> MakeMissing(const zarr::DataType& type, const ElementForm& form) {
  if (form.type.GetClass() != GEDTC_NUMERIC) return nullptr;
  auto element = std::make_unique<GdalElement>(form.type);
  form.expand(zarr::MakeMissingElement(type).data(), element->data());
  return element;
}

/// Returns true if two elements of one type are equal strings or numbers. NaN equals NaN, whatever its bytes.
bool HoldTheSame(const GdalElement& a, const GdalElement& b) {
  if (a.type().GetClass() != GEDTC_NUMERIC) return FormatElement(a) == FormatElement(b);
  if (std::memcmp(a.data(), b.data(), a.type().GetSize()) == 0) return true;
  std::array<std::array<double, 2>, 2> parts{};
  for (std::size_t i = 0; i < 2; ++i) {
    GDALCopyWords64((i == 0 ? a : b).data(), a.type().GetNumericDataType(), 0, parts[i].data(), GDT_CFloat64, 0, 1);
  }
  return std::isnan(parts[0][0]) && std::isnan(parts[1][0]);
}

/// Zero and NaN are the fill values that writers use by default.
bool SaysNothing(const zarr::Array& array, const GdalElement& fill) {
  if (IsZero(array.metadata().fill_value, fill)) return true;
  if (fill.type().GetClass() != GEDTC_NUMERIC) return FormatElement(fill).empty();
  double number = 0;
  GDALCopyWords64(fill.data(), fill.type().GetNumericDataType(), 0, &number, GDT_Float64, 0, 1);
  return std::isnan(number);
}

}  // namespace

std::unique_ptr<GdalElement> FindNodata(const zarr::Array& array, const ElementForm& form, FillValueUse use) {
  if (array.data_type().optional_depth > 0) return MakeMissing(array.data_type(), form);
  for (const char* name : {kFillValueAttribute, kMissingValueAttribute}) {
    if (std::unique_ptr<GdalElement> value = ReadNodataAttribute(array, form, name)) return value;
  }
  return ReadFillValue(array, form, use);
}

bool IsNodata(const zarr::Array& array, const ElementForm& form, const std::byte* value) {
  const std::unique_ptr<GdalElement> known = FindNodata(array, form, FillValueUse::kAuto);
  if (!known || !value) return !known && !value;
  GdalElement wanted(form.type);
  GDALExtendedDataType::CopyValue(value, form.type, wanted.data(), form.type);
  return HoldTheSame(*known, wanted);
}

void CheckNodata(SharedResource& resource, const zarr::Array& array, const ElementForm& form, FillValueUse use) {
  const JsonNode& attributes = array.metadata().attributes;
  if (array.data_type().optional_depth > 0 || form.type.GetClass() == GEDTC_COMPOUND) return;
  std::unique_ptr<GdalElement> used;
  for (const char* name : {kFillValueAttribute, kMissingValueAttribute}) {
    const auto node = FindMember(attributes, name);
    if (!node || node->IsNull()) continue;
    std::unique_ptr<GdalElement> value = ReadNodataAttribute(array, form, name);
    if (!value) {
      resource.WarnOnce(FormatUnusable(*node, "one value of the type " + array.data_type().name));
    } else if (used && !HoldTheSame(*used, *value)) {
      resource.WarnOnce(FormatContradiction(*node, FormatElement(*used) + ", as " + kFillValueAttribute + " says",
                                            FormatElement(*value)));
    }
    if (!used) used = std::move(value);
  }
  const auto fill = ReadFillValue(array, form, use == FillValueUse::kNo ? FillValueUse::kAuto : use);
  if (!used || !fill || SaysNothing(array, *fill) || HoldTheSame(*used, *fill)) return;
  resource.WarnOnce(zarr::Error(zarr::ErrorKind::kCorrupt, array.store().name(), array.path(), "/fill_value",
                                zarr::FormatExpectedGot("the nodata value of the attributes, " + FormatElement(*used),
                                                        FormatElement(*fill)) +
                                    "; chunks that are missing hold the latter, which is no nodata value")
                        .what());
}

bool TellsNodata(const zarr::Array& array, const char* name) {
  if (array.data_type().optional_depth > 0) return false;
  const auto form = ShareElementForm(GetShownType(array));
  const auto value = ReadNodataAttribute(array, *form, name);
  const auto nodata = value ? FindNodata(array, *form, FillValueUse::kAuto) : nullptr;
  return nodata && HoldTheSame(*nodata, *value);
}

bool IsNodataAttribute(const zarr::Array& array, const ElementForm& form, const char* name) {
  return array.data_type().optional_depth == 0 && ReadNodataAttribute(array, form, name) != nullptr;
}

}  // namespace gdal_zarr
