// SPDX-License-Identifier: MIT
#include "driver/georeferencing/cf/cf_parameters.h"

#include <cmath>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

constexpr double kOnceRoundTheEarth = 4.01e7;

struct Alias {
  const char* name;
  const char* other;
};

/// Names that a parameter has in files of older or other writers, such as netCDF-Java and GDAL.
constexpr Alias kAliases[] = {
    {"earth_radius", "spherical_earth_radius_meters"},
    {"longitude_of_central_meridian", "longitude_of_projection_origin"},
    {"longitude_of_projection_origin", "straight_vertical_longitude_from_pole"},
    {"longitude_of_projection_origin", "longitude_of_central_meridian"},
    {"scale_factor_at_central_meridian", "scale_factor_at_projection_origin"},
    {"scale_factor_at_projection_origin", "scale_factor_at_central_meridian"},
    {"standard_parallel", "standard_parallel_1"},
};

double CheckFinite(const JsonNode& node, double number) {
  if (!std::isfinite(number)) node.FailExpected("a finite number");
  return number;
}

/// Reads numbers from text, separated by commas or spaces.
std::vector<double> ParseNumbers(const JsonNode& node) {
  const CPLStringList words(CSLTokenizeString2(node.AsString().c_str(), ", ", 0));
  std::vector<double> numbers;
  for (int i = 0; i < words.size(); ++i) {
    char* end = nullptr;
    numbers.push_back(CheckFinite(node, CPLStrtod(words[i], &end)));
    if (end == words[i] || *end != '\0') node.FailExpected("a number");
  }
  if (numbers.empty()) node.FailExpected("a number");
  return numbers;
}

std::vector<double> ReadNumbers(const JsonNode& node) {
  if (node.IsString()) return ParseNumbers(node);
  if (!node.IsArray()) return {CheckFinite(node, node.AsDouble())};
  std::vector<double> numbers;
  for (const JsonNode& item : node.GetItems()) {
    for (const double number : ReadNumbers(item)) numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

std::optional<JsonNode> CfParameters::FindNode(std::string_view name) const {
  auto node = attributes_.Find(name);
  for (const Alias& alias : kAliases) {
    if (!node && alias.name == name) node = attributes_.Find(alias.other);
  }
  return node;
}

std::optional<double> CfParameters::Find(const char* name) const {
  const auto node = FindNode(name);
  if (!node) return std::nullopt;
  const std::vector<double> numbers = ReadNumbers(*node);
  if (numbers.size() != 1) node->FailExpected("a number");
  return numbers[0];
}

double CfParameters::Get(const char* name) const {
  if (const auto number = Find(name)) return *number;
  attributes_.At(name);  // throws, because it is absent
  return 0;
}

std::vector<double> CfParameters::List(const char* name) const {
  const auto node = FindNode(name);
  return node ? ReadNumbers(*node) : std::vector<double>();
}

std::string CfParameters::GetText(const char* name) const {
  const auto node = FindNode(name);
  return node && node->IsString() ? node->AsString() : "";
}

void CfParameters::FailExpected(const char* name, std::string_view expected) const {
  const auto node = FindNode(name);
  (node ? *node : attributes_.At(name)).FailExpected(expected);
}

/// In CF, the offset has the unit of the coordinates, but some writers use metres for coordinates in kilometres. An
/// offset that would exceed the Earth's circumference in kilometres is therefore treated as metres.
double CfParameters::GetOffset(const char* name) const {
  const double offset = GetOr(name, 0);
  const double metres = offset * metres_per_unit_;
  return metres_per_unit_ == 0 || std::fabs(metres) > kOnceRoundTheEarth ? offset : metres;
}

}  // namespace gdal_zarr
