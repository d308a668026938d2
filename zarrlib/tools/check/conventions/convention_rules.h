// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "zarrlib/tools/check/rules.h"

namespace zarr::tools {

/// The rules of CF, of xarray's encoding of it, and of GeoZarr's conventions.
inline constexpr Rule kConventionRules[] = {
    {"xarray-dimensions", Severity::kError,
     "`_ARRAY_DIMENSIONS` is no list of a name for each dimension, or differs from `dimension_names`"},
    {"dimensions-unnamed", Severity::kWarning, "an array has dimensions without names"},
    {"cf-fill-value", Severity::kError, "`_FillValue` is no value of the array's data type"},
    {"cf-missing-value", Severity::kError, "`missing_value` is no value of the array's data type"},
    {"cf-valid-range", Severity::kError, "`valid_range`, `valid_min` or `valid_max` are no numbers in ascending order"},
    {"cf-packing", Severity::kError, "`scale_factor` or `add_offset` is no finite number, or the factor is 0"},
    {"cf-units", Severity::kWarning, "`units` is no text"},
    {"cf-time-units", Severity::kError, "`units` with \"since\" have no unit of time and date that can be read"},
    {"cf-calendar", Severity::kError, "`calendar` is none of CF's"},
    {"cf-grid-mapping", Severity::kError, "`grid_mapping` names no variable, or one without a CRS"},
    {"cf-bounds", Severity::kError, "`bounds` names no variable, or one of another shape"},
    {"cf-coordinates", Severity::kWarning, "`coordinates` names a variable that is not there"},
    {"cf-coordinate-order", Severity::kError, "the values of a coordinate variable do not all rise, or all fall"},
    {"zarr-conventions", Severity::kError,
     "`zarr_conventions` is no list of objects with `uuid`, `schema_url` or `spec_url`"},
    {"convention-undeclared", Severity::kWarning, "attributes of a convention that `zarr_conventions` does not name"},
    {"proj-missing", Severity::kError, "the convention `proj` is named, but there is no CRS"},
    {"proj-code", Severity::kError, "`proj:code` is not of the form AUTHORITY:CODE"},
    {"proj-wkt2", Severity::kError, "`proj:wkt2` is no WKT of a CRS in version 2"},
    {"proj-projjson", Severity::kError, "`proj:projjson` is no object with the type of a CRS"},
    {"spatial-dimensions", Severity::kError,
     "`spatial:dimensions` are not two dimensions of the array, or of an array in the group"},
    {"spatial-transform", Severity::kError, "`spatial:transform` is no list of 6 numbers that can be inverted"},
    {"spatial-transform-type", Severity::kWarning, "`spatial:transform_type` is not `affine`"},
    {"spatial-bbox", Severity::kError, "`spatial:bbox` is no list of 4 numbers, the least before the greatest"},
    {"spatial-shape", Severity::kError, "`spatial:shape` is no list of 2 lengths, or differs from those of the array"},
    {"spatial-registration", Severity::kError, "`spatial:registration` is neither `pixel` nor `node`"},
    {"multiscales-layout", Severity::kError, "`multiscales` has no list `layout` of objects with `asset`"},
    {"multiscales-asset", Severity::kError, "an `asset` of `multiscales` is no node below the group"},
    {"multiscales-derived-from", Severity::kError, "`derived_from` names no `asset` before it"},
    {"multiscales-source", Severity::kWarning, "`derived_from` names a node that is no `asset`"},
    {"multiscales-transform", Severity::kError,
     "`scale` or `translation` of a level are no lists of numbers of one length"},
    {"multiscales-size", Severity::kWarning, "a level is not smaller than the one that it is derived from"},
};

/// Finds a rule of a convention at compile time.
consteval const Rule& ConventionRule(std::string_view name) {
  for (const Rule& rule : kConventionRules) {
    if (rule.name == name) return rule;
  }
  throw "there is no such rule";
}

}  // namespace zarr::tools
