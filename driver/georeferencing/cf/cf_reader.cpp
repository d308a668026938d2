// SPDX-License-Identifier: MIT
#include <initializer_list>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "driver/dataset/attribute_names.h"
#include "driver/dataset/referred_arrays.h"
#include "driver/dataset/shared_resource.h"
#include "driver/dataset/unused_attribute.h"
#include "driver/dataset/visit_upwards.h"
#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/affine.h"
#include "driver/georeferencing/axis_unit.h"
#include "driver/georeferencing/cf/cf_projection.h"
#include "driver/georeferencing/conventions.h"
#include "driver/georeferencing/raster_axes.h"
#include "driver/georeferencing/same_spatial_ref.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/document_names.h"

namespace gdal_zarr {
namespace {

/// Returns true if coordinates along X can belong to an SRS, according to their own metadata.
bool FitsCoordinates(const OGRSpatialReference& srs, const GDALMDArray& x) {
  const auto attribute = FindAttribute(x, "standard_name");
  const char* text = attribute ? attribute->ReadAsString() : nullptr;
  const std::string name = text ? text : "";
  if (name == "grid_longitude") return srs.IsDerivedGeographic();
  if (HoldsLongitudes(x)) return srs.IsGeographic() && !srs.IsDerivedGeographic();
  if (name == "projection_x_coordinate") return !srs.IsGeographic();
  return GetMetresOfUnit(x.GetUnit()) == 0 || !srs.IsGeographic();
}

std::unordered_set<std::string> ListDimensionNames(const zarr::Array& array) {
  const zarr::ArrayMetadata& metadata = array.metadata();
  std::unordered_set<std::string> names;
  for (const auto& dimension : metadata.dimension_names) {
    if (dimension) names.insert(*dimension);
  }
  const auto xarray = FindMember(metadata.attributes, zarr::kXarrayDimensions);
  if (!xarray || !xarray->IsArray()) return names;
  for (const zarr::JsonNode& dimension : xarray->GetItems()) {
    if (dimension.IsString()) names.insert(dimension.AsString());
  }
  return names;
}

/// Returns the variable named by `grid_mapping`, such as "crs" or "/group/crs". The long form, "utm: x y wgs84: lat
/// lon", names several: the one with the array's dimensions is used, otherwise the first.
std::string GetGridMappingName(const std::string& text, const zarr::Array& array) {
  const CPLStringList words(CSLTokenizeString2(text.c_str(), " ", 0));
  const std::unordered_set<std::string> dimensions = ListDimensionNames(array);
  std::string first;
  std::string current;
  for (int i = 0; i < words.size(); ++i) {
    const std::string word = words[i];
    if (i == 0 || word.ends_with(':')) {
      current = word.ends_with(':') ? word.substr(0, word.size() - 1) : word;
      if (i == 0) first = current;
    } else if (dimensions.contains(word)) {
      return current;
    }
  }
  return first;
}

std::optional<zarr::JsonNode> GetAttributes(const zarr::Array* array) {
  if (!array || !array->metadata().attributes.IsObject()) return std::nullopt;
  return array->metadata().attributes;
}

/// Finds the grid mapping variable. By CF 1.11, section 2.7, a name with slashes is a path; any other name is searched
/// in the array's group, then in the groups above.
FoundNode FindVariable(const GeoContext& context, const std::string& name) {
  if (name.empty()) return {};
  const std::string group = context.GetGroupPath();
  if (name.find('/') != std::string::npos) {
    const auto path = ResolveNodePath(group, name);
    return path ? context.nodes.finder().LookFor(*path, true) : FoundNode();
  }
  FoundNode found;
  VisitUpwards(group, name, [&](const std::string& path) {
    found = context.nodes.finder().LookFor(path, true);
    // If this variable is broken, searching further would find one that belongs to other arrays.
    return found.array || found.broken;
  });
  return found;
}

/// Some operations of xarray and rioxarray drop `grid_mapping`, but its variable is still among the `coordinates`.
bool NamesUsualVariable(const GeoContext& context) {
  const auto coordinates = context.FindAttribute(kCoordinatesAttribute);
  if (!coordinates || !coordinates->IsString()) return false;
  const CPLStringList names(CSLTokenizeString2(coordinates->AsString().c_str(), " ", 0));
  return names.FindString(kUsualGridMapping) >= 0;
}

std::optional<zarr::JsonNode> FindGridMapping(const GeoContext& context) {
  const auto attribute = context.FindAttribute(kGridMappingAttribute);
  std::string name;
  if (attribute && attribute->IsString()) name = GetGridMappingName(attribute->AsString(), context.array);
  if (!attribute && context.has_axes && NamesUsualVariable(context)) name = kUsualGridMapping;
  const FoundNode variable = FindVariable(context, name);
  // The nodes next to an array that is opened alone are not known here, and a broken variable has already been
  // reported.
  const bool is_missing = attribute && !attribute->IsNull() && !variable.array && !variable.broken;
  if (is_missing && (!context.array.path().empty() || !attribute->IsString())) {
    context.nodes.WarnOnce(FormatUnusable(*attribute, "the name of an array"));
  }
  return GetAttributes(variable.array.get());
}

/// Returns the unit of the coordinates along X in metres; 0 if it is not known.
double GetMetresPerUnit(const GeoContext& context) {
  const auto variable = context.x ? FindIndexingVariable(*context.x) : nullptr;
  return variable ? GetMetresOfUnit(variable->GetUnit()) : 0;
}

/// Reads the parameters of a grid mapping. Without an ellipsoid, they describe a projection on the ellipsoid of
/// `stated`.
SpatialRef ReadParameters(const zarr::JsonNode& attributes, const GeoContext& context,
                          const OGRSpatialReference& stated) {
  SpatialRef srs = ReadCfProjection(attributes, GetMetresPerUnit(context));
  if (!srs || HasCfEllipsoid(attributes) || srs->IsDerivedGeographic()) return srs;
  SpatialRef base(stated.CloneGeogCS());
  if (!srs->IsProjected()) return base;
  if (base) srs->CopyGeogCSFrom(base.get());
  return srs;
}

/// Warns about parameters that describe another SRS than the complete definition.
void CompareParameters(const zarr::JsonNode& attributes, const GeoContext& context, const OGRSpatialReference& srs) {
  const auto name = attributes.Find("grid_mapping_name");
  if (!name || !context.nodes.TakeNote("parameters of " + name->key() + name->pointer())) return;
  try {
    const SpatialRef other = ReadParameters(attributes, context, srs);
    if (!other || AreParametersOf(*other, srs)) return;
    context.nodes.WarnOnce(
        FormatContradiction(*name, "the parameters of " + DescribeSpatialRef(srs), DescribeSpatialRef(*other)));
  } catch (const zarr::Error& error) {
    // They are not needed, so they may be incomplete.
    if (error.kind() == zarr::ErrorKind::kIo) throw;
  }
}

std::vector<zarr::JsonNode> FindForms(const zarr::JsonNode& attributes, std::initializer_list<const char*> names) {
  std::vector<zarr::JsonNode> forms;
  for (const char* name : names) {
    const auto form = attributes.Find(name);
    if (form && !form->IsNull()) forms.push_back(*form);
  }
  return forms;
}

SpatialRef ReadGridMapping(const zarr::JsonNode& attributes, const GeoContext& context) {
  // Codes are not part of CF: they are used only if nothing else specifies the CRS.
  const auto codes = FindForms(attributes, {"epsg_code", "EPSG_code", "spatial_epsg", "epsg", "EPSG"});
  auto forms = FindForms(attributes, {"crs_wkt", "spatial_ref"});
  if (!forms.empty()) {
    forms.insert(forms.end(), codes.begin(), codes.end());
    if (auto srs = ParseForms(context, forms)) {
      CompareParameters(attributes, context, *srs);
      return srs;
    }
  }
  SpatialRef srs = ReadCfProjection(attributes, GetMetresPerUnit(context));
  SpatialRef coded = ParseForms(context, codes);
  if (!srs) return coded;
  if (coded && !AreParametersOf(*srs, *coded)) {
    context.nodes.WarnOnce(FormatContradiction(codes.front(), DescribeSpatialRef(*srs), DescribeSpatialRef(*coded)));
  }
  return srs;
}

}  // namespace

SpatialRef ReadCfSpatialRef(const GeoContext& context) {
  const auto attributes = FindGridMapping(context);
  return attributes ? ReadGridMapping(*attributes, context) : nullptr;
}

SpatialRef ReadUsualSpatialRef(const GeoContext& context) {
  if (context.FindAttribute(kGridMappingAttribute) || !context.has_axes) return nullptr;
  const auto coordinates = context.x ? FindIndexingVariable(*context.x) : nullptr;
  if (!coordinates) return nullptr;
  const auto variable = context.nodes.finder().FindArray(zarr::JoinKey(context.GetGroupPath(), kUsualGridMapping));
  if (!variable || zarr::ComputeProduct(variable->shape()) != 1) return nullptr;
  const auto attributes = GetAttributes(variable.get());
  SpatialRef srs = attributes ? ReadGridMapping(*attributes, context) : nullptr;
  return srs && FitsCoordinates(*srs, *coordinates) ? std::move(srs) : nullptr;
}

std::optional<GeoTransform> ReadCfGeoTransform(const GeoContext& context, const RasterAxes&) {
  const auto attributes = FindGridMapping(context);
  const auto numbers = attributes ? FindMember(*attributes, "GeoTransform") : std::nullopt;
  return numbers && !numbers->IsNull() ? std::optional(ReadGdalNumbers(*numbers)) : std::nullopt;
}

}  // namespace gdal_zarr
