// SPDX-License-Identifier: MIT
#include "driver/georeferencing/georeferencing_writer.h"

#include "driver/dataset/attribute_names.h"
#include "driver/dataset/editable_array.h"
#include "driver/dataset/referred_arrays.h"
#include "driver/georeferencing/convention_writers.h"
#include "driver/georeferencing/geozarr/geozarr_properties.h"
#include "driver/georeferencing/geozarr/multiscales.h"
#include "driver/new_array/creation_options.h"
#include "zarrlib/hierarchy/editing/waiting_changes.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/store/store_locks.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

bool HasAny(const JsonNode& attributes, std::initializer_list<const char*> names) {
  if (!attributes.IsObject()) return false;
  for (const char* name : names) {
    if (attributes.Has(name)) return true;
  }
  return false;
}

/// Returns true if the array has properties of GeoZarr from its group or a layout, which take precedence over other
/// conventions.
bool InheritsGeoZarr(const EditableArray& array) {
  const GeoContext context{*array.resource(), array.array()};
  const GeoZarrProperties properties(context);
  if (properties.InheritsProj() || properties.InheritsSpatial()) return true;
  // This driver ignores properties that belong to a pyramid; other readers do not.
  return GeoZarrNode(array.resource()->finder().FindGroupAttributes(GetParentPath(array.array().path())))
      .declares_any();
}

/// Returns true if this driver wrote the properties of the array's group together with a layout. They are derived from
/// the georeferencing of arrays, so they do not show which conventions an array uses.
bool HasPlaceOfPyramids(const EditableArray& array) {
  const JsonNode group = array.resource()->finder().FindGroupAttributes(GetParentPath(array.array().path()));
  const auto multiscales = FindMember(group, kMultiscalesAttribute);
  return multiscales && FindMember(*multiscales, kWrittenWithLayout);
}

/// Returns true if the array has coordinates along X or Y, which are CF georeferencing even without a grid mapping.
bool HasCoordinates(const EditableArray& array, const RasterAxes& axes) {
  const auto& dimensions = array.gdal_array().GetDimensions();
  const auto has = [&](std::size_t axis) {
    return axis < dimensions.size() && FindIndexingVariable(*dimensions[axis]);
  };
  return has(axes.x) || has(axes.y);
}

/// Finds the conventions that the array uses or inherits from its group.
WriteConventions FindConventions(const EditableArray& array, const RasterAxes& axes) {
  const JsonNode& attributes = array.attributes();
  WriteConventions found;
  found.gdal = HasAny(attributes, {kCrsAttribute});
  found.cf = HasAny(attributes, {kGridMappingAttribute});
  found.spatial_proj = GeoZarrNode(attributes).declares_any();
  const bool inherits = InheritsGeoZarr(array);
  if (found == WriteConventions() && (!inherits || HasPlaceOfPyramids(array))) found.gdal = found.cf = true;
  found.spatial_proj = found.spatial_proj || inherits;
  // A geotransform alone is written in place of coordinates, too, if other arrays would have them.
  found.gdal = found.gdal || HasAny(attributes, {kGeoTransformAttribute});
  if (!found.gdal && HasCoordinates(array, axes)) found.cf = true;
  return found;
}

/// Returns true if an array's attributes specify its CRS in any convention.
bool UsesConventions(const JsonNode& attributes) {
  return HasAny(attributes, {kCrsAttribute, kGridMappingAttribute}) || GeoZarrNode(attributes).declares_any();
}

/// The parts of the georeferencing to be written.
struct Parts {
  bool transform = true;
  bool box = true;
  bool moves = true;
};

/// A new array's dimensions are renamed instead, see ChooseAxes.
GeoTarget MakeTarget(EditableArray& array, const RasterAxes& axes, const Georeferencing& place, const Parts& parts) {
  GeoTarget target{array, axes, parts.transform, parts.transform && parts.moves, true, place.srs};
  if (parts.transform && !array.conventions()) target.has_own_names = HasOwnNames(target);
  return target;
}

/// Throws if the georeferencing cannot be written, before anything except the names of the array's dimensions changes.
void Check(const GeoTarget& target, const WriteConventions& conventions, const Georeferencing& georeferencing) {
  if (target.with_transform && (conventions.gdal || conventions.cf)) {
    ChooseAxes(target, georeferencing);
    CheckCoordinates(target, georeferencing);
  }
  if (conventions.spatial_proj) WithGeoZarr(target.array.attributes(), target, georeferencing);
}

/// An interruption must leave numbers that are right in the old CRS or in the new one: coordinates have no unit while
/// the CRS changes to one with another unit.
void WriteParts(const GeoTarget& target, const WriteConventions& conventions, const Georeferencing& georeferencing,
                const Parts& parts) {
  EditableArray& array = target.array;
  if (!georeferencing.srs) ForgetCoordinateWords(target);
  const bool writes_coordinates = parts.transform && georeferencing.transform && (conventions.gdal || conventions.cf);
  const bool lacks_units = writes_coordinates && ForgetUnits(target, *georeferencing.transform);
  JsonNode attributes = WithoutRasterio(array.attributes(), target);
  attributes = conventions.gdal ? WithGdal(attributes, target, georeferencing) : WithoutGdal(attributes, target);
  attributes =
      conventions.spatial_proj ? WithGeoZarr(attributes, target, georeferencing) : WithoutGeoZarr(attributes, target);
  if (!parts.box && FindMember(attributes, "spatial:transform"))
    attributes = CopyWithoutMember(attributes, "spatial:bbox");
  attributes = conventions.cf ? WithCf(attributes, target, georeferencing) : WithoutCf(attributes, target);
  std::function<void()> write_values = [] {};
  if (parts.transform && (conventions.gdal || conventions.cf)) write_values = MakeCoordinates(target, georeferencing);
  // In a remote store, documents are held back until the first value is written, so that each is uploaded only once.
  const bool values_last = array.resource()->is_on_network();
  if (!values_last) write_values();
  if (georeferencing.srs && !lacks_units) DescribeCoordinates(target, *georeferencing.srs);
  array.SaveAttributes(attributes);
  if (georeferencing.srs && lacks_units) DescribeCoordinates(target, *georeferencing.srs);
  if (values_last) write_values();
  if (georeferencing.srs || array.array().path().empty()) return;
  attributes = WithoutUsualSpatialRef(array.attributes(), target, georeferencing);
  if (attributes != array.attributes()) array.SaveAttributes(attributes);
}

void WriteInTurn(EditableArray& array, const RasterAxes& axes, const Georeferencing& georeferencing,
                 const Parts& parts) {
  const auto absent = array.resource()->hierarchy().RememberAbsent();  // several checks go through all nodes
  const WriteConventions conventions = FindWrittenConventions(array, axes);
  const GeoTarget target = MakeTarget(array, axes, georeferencing, parts);
  Check(target, conventions, georeferencing);
  const PlaceBefore before(target, georeferencing.transform, conventions.cf);
  try {
    WriteParts(target, conventions, georeferencing, parts);
  } catch (...) {
    before.PutBack();
    throw;
  }
}

void Write(EditableArray& array, const RasterAxes& axes, const Georeferencing& georeferencing, const Parts& parts) {
  ChangePlaceInTurn(array, axes, [&](bool) { WriteInTurn(array, axes, georeferencing, parts); });
}

/// Reads the georeferencing again: the array's metadata, and those of its coordinates, whose values may be cached.
void ReadPlaceAgain(EditableArray& array, const RasterAxes& axes) {
  array.ReadAgain();
  const auto& dimensions = array.gdal_array().GetDimensions();
  for (const std::size_t axis : {axes.x, axes.y}) {
    const auto variable = axis < dimensions.size() ? FindIndexingVariable(*dimensions[axis]) : nullptr;
    auto* const own = AsOwnArray(variable.get());
    if (!own || own->resource() != array.resource()) continue;
    const std::string path = own->array().path();
    if (!array.resource()->hierarchy().Probe(path)) continue;  // another process has removed them
    zarr::ForgetCachedArrays(own->array().store(), path);
    own->ReadAgain();
  }
}

}  // namespace

/// Processes that add arrays to one group at the same time create coordinates and a grid mapping for all of them. They
/// take turns: each creates its own, or uses the existing ones.
void ChangePlaceInTurn(EditableArray& array, const RasterAxes& axes,
                       const std::function<void(bool is_read_again)>& change) {
  const std::string path = array.array().path();
  zarr::EditableHierarchy& hierarchy = array.resource()->Change();
  if (path.empty()) {
    // The georeferencing does not involve other nodes: the array's attributes are merged with those stored at that
    // time. A lock on the document would block chunks that are waiting to be written.
    const bool reads = !array.resource()->is_on_network() && !hierarchy.IsBeingMade(path);
    if (reads) array.ReadAgain();
    return change(reads);
  }
  const auto locked = hierarchy.LockGroup(GetParentPath(path));
  // An array that is being created does not have georeferencing yet; coordinates that other processes have created
  // since do not belong to it.
  const bool reads = locked && !hierarchy.IsBeingMade(path);
  if (reads) ReadPlaceAgain(array, axes);
  change(reads);
  if (locked) hierarchy.waiting().Put();
}

/// An array at the store's root does not have nodes next to it, so neither coordinates nor a grid mapping.
WriteConventions FindWrittenConventions(const EditableArray& array, const RasterAxes& axes) {
  const bool takes_own =
      !array.conventions() || (array.conventions()->are_default && UsesConventions(array.attributes()));
  WriteConventions conventions = takes_own ? FindConventions(array, axes) : *array.conventions();
  if (!array.array().path().empty()) {
    conventions.spatial_proj = conventions.spatial_proj || InheritsGeoZarr(array);
    return conventions;
  }
  conventions.cf = false;
  if (!conventions.spatial_proj) conventions.gdal = true;
  return conventions;
}

WriteConventions ParseConventions(const std::string& list) {
  WriteConventions conventions;
  const CPLStringList items(CSLTokenizeString2(list.c_str(), ",", CSLT_STRIPLEADSPACES | CSLT_STRIPENDSPACES));
  for (int i = 0; i < items.size(); ++i) {
    if (EQUAL(items[i], "GDAL")) {
      conventions.gdal = true;
    } else if (EQUAL(items[i], "CF")) {
      conventions.cf = true;
    } else if (EQUAL(items[i], "SPATIAL_PROJ")) {
      conventions.spatial_proj = true;
    } else {
      FailOption("GEOREFERENCING_CONVENTION", "a list of GDAL, CF, SPATIAL_PROJ", list);
    }
  }
  if (conventions == WriteConventions()) FailOption("GEOREFERENCING_CONVENTION", "GDAL, CF or SPATIAL_PROJ", list);
  return conventions;
}

void CheckGeoreferencing(EditableArray& array, const RasterAxes& axes, const Georeferencing& georeferencing) {
  Check(MakeTarget(array, axes, georeferencing, {}), FindWrittenConventions(array, axes), georeferencing);
}

void WriteGeoreferencing(EditableArray& array, const RasterAxes& axes, const Georeferencing& georeferencing,
                         bool with_transform, bool moves) {
  WriteInTurn(array, axes, georeferencing, {.transform = with_transform, .moves = moves});
}

void WriteLevelGeoreferencing(EditableArray& level, const RasterAxes& axes, const Georeferencing& georeferencing) {
  Write(level, axes, georeferencing, {.box = false});
}

void WriteSpatialRef(EditableArray& array, const RasterAxes& axes, const OGRSpatialReference* srs) {
  Write(array, axes, {srs, std::nullopt, false}, {.transform = false});
}

void AddConventions(EditableArray& array, const RasterAxes& axes, const Georeferencing& georeferencing,
                    const WriteConventions& added) {
  const GeoTarget target{array, axes, true};
  JsonNode attributes = array.attributes();
  if (added.gdal) attributes = WithGdal(attributes, target, georeferencing);
  if (added.spatial_proj) attributes = WithGeoZarr(attributes, target, georeferencing);
  if (attributes != array.attributes()) array.SaveAttributes(attributes);
}

}  // namespace gdal_zarr
