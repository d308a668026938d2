// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/georeferencing/georeferencing_writer.h"
#include "zarrlib/json/json_node.h"

/// The writers of the conventions, one file each. Each function takes an array's attributes and returns the new ones;
/// changes to other nodes are made at once. All functions throw zarr::Error.
namespace gdal_zarr {

/// The array whose georeferencing is written.
struct GeoTarget {
  EditableArray& array;
  RasterAxes axes;
  bool with_transform = true;  ///< If false, only the CRS changes.
  bool moves = true;           ///< If false, coordinates stay as they are, because they give the same geotransform.
  /// If false, other arrays have the axes too, without coordinates: those of this array would be wrong for them.
  bool has_own_names = true;
  const OGRSpatialReference* srs = nullptr;  ///< That of the new transform; null if there is none.
};

// gdal_writer.cpp
zarr::JsonNode WithGdal(const zarr::JsonNode& attributes, const GeoTarget& target, const Georeferencing& place);
zarr::JsonNode WithoutGdal(const zarr::JsonNode& attributes, const GeoTarget& target);

// geozarr_writer.cpp
zarr::JsonNode WithGeoZarr(const zarr::JsonNode& attributes, const GeoTarget& target, const Georeferencing& place);
zarr::JsonNode WithoutGeoZarr(const zarr::JsonNode& attributes, const GeoTarget& target);
/// Declares the CRS, on an array or a group.
zarr::JsonNode WithProj(const zarr::JsonNode& attributes, const OGRSpatialReference& srs);
/// The size of a raster in pixels.
struct RasterExtent {
  std::uint64_t height = 0;
  std::uint64_t width = 0;
};
/// Declares on a group the axes and the bounding box of its rasters, without a transform. `place` has one.
zarr::JsonNode WithSpatialExtent(const zarr::JsonNode& attributes, const std::string& y_name, const std::string& x_name,
                                 const RasterExtent& extent, const Georeferencing& place);
/// Renames a dimension where the attributes of an array or a group name its spatial dimensions.
zarr::JsonNode WithDimensionRenamed(const zarr::JsonNode& attributes, const std::string& from, const std::string& to);
/// Returns the transform for `spatial:registration`: of centres if the values belong to points, otherwise of corners.
GeoTransform GetRegisteredTransform(const Georeferencing& place);

// cf_writer.cpp
/// Returns the name of the grid mapping variable that attributes name; "" if they name none.
std::string GetNamedGridMapping(const zarr::JsonNode& attributes);
zarr::JsonNode WithCf(const zarr::JsonNode& attributes, const GeoTarget& target, const Georeferencing& place);
/// Names a grid mapping without a CRS if an array without one would otherwise have that of a variable of its group.
zarr::JsonNode WithoutUsualSpatialRef(const zarr::JsonNode& attributes, const GeoTarget& target,
                                      const Georeferencing& place);
zarr::JsonNode WithoutCf(const zarr::JsonNode& attributes, const GeoTarget& target);

// rasterio.cpp
/// Removes the attributes that ReadRasterioSpatialRef and ReadRasterioGeoTransform read; they are never written.
zarr::JsonNode WithoutRasterio(const zarr::JsonNode& attributes, const GeoTarget& target);

// coordinates_writer.cpp
/// Returns false if new coordinates of the array's axes would contradict the lengths of other arrays of the group, as
/// in the levels of OME-NGFF, or would georeference others. In a remote store this takes requests.
bool HasOwnNames(const GeoTarget& target);
/// Returns true if coordinate arrays can express the transform: it is not rotated, and the store can contain such
/// arrays.
bool FitsCoordinates(const GeoTarget& target, const std::optional<GeoTransform>& transform);
/// Returns true if coordinate arrays, once they are written, tell the whole transform. The coordinate of a single row
/// or column does not determine the size of pixels.
bool CoordinatesTell(const GeoTarget& target, const std::optional<GeoTransform>& transform);
/// Chooses the dimensions of a new array. It shares the dimensions of other arrays if their coordinates are correct for
/// it. It gets its own dimensions if the coordinates of its current ones are correct, or would be correct, only for
/// other arrays.
void ChooseAxes(const GeoTarget& target, const Georeferencing& place);
/// Throws Error(unsupported) if MakeCoordinates would move or remove coordinates that other arrays also use.
void CheckCoordinates(const GeoTarget& target, const Georeferencing& place);
/// Throws Error(unsupported) if the array has coordinates that are times, depths or another quantity, which a transform
/// would replace or remove. Usual names of X and Y count more than what the coordinates are described as.
void CheckAreOfPlaces(const GeoTarget& target);
/// Creates the coordinate arrays of X and Y next to the array, or removes them if they would be wrong. Returns a
/// function that writes their values (centres of pixels). Call it while the target exists.
std::function<void()> MakeCoordinates(const GeoTarget& target, const Georeferencing& place);
/// Removes the unit, a length, of coordinates that are going to move to a geotransform without a CRS, or whose numbers
/// stay while their unit becomes that of another CRS. Returns true if it has removed one. Throws zarr::Error.
bool ForgetUnits(const GeoTarget& target, const GeoTransform& transform);
/// Removes what the coordinates say of the array's CRS, unless other arrays use them: this driver's words, and their
/// unit if it is that of the CRS. If they imply a CRS by words of another program, or for other arrays, they stay for a
/// new array; otherwise throws Error(unsupported).
void ForgetCoordinateWords(const GeoTarget& target);
/// Adds the CF attributes that describe the coordinates to the coordinate arrays, if any.
void DescribeCoordinates(const GeoTarget& target, const OGRSpatialReference& srs);

// place_before.cpp
/// The attributes of an array, its grid mapping and its coordinates, for a change of several documents that fails.
/// Lives no longer than the target.
class PlaceBefore {
 public:
  /// Is empty if the array is new, if values of coordinates will change, or if a grid mapping may be created. Throws
  /// zarr::Error.
  PlaceBefore(const GeoTarget& target, const std::optional<GeoTransform>& transform, bool writes_cf);
  /// Puts the attributes back, as far as they can be written: the CRS first, because units of coordinates would be
  /// wrong with another one.
  void PutBack() const;

 private:
  void Add(const std::string& path);

  const GeoTarget& target_;
  std::vector<std::pair<std::string, zarr::JsonNode>> attributes_;  // by the paths of the nodes
};

// gdal_writer.cpp, for all writers
/// Returns the CRS as WKT in a form such as "WKT2_2019" or "WKT1_GDAL"; "" if that form cannot express it.
std::string ToWkt(const OGRSpatialReference& srs, const char* form);
/// Returns true if a form of a CRS is read as the same one as its WKT 2, which has most of it. The code of a CRS may
/// stand for another one, such as that with heights, and names of datums may be lost.
bool IsReadAs(const zarr::JsonNode& form, const OGRSpatialReference& srs);
/// Returns the CRS as PROJJSON, or nullopt if it cannot be expressed.
std::optional<zarr::JsonNode> ToProjJson(const OGRSpatialReference& srs);
/// Returns a code such as "EPSG:32631"; "" for a CRS without a code, or whose code stands for another one.
std::string FindCode(const OGRSpatialReference& srs);

}  // namespace gdal_zarr
