// SPDX-License-Identifier: MIT
#include "driver/georeferencing/axis_unit.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <iterator>

#include "driver/gdal/text.h"

namespace gdal_zarr {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// A unit by its names, in lower case without spaces, underscores and hyphens.
struct Unit {
  double size;
  std::initializer_list<std::string_view> names;
};

const Unit kLengths[] = {
    {1, {"m", "metre", "metres", "meter", "meters"}},
    {1000, {"km", "kilometre", "kilometres", "kilometer", "kilometers"}},
    {100, {"hm", "hectometre", "hectometres", "hectometer", "hectometers"}},
    {0.1, {"dm", "decimetre", "decimetres", "decimeter", "decimeters"}},
    {0.01, {"cm", "centimetre", "centimetres", "centimeter", "centimeters"}},
    {0.001, {"mm", "millimetre", "millimetres", "millimeter", "millimeters"}},
    {0.3048, {"ft", "foot", "feet", "internationalfoot", "internationalfeet", "intlfoot", "intlfeet"}},
    {1200.0 / 3937,
     {"ussurveyfoot", "ussurveyfeet", "surveyfoot", "surveyfeet", "ussurveyft", "usft", "ftus", "footus", "usfoot",
      "usfeet"}},
    {0.9144, {"yd", "yard", "yards"}},
    {1609.344, {"mi", "mile", "miles"}},
    {1852, {"nmi", "nauticalmile", "nauticalmiles"}},
};

const Unit kAngles[] = {
    {1, {"rad", "radian", "radians"}},
    {1e-3, {"mrad", "milliradian", "milliradians"}},
    {1e-6, {"urad", "microradian", "microradians", "\xC2\xB5rad", "\xCE\xBCrad"}},
    {kPi / 180,
     {"deg", "degs", "degree", "degrees", "\xC2\xB0", "degreeeast", "degreeseast", "degreee", "degreese", "degreenorth",
      "degreesnorth", "degreen", "degreesn", "decimaldegree", "decimaldegrees"}},
    {kPi / 10800, {"arcmin", "arcminute", "arcminutes"}},
    {kPi / 648000, {"arcsec", "arcsecond", "arcseconds"}},
    {kPi / 200, {"grad", "grads", "gradian", "gradians", "grade", "grades", "gon", "gons"}},
};

/// Returns the text in lower case, without spaces, underscores and hyphens.
std::string Normalize(std::string_view text) {
  std::string result = ToLower(text);
  std::erase_if(result, [](char c) { return c == ' ' || c == '_' || c == '-' || c == '*'; });
  return result;
}

/// Consumes a number at the front of a unit. Returns 1 if there is none.
double TakeNumber(std::string_view* unit) {
  double number = 1;
  const auto [end, status] = std::from_chars(unit->data(), unit->data() + unit->size(), number);
  if (status != std::errc() || !std::isfinite(number) || number <= 0) return 1;
  unit->remove_prefix(static_cast<std::size_t>(end - unit->data()));
  return number;
}

template <std::size_t kCount>
double FindSize(const Unit (&units)[kCount], std::string_view text) {
  const double number = TakeNumber(&text);
  const std::string name = Normalize(text);
  const auto found = std::find_if(std::begin(units), std::end(units), [&](const Unit& unit) {
    return std::find(unit.names.begin(), unit.names.end(), name) != unit.names.end();
  });
  return found == std::end(units) ? 0 : number * found->size;
}

/// Returns true if a text does not specify a unit.
bool IsMissing(const std::string& unit) {
  const std::string name = Normalize(unit);
  return name.empty() || name == "1";
}

AxisUnitFactor MakeFactor(double size, double size_in_srs) {
  const double factor = size / size_in_srs;
  return {std::fabs(factor - 1) < 1e-9 ? 1 : factor};
}

/// Returns the height of the satellite above the ellipsoid, in metres, of a view from space; 0 for other CRSs.
double GetSatelliteHeight(const OGRSpatialReference& srs) {
  // PROJ reports an error for parameters of a CRS without a projection.
  return srs.IsProjected() ? srs.GetNormProjParm(SRS_PP_SATELLITE_HEIGHT, 0) : 0;
}

/// Angles at the satellite are at most one or two tenths of a radian, and lengths thousands of metres.
bool AreScanAngles(double largest, double height) {
  return height > 0 && largest < 1;
}

std::optional<AxisUnitFactor> FindLinearFactor(const std::string& unit, double largest,
                                               const OGRSpatialReference& srs) {
  const char* name = nullptr;
  const double of_srs = srs.GetLinearUnits(&name);
  const double height = GetSatelliteHeight(srs);
  const double length = GetMetresOfUnit(unit);
  const bool is_own = length == 0 && name && IsEqualIgnoringCase(unit, name);
  const bool is_missing = IsMissing(unit);
  if (!(of_srs > 0)) return AxisUnitFactor();
  if (AreScanAngles(largest, height) && (is_missing || is_own || length > 0)) {
    AxisUnitFactor factor = MakeFactor(height, of_srs);
    factor.contradicts_unit = !is_missing;
    return factor;
  }
  if (is_missing || is_own) return AxisUnitFactor();
  if (length > 0) return MakeFactor(length, of_srs);
  const double angle = height > 0 ? GetRadiansOfUnit(unit) : 0;
  return angle > 0 ? std::optional(MakeFactor(angle * height, of_srs)) : std::nullopt;
}

std::optional<AxisUnitFactor> FindAngularFactor(const std::string& unit, const OGRSpatialReference& srs) {
  const char* name = nullptr;
  const double of_srs = srs.GetAngularUnits(&name);
  if (IsMissing(unit) || !(of_srs > 0) || (name && IsEqualIgnoringCase(unit, name))) return AxisUnitFactor();
  const double angle = GetRadiansOfUnit(unit);
  return angle > 0 ? std::optional(MakeFactor(angle, of_srs)) : std::nullopt;
}

}  // namespace

double GetMetresOfUnit(std::string_view unit) {
  return FindSize(kLengths, unit);
}

double GetRadiansOfUnit(std::string_view unit) {
  return FindSize(kAngles, unit);
}

bool AreSameUnit(const std::string& a, const std::string& b) {
  const auto alike = [](double x, double y) { return x > 0 && std::fabs(x / y - 1) < 1e-9; };
  return a == b || alike(GetMetresOfUnit(a), GetMetresOfUnit(b)) || alike(GetRadiansOfUnit(a), GetRadiansOfUnit(b));
}

std::optional<AxisUnitFactor> FindAxisUnitFactor(const std::string& unit, double largest,
                                                 const OGRSpatialReference* srs) {
  if (!srs) return AxisUnitFactor();
  if (srs->IsGeographic()) return FindAngularFactor(unit, *srs);
  if (srs->IsProjected() || srs->IsLocal()) return FindLinearFactor(unit, largest, *srs);
  return AxisUnitFactor();
}

std::string GetUnitOfSpatialRef(const OGRSpatialReference& srs) {
  const char* name = nullptr;
  srs.IsGeographic() ? srs.GetAngularUnits(&name) : srs.GetLinearUnits(&name);
  return name ? name : "unknown";
}

}  // namespace gdal_zarr
