// SPDX-License-Identifier: MIT
#include "driver/georeferencing/axis_unit.h"

#include <cmath>

#include "driver/gdal/text.h"

namespace gdal_zarr {
double GetMetresOfUnit(const std::string& unit) {
  if (IsOneOfIgnoringCase(unit, {"m", "metre", "metres", "meter", "meters"})) return 1;
  if (IsOneOfIgnoringCase(unit, {"km", "kilometre", "kilometres", "kilometer", "kilometers"})) return 1000;
  return 0;
}

double ReadAxisUnitFactor(const std::string& unit, const OGRSpatialReference* srs) {
  if (!srs || !srs->IsProjected()) return 1;
  if (IsOneOfIgnoringCase(unit, {"rad", "radian", "radians"})) {
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
