// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// Reads the attributes of a CF grid mapping variable (CF 1.11, table F.1). Numbers may be text ("33" or "33, 45"), as
/// some writers store them, and parameters are also found by the names that older writers use. All functions throw
/// zarr::Error for values that are not finite numbers.
class CfParameters {
 public:
  /// `metres_per_unit`: the unit of the coordinates, and of the false easting and northing; 0 if it is not known.
  CfParameters(const zarr::JsonNode& attributes, double metres_per_unit)
      : attributes_(attributes), metres_per_unit_(metres_per_unit) {}

  bool Has(const char* name) const { return FindNode(name).has_value(); }
  /// Returns a number, or the only number of a list; nullopt if the attribute is absent.
  std::optional<double> Find(const char* name) const;
  /// Throws if the attribute is absent.
  double Get(const char* name) const;
  double GetOr(const char* name, double otherwise) const { return Find(name).value_or(otherwise); }
  /// Returns a list of numbers, or a single number as a list; an empty list if the attribute is absent.
  std::vector<double> List(const char* name) const;
  /// Returns "" if the attribute is absent or not text.
  std::string GetText(const char* name) const;

  /// These return lengths in metres.
  double easting() const { return GetOffset("false_easting"); }
  double northing() const { return GetOffset("false_northing"); }

  /// Throws a zarr::Error that names the attribute.
  [[noreturn]] void FailExpected(const char* name, std::string_view expected) const;

 private:
  std::optional<zarr::JsonNode> FindNode(std::string_view name) const;
  double GetOffset(const char* name) const;

  const zarr::JsonNode& attributes_;
  double metres_per_unit_;
};

}  // namespace gdal_zarr
