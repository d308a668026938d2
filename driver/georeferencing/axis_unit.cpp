// SPDX-License-Identifier: MIT
#include "driver/georeferencing/axis_unit.h"

#include <cmath>

namespace gdal_zarr {
namespace {

bool IsOneOf(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* word : words) {
    if (EQUAL(text.c_str(), word)) return true;
  }
  return false;
}

}  // namespace

double GetMetresOfUnit(const std::string& unit) {
  if (IsOneOf(unit, {"m", "metre", "metres", "meter", "meters"})) return 1;
  if (IsOneOf(unit, {"km", "kilometre", "kilometres", "kilometer", "kilometers"})) return 1000;
  return 0;
}

double ReadAxisUnitFactor(const std::string& unit, const OGRSpatialReference* srs) {
  if (!srs || !srs->IsProjected()) return 1;
  if (IsOneOf(unit, {"rad", "radian", "radians"})) {
    const double height = srs->GetNormProjParm(SRS_PP_SATELLITE_HEIGHT, 0);
    return height > 0 ? height : 1;
  }
  const double length = GetMetresOfUnit(unit);
  const double of_srs = srs->GetLinearUnits();
  if (length == 0 || !(of_srs > 0)) return 1;
  const double factor = length / of_srs;
  return std::fabs(factor - 1) < 1e-9 ? 1 : factor;
}

}  // namespace gdal_zarr
