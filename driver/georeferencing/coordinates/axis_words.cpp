// SPDX-License-Identifier: MIT
#include "driver/georeferencing/coordinates/axis_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "driver/dataset/attribute_names.h"
#include "driver/dataset/editable_array.h"
#include "driver/georeferencing/axis_claim.h"
#include "driver/georeferencing/axis_unit.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

constexpr const char* kStandardName = "standard_name";
constexpr const char* kLongName = "long_name";
constexpr const char* kAxis = "axis";

/// CF's attributes for coordinates along one axis.
struct AxisWords {
  const char* standard_name;
  const char* long_name;
  std::string unit;
};

/// Returns UDUNITS' name of the SRS's linear unit.
std::string GetLinearUnit(const OGRSpatialReference& srs) {
  const char* name = nullptr;
  const double metres = srs.GetLinearUnits(&name);
  if (metres == 1.0) return "m";
  if (metres == 1000.0) return "km";
  return name ? name : "";
}

/// Returns UDUNITS' name of the SRS's angular unit, or `degrees` if that is the degree.
std::string GetAngularUnit(const OGRSpatialReference& srs, const char* degrees) {
  const char* name = nullptr;
  const double radians = srs.GetAngularUnits(&name);
  const auto is = [radians](const char* unit) { return std::fabs(radians / GetRadiansOfUnit(unit) - 1) < 1e-9; };
  if (!(radians > 0) || is("degree")) return degrees;
  for (const char* const unit : {"grade", "radian", "arc_minute", "arc_second"}) {
    if (is(unit)) return unit;
  }
  return name ? name : "";
}

AxisWords MakeAngles(bool is_x, const std::string& unit) {
  return is_x ? AxisWords{"longitude", "longitude", unit} : AxisWords{"latitude", "latitude", unit};
}

AxisWords MakeAnglesOfPole(bool is_x, const std::string& unit) {
  return is_x ? AxisWords{"grid_longitude", "longitude", unit} : AxisWords{"grid_latitude", "latitude", unit};
}

AxisWords MakeLengths(bool is_x, const std::string& unit) {
  return is_x ? AxisWords{"projection_x_coordinate", "x coordinate of projection", unit}
              : AxisWords{"projection_y_coordinate", "y coordinate of projection", unit};
}

std::optional<AxisWords> FindWords(const OGRSpatialReference& srs, bool is_x) {
  if (srs.IsDerivedGeographic()) return MakeAnglesOfPole(is_x, GetAngularUnit(srs, "degrees"));  // of a rotated pole
  if (srs.IsGeographic()) return MakeAngles(is_x, GetAngularUnit(srs, is_x ? "degrees_east" : "degrees_north"));
  if (srs.IsProjected()) return MakeLengths(is_x, GetLinearUnit(srs));
  return std::nullopt;
}

std::string ReadText(const JsonNode& attributes, const char* name) {
  const auto value = FindMember(attributes, name);
  return value && value->IsString() ? value->AsString() : "";
}

/// Returns true if the attributes are those that this driver writes for any kind of SRS.
bool AreOwnWords(const JsonNode& attributes, bool is_x) {
  const std::array<AxisWords, 3> all = {MakeAngles(is_x, ""), MakeAnglesOfPole(is_x, ""), MakeLengths(is_x, "")};
  return std::ranges::any_of(all, [&](const AxisWords& words) {
    return ReadText(attributes, kStandardName) == words.standard_name &&
           ReadText(attributes, kLongName) == words.long_name;
  });
}

bool HasWords(const JsonNode& attributes) {
  for (const char* name : {kStandardName, kLongName, kUnitsAttribute}) {
    if (FindMember(attributes, name)) return true;
  }
  return false;
}

bool SaysItsAxis(const JsonNode& attributes) {
  const std::string unit = ReadText(attributes, kUnitsAttribute);
  return FindMember(attributes, kStandardName) || FindMember(attributes, kAxis) || IsDegreesTo(unit, "east") ||
         IsDegreesTo(unit, "north");
}

/// Returns true if this driver's words for coordinates are those of angles for lengths, or of lengths for angles. A
/// satellite's view takes angles too, but degrees of longitude are not those at the satellite.
bool AreOfOtherKind(const JsonNode& attributes, bool is_x, const OGRSpatialReference& srs) {
  return (ReadText(attributes, kStandardName) == MakeLengths(is_x, "").standard_name) == (srs.IsGeographic() != 0);
}

/// Returns true if a unit can be converted to that of the SRS. A satellite's view is measured in angles or lengths.
bool IsUnitOf(const std::string& unit, const OGRSpatialReference& srs) {
  return unit.empty() || FindAxisUnitFactor(unit, 0, &srs) || unit == GetUnitOfSpatialRef(srs);
}

/// Returns true if numbers in that unit are the same in the unit of the SRS.
bool IsEqualToUnitOf(const std::string& unit, const OGRSpatialReference& srs) {
  const auto found = FindAxisUnitFactor(unit, 1, &srs);
  return found && found->factor == 1;
}

bool AgreesWith(const JsonNode& attributes, bool is_x, const GDALMDArray& coordinates, const OGRSpatialReference& srs) {
  const AxisClaim claim = ReadAxisClaim(coordinates);
  if (claim != AxisClaim::kNothing && claim != (is_x ? AxisClaim::kX : AxisClaim::kY)) return false;
  return FitsAxis(ReadText(attributes, kStandardName), coordinates.GetUnit(), is_x, srs);
}

JsonNode FillIn(const JsonNode& attributes, const AxisWords& words, bool is_x, bool has_words) {
  JsonNode result = attributes;
  const auto fill = [&](const char* name, const std::string& text) {
    if (text.empty() || FindMember(attributes, name)) return;
    result = CopyWithMember(result, name, JsonNode::MakeString(text));
  };
  fill(kUnitsAttribute, words.unit);
  if (has_words && SaysItsAxis(attributes)) return result;
  fill(kStandardName, words.standard_name);
  if (!has_words) fill(kLongName, words.long_name);
  fill(kAxis, is_x ? "X" : "Y");
  return result;
}

JsonNode WithUnit(const JsonNode& attributes, const std::string& unit) {
  if (AreSameUnit(ReadText(attributes, kUnitsAttribute), unit)) return attributes;
  if (unit.empty()) return CopyWithoutMember(attributes, kUnitsAttribute);
  return CopyWithMember(attributes, kUnitsAttribute, JsonNode::MakeString(unit));
}

JsonNode Describe(const JsonNode& attributes, const AxisWords& words, bool is_x, bool is_own, bool with_unit) {
  JsonNode result = attributes;
  if (is_own) {
    result = CopyWithMember(result, kStandardName, JsonNode::MakeString(words.standard_name));
    result = CopyWithMember(result, kLongName, JsonNode::MakeString(words.long_name));
  }
  if (with_unit) result = WithUnit(result, words.unit);
  return FillIn(result, words, is_x, HasWords(attributes));
}

JsonNode WithoutWords(const JsonNode& attributes, bool without_names, bool without_unit) {
  JsonNode rest = attributes;
  if (without_names) {
    for (const char* name : {kStandardName, kLongName}) rest = CopyWithoutMember(rest, name);
  }
  return without_unit ? CopyWithoutMember(rest, kUnitsAttribute) : rest;
}

}  // namespace

void SaveWords(const GeoTarget& target, const std::string& path, const JsonNode& before, const JsonNode& after) {
  if (before == after) return;
  if (const auto object = target.array.resource()->edits().objects.Find(path)) return object->SaveAttributes(after);
  target.array.resource()->Change().EditAttributes(path, MakeAttributesEdit(before, after));
}

bool FitsAxis(const std::string& standard_name, const std::string& unit, bool is_x, const OGRSpatialReference& srs) {
  const auto words = FindWords(srs, is_x);
  if (!words) return true;
  const bool is_view = standard_name == (is_x ? "projection_x_angular_coordinate" : "projection_y_angular_coordinate");
  const bool is_named_so = standard_name.empty() || standard_name == words->standard_name;
  return (is_named_so || (is_view && srs.IsProjected())) && IsUnitOf(unit, srs);
}

bool ContradictsAxis(const GeoTarget& target, const std::string& path, bool is_x, const OGRSpatialReference& srs) {
  const auto words = FindWords(srs, is_x);
  const auto array = target.array.resource()->finder().FindArray(path);
  if (!words || !array || array->rank() != 1) return false;
  const JsonNode& attributes = array->metadata().attributes;
  // Opening them would cost requests in a remote store.
  const bool is_usual = ReadText(attributes, kStandardName) == words->standard_name &&
                        ReadText(attributes, kUnitsAttribute) == words->unit;
  if (is_usual) return false;
  const auto coordinates = target.array.OpenOther(path);
  return !AgreesWith(attributes, is_x, coordinates->gdal_array(), srs);
}

void DescribeAxis(const GeoTarget& target, const std::string& path, bool is_x, const OGRSpatialReference& srs) {
  const auto words = FindWords(srs, is_x);
  const auto array = target.array.resource()->finder().FindArray(path);
  if (!array || array->rank() != 1) return;
  const auto coordinates = target.array.OpenOther(path);
  const JsonNode attributes = array->metadata().attributes;
  const bool is_own = AreOwnWords(attributes, is_x) && !target.array.resource()->edits().group_copy.is_running();
  if (!words) {
    const bool is_unit_of_other = target.moves && !IsEqualToUnitOf(ReadText(attributes, kUnitsAttribute), srs);
    return SaveWords(target, path, attributes, WithoutWords(attributes, is_own, is_own || is_unit_of_other));
  }
  if (!is_own && !target.moves && !AgreesWith(attributes, is_x, coordinates->gdal_array(), srs)) {
    return target.array.resource()->WarnOnce(MakeGdalFullName(path) + ": these coordinates are not described as the " +
                                             words->standard_name + " of the CRS " + srs.GetName() +
                                             ", because they say that they are something else");
  }
  // The unit belongs to the values: they change together. A unit of another kind was that of another CRS.
  const bool is_of_other =
      is_own && (AreOfOtherKind(attributes, is_x, srs) || !IsUnitOf(coordinates->gdal_array().GetUnit(), srs));
  SaveWords(target, path, attributes, Describe(attributes, *words, is_x, is_own, target.moves || is_of_other));
}

bool HasOwnWords(const GeoTarget& target, const std::string& path, bool is_x) {
  const auto array = target.array.resource()->finder().FindArray(path);
  return array && AreOwnWords(array->metadata().attributes, is_x);
}

void RemoveWordsOf(const GeoTarget& target, const std::string& path, bool is_x, const OGRSpatialReference& srs) {
  const JsonNode attributes = target.array.resource()->finder().FindArray(path)->metadata().attributes;
  const bool without_unit = IsEqualToUnitOf(ReadText(attributes, kUnitsAttribute), srs);
  SaveWords(target, path, attributes, WithoutWords(attributes, AreOwnWords(attributes, is_x), without_unit));
}

bool RemoveLength(const GeoTarget& target, const std::string& path) {
  const JsonNode attributes = target.array.resource()->finder().FindArray(path)->metadata().attributes;
  const bool is_length = GetMetresOfUnit(ReadText(attributes, kUnitsAttribute)) > 0;
  SaveWords(target, path, attributes, WithoutWords(attributes, false, is_length));
  return is_length;
}

void RemoveOwnWords(const GeoTarget& target, const std::string& path) {
  const JsonNode attributes = target.array.resource()->finder().FindArray(path)->metadata().attributes;
  SaveWords(target, path, attributes, WithoutWords(attributes, true, true));
}

}  // namespace gdal_zarr
