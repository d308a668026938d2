#pragma once

#include <optional>
#include <string>
#include <vector>

#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// The attributes of a CF grid mapping variable (CF 1.11, table F.1), by their names. Numbers may be text ("33" or
/// "33, 45"), as some writers have them. All throw zarr::Error for what is no finite number.
class CfParameters {
 public:
  /// `metres_per_unit` is that of the coordinates, in which the false easting and northing are; 0 if it is not known.
  CfParameters(const zarr::JsonNode& attributes, double metres_per_unit)
      : attributes_(attributes), metres_per_unit_(metres_per_unit) {}

  bool Has(const char* name) const { return attributes_.Has(name); }
  /// A number, or a list of one; nothing if it is absent.
  std::optional<double> Find(const char* name) const;
  /// The first of the names that is there; throws if none is.
  double Get(std::initializer_list<const char*> names) const;
  double Get(const char* name) const { return Get({name}); }
  double GetOr(const char* name, double otherwise) const { return Find(name).value_or(otherwise); }
  /// A list of numbers, of which one may stand alone; empty if it is absent.
  std::vector<double> List(const char* name) const;
  /// "" if it is absent, or no text.
  std::string Text(const char* name) const;

  /// In metres.
  double easting() const { return Offset("false_easting"); }
  double northing() const { return Offset("false_northing"); }

  /// Throws zarr::Error at that attribute.
  [[noreturn]] void FailExpected(const char* name, std::string_view expected) const;

 private:
  double Offset(const char* name) const;

  const zarr::JsonNode& attributes_;
  double metres_per_unit_;
};

}  // namespace gdal_zarr
