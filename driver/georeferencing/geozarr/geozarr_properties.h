// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/georeferencing/geo_context.h"
#include "driver/georeferencing/geozarr/multiscales.h"
#include "zarrlib/base/error.h"

namespace gdal_zarr {

/// The properties of GeoZarr's conventions `proj` and `spatial` in a node's attributes, if these declare them.
class GeoZarrNode {
 public:
  explicit GeoZarrNode(const zarr::JsonNode& attributes);
  /// The declarations of `above`, the attributes of the groups above that may declare conventions, hold too.
  GeoZarrNode(const zarr::JsonNode& attributes, const std::vector<zarr::JsonNode>& above);
  /// `entry` is an entry of a group's layout. The group's declarations hold for it too.
  GeoZarrNode(const zarr::JsonNode& entry, const GeoZarrNode& group);

  /// Whether there are properties of a convention that the node does not declare.
  static bool LacksDeclaration(const zarr::JsonNode& attributes);
  bool declares_any() const { return proj_ || spatial_; }
  bool declares_proj() const { return proj_; }
  bool declares_spatial() const { return spatial_; }
  /// For a group whose layout does not name the array: if the driver wrote the group's properties together with the
  /// layout, they are those of the pyramid only, and are ignored from now on.
  void IgnorePyramid();
  /// Finds the property "proj:<name>".
  std::optional<zarr::JsonNode> FindProj(const char* name) const;
  /// Finds "spatial:<name>", or its former name for properties that were once part of `proj`.
  std::optional<zarr::JsonNode> FindSpatial(const char* name) const;
  /// Whether the shape among the properties is another one: then the transform belongs to another raster. Products have
  /// levels with the properties of the level that they were made from.
  bool DescribesOtherShape(std::uint64_t width, std::uint64_t height) const;
  /// Reads the transform as it is: of corners or of centres.
  std::optional<GeoTransform> ReadTransform() const;
  /// Computes a transform from the bounding box, for a raster of that size.
  std::optional<GeoTransform> ReadBoxTransform(std::uint64_t width, std::uint64_t height, bool centres) const;

 private:
  zarr::JsonNode attributes_;
  bool proj_;
  bool spatial_;
};

/// An array as a level of a layout: the entry names the array, or the group that holds it.
struct GeoZarrLevel {
  std::string group;                 ///< The path of the group that has the layout.
  std::vector<PyramidLevel> levels;  ///< The pyramid of the array.
  std::size_t index = 0;             ///< The array's place in `levels`.
  GeoZarrNode entry;
  GeoZarrNode of_group;
};

/// The properties that hold for an array. They come from the first of these that has them: the array's attributes;
/// those of the group that holds it; the entry of a layout that names it; the group with that layout. The last two are
/// used together, even if the array is directly in the group with the layout. Properties of groups further up do not
/// count. Conventions that the array's group or the root declares hold for nodes below it that carry properties.
class GeoZarrProperties {
 public:
  /// Throws zarr::Error(io).
  explicit GeoZarrProperties(const GeoContext& context);

  /// Finds a property in the first node that has it.
  std::optional<zarr::JsonNode> FindSpatial(const char* name) const;
  /// Whether transforms and boxes refer to the centres of pixels. Throws zarr::Error.
  bool RefersToCentres() const;
  /// Whether the array has a transform or a bounding box of corners, or says so by itself. Throws zarr::Error.
  bool RefersToCorners() const;
  /// Finds the transform of corners that is given without a layout, for an array of that shape. Throws zarr::Error.
  std::optional<GeoTransform> FindOwnTransform(const zarr::Shape& shape, const RasterAxes& axes) const;
  /// Returns all nodes, in their order of precedence.
  std::vector<const GeoZarrNode*> GetAllNodes() const;
  /// Throws zarr::Error if the layout is invalid.
  const std::optional<GeoZarrLevel>& level() const;

  /// Whether the array has properties from other nodes than itself.
  bool InheritsProj() const;
  bool InheritsSpatial() const;

 private:
  void FindLevel(const GeoContext& context);
  /// Makes a node of the attributes of the array or of a group above it.
  GeoZarrNode MakeNode(const GeoContext& context, const zarr::JsonNode& attributes) const;

  std::vector<GeoZarrNode> nodes_;  ///< Without the layout; the first is the array's.
  std::optional<GeoZarrLevel> level_;
  std::optional<zarr::Error> layout_error_;
};

/// Reads the properties that hold for an array, in the first call for a context only. Throws zarr::Error.
const GeoZarrProperties& ReadGeoZarr(const GeoContext& context);

}  // namespace gdal_zarr
