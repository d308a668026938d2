// SPDX-License-Identifier: MIT
#include "driver/create/bands/same_coordinates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/cf/attribute_number.h"
#include "driver/cf/cf_time.h"
#include "driver/cf/unsigned_attribute.h"
#include "driver/create/bands/read_texts.h"
#include "driver/dataset/attribute_names.h"
#include "driver/multidim/attribute.h"
#include "driver/multidim/md_array.h"
#include "driver/types/type_map.h"
#include "zarrlib/hierarchy/stale_regions.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/document_names.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// Attributes that say how the values are stored, which are compared as they are meant.
constexpr std::string_view kOfStorage[] = {kScaleAttribute, kOffsetAttribute, kFillValueAttribute,
                                           kMissingValueAttribute, kUnsignedAttribute};

using Words = std::map<std::string, std::string>;

std::string GetText(const JsonNode& attributes, const char* name) {
  const auto value = FindMember(attributes, name);
  return value && value->IsString() ? value->AsString() : "";
}

void EraseIf(Words* words, const char* name, const std::string& text) {
  const auto found = words->find(name);
  if (found != words->end() && found->second == JsonNode::MakeString(text).Dump()) words->erase(found);
}

/// Returns true if both Gregorian calendars have the same dates for numbers in a unit, which do not lie far before its
/// origin.
bool IsGregorianUnit(const std::string& unit) {
  const auto standard = ParseTimeUnit(unit, Calendar::kStandard);
  const auto proleptic = ParseTimeUnit(unit, Calendar::kProlepticGregorian);
  return standard && proleptic && standard->origin == proleptic->origin;
}

/// Of times, writers may leave out what follows from the units, and calendars have several names. Bands do not tell
/// which of the Gregorian calendars they have.
void NormaliseTime(const JsonNode& attributes, bool is_calendar_told, Words* words) {
  auto calendar = ParseCalendar(GetText(attributes, "calendar"));
  const std::string unit = GetText(attributes, kUnitsAttribute);
  if (!calendar || !ParseTimeUnit(unit, *calendar)) return;
  const bool is_proleptic = *calendar == Calendar::kProlepticGregorian;
  if (!is_calendar_told && is_proleptic && IsGregorianUnit(unit)) calendar = Calendar::kStandard;
  (*words)["calendar"] = std::to_string(static_cast<int>(*calendar));
  EraseIf(words, "standard_name", "time");
  EraseIf(words, "axis", "T");
}

Words ListWords(const zarr::Array& array, bool list_all) {
  const JsonNode& attributes = array.metadata().attributes;
  Words words;
  for (const auto& [name, value] : attributes.IsObject() ? attributes.GetMembers() : zarr::JsonMembers()) {
    const bool is_meaning = name == kUnitsAttribute || name == "calendar";
    const bool is_of_storage = std::ranges::find(kOfStorage, name) != std::end(kOfStorage);
    if (is_of_storage || IsLeftToSource(name) || !(list_all || is_meaning)) continue;
    words[name] = value.Dump();
  }
  NormaliseTime(attributes, list_all, &words);
  return words;
}

/// `type` is GDAL's type of the size of Number.
template <typename Number>
std::vector<Number> ReadNumbers(const zarr::Array& array, GDALDataType type) {
  std::vector<Number> numbers(array.shape()[0]);
  const auto converter = MakeRowConverter(GetShownType(array), GDALExtendedDataType::Create(type));
  array.Read(zarr::Selection::FromBox({zarr::Shape(1, 0), array.shape()}),
             {reinterpret_cast<std::byte*>(numbers.data()), zarr::Strides(1, sizeof(Number)), converter.get()});
  return numbers;
}

double GetNumber(const zarr::Array& array, const char* name, double otherwise) {
  const auto value = FindMember(array.metadata().attributes, name);
  return value ? ReadNumber(*value).value_or(otherwise) : otherwise;
}

bool IsPackedArray(const zarr::Array& array) {
  return GetNumber(array, kScaleAttribute, 1) != 1 || GetNumber(array, kOffsetAttribute, 0) != 0;
}

/// Returns the number of missing coordinates. Ignores a fill value of 0 that no attribute confirms.
std::optional<double> FindMissingNumber(const zarr::Array& array) {
  const ElementForm form = MakeElementForm(GetShownType(array));
  const auto nodata = FindNodata(array, form, FillValueUse::kAuto);
  if (!nodata) return std::nullopt;
  double number = 0;
  ConvertNumber(nodata->data(), form.type.GetNumericDataType(), &number, GDT_Float64);
  const JsonNode& attributes = array.metadata().attributes;
  const bool told = FindMember(attributes, kFillValueAttribute) || FindMember(attributes, kMissingValueAttribute);
  return told || number != 0 ? std::optional(number) : std::nullopt;
}

std::vector<double> ReadMeaning(const zarr::Array& array) {
  const double scale = GetNumber(array, kScaleAttribute, 1);
  const double offset = GetNumber(array, kOffsetAttribute, 0);
  const auto missing = FindMissingNumber(array);
  std::vector<double> numbers = ReadNumbers<double>(array, GDT_Float64);
  for (double& number : numbers) {
    number = number == missing ? std::numeric_limits<double>::quiet_NaN() : number * scale + offset;
  }
  return numbers;
}

/// Returns true if two arrays have the same integers where coordinates are not missing. Float64 cannot represent all.
template <typename Integer>
bool HaveSameIntegers(const zarr::Array& a, const zarr::Array& b, GDALDataType type,
                      const std::vector<double>& meaning) {
  const auto first = ReadNumbers<Integer>(a, type);
  const auto second = ReadNumbers<Integer>(b, type);
  for (std::size_t i = 0; i < meaning.size(); ++i) {
    if (!std::isnan(meaning[i]) && first[i] != second[i]) return false;
  }
  return true;
}

/// If the values are not `exact`, they are compared in the lower precision: bands of other formats tell those of
/// Float32 by nine digits.
bool HaveSameNumbers(const zarr::Array& a, const zarr::Array& b, bool exact) {
  const auto is_short = [](const zarr::Array& array) {
    return FindElementClass(GetShownType(array)).number == GDT_Float32;
  };
  const bool as_floats = !exact && (is_short(a) || is_short(b));
  const auto are_same = [&](double x, double y) {
    return x == y || (std::isnan(x) && std::isnan(y)) || (as_floats && static_cast<float>(x) == static_cast<float>(y));
  };
  const std::vector<double> meaning = ReadMeaning(a);
  if (!std::ranges::equal(meaning, ReadMeaning(b), are_same)) return false;
  const auto is_plain = [](const zarr::Array& array) {
    return GDALDataTypeIsInteger(FindElementClass(GetShownType(array)).number) && !IsPackedArray(array);
  };
  if (!is_plain(a) || !is_plain(b)) return true;
  return HaveSameIntegers<std::int64_t>(a, b, GDT_Int64, meaning) &&
         HaveSameIntegers<std::uint64_t>(a, b, GDT_UInt64, meaning);
}

bool HasNumpyTimes(const zarr::Array& array) {
  using NumberKind = zarr::DataType::Kind;
  const NumberKind kind = array.data_type().kind;
  return kind == NumberKind::kDatetime64 || kind == NumberKind::kTimedelta64;
}

bool HaveSameValues(const zarr::Array& a, const zarr::Array& b, bool exact) {
  const ElementClass first = FindElementClass(GetShownType(a));
  const ElementClass second = FindElementClass(GetShownType(b));
  if (first.type_class != second.type_class) return false;
  if (first.type_class == GEDTC_STRING) return ReadTexts(a) == ReadTexts(b);
  if (first.type_class != GEDTC_NUMERIC) return false;
  if (GDALDataTypeIsComplex(first.number) || GDALDataTypeIsComplex(second.number)) return false;
  if ((HasNumpyTimes(a) || HasNumpyTimes(b)) && !(a.data_type() == b.data_type())) return false;
  return HaveSameNumbers(a, b, exact);
}

}  // namespace

bool SayTheSame(const zarr::Array& a, const zarr::Array& b, bool compare_all) {
  return ListWords(a, compare_all) == ListWords(b, compare_all) && HaveSameValues(a, b, compare_all);
}

bool IsLeftToSource(std::string_view attribute) {
  constexpr std::string_view kNames[] = {kBoundsAttribute,
                                         "climatology",
                                         "CLASS",
                                         "NAME",
                                         "REFERENCE_LIST",
                                         "DIMENSION_LIST",
                                         "_Netcdf4Dimid",
                                         "_Netcdf4Coordinates",
                                         zarr::kXarrayDimensions,
                                         zarr::kStaleOverviewsAttribute};
  return std::ranges::find(kNames, attribute) != std::end(kNames) || IsNczarrAttribute(attribute);
}

}  // namespace gdal_zarr
