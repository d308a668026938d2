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
  /// Also uses the declarations of `above`, the attributes of the groups above that may declare conventions.
  GeoZarrNode(const zarr::JsonNode& attributes, const std::vector<zarr::JsonNode>& above);
  /// Makes a node from an entry of a group's layout. The group's declarations also apply to it.
  GeoZarrNode(const zarr::JsonNode& entry, const GeoZarrNode& group);

  /// Returns true if there are properties of a convention that the node does not declare.
  static bool LacksDeclaration(const zarr::JsonNode& attributes);
  bool declares_any() const { return proj_ || spatial_; }
  bool declares_proj() const { return proj_; }
  bool declares_spatial() const { return spatial_; }
  /// For a group whose layout does not name the array: if the driver wrote the group's properties together with the
  /// layout, they belong only to the pyramid, and are ignored from now on.
  void IgnorePyramid();
  /// Finds the property "proj:<name>".
  std::optional<zarr::JsonNode> FindProj(const char* name) const;
  /// Finds "spatial:<name>", or its former name for properties that were once part of `proj`.
  std::optional<zarr::JsonNode> FindSpatial(const char* name) const;
  /// Returns true if the properties contain a different shape: the transform then belongs to another raster. Some
  /// products have levels with the properties of the level that they were made from.
  bool DescribesOtherShape(std::uint64_t width, std::uint64_t height) const;
  /// Reads the transform unchanged: of corners or of centres.
  std::optional<GeoTransform> ReadTransform() const;
  /// Computes a transform from the bounding box, for a raster of that size.
  std::optional<GeoTransform> ReadBoxTransform(std::uint64_t width, std::uint64_t height, bool centres) const;

 private:
  zarr::JsonNode attributes_;
  bool proj_;
  bool spatial_;
};

/// An array as a level of a layout: the entry names the array, or the group that contains it.
struct GeoZarrLevel {
  std::string group;                 ///< The path of the group that has the layout.
  std::vector<PyramidLevel> levels;  ///< The pyramid of the array.
  std::size_t index = 0;             ///< The array's index in `levels`.
  GeoZarrNode entry;
  GeoZarrNode of_group;
};

/// The properties that apply to an array. They come from the first of these that has them:
/// - the array's attributes;
/// - the attributes of its group;
/// - the entry of a layout that names it, together with the group that has the layout, even if that is the array's
///   group.
///
/// Properties of groups further up are ignored. Conventions declared by the array's group or the root apply to nodes
/// below that have properties.
class GeoZarrProperties {
 public:
  /// Throws zarr::Error(io).
  explicit GeoZarrProperties(const GeoContext& context);

  /// Finds a property in the first node that has it.
  std::optional<zarr::JsonNode> FindSpatial(const char* name) const;
  /// Returns true if transforms and boxes refer to the centres of pixels. Throws zarr::Error.
  bool RefersToCentres() const;
  /// Returns true if the array has a transform or a bounding box of corners, or declares so itself. Throws zarr::Error.
  bool RefersToCorners() const;
  /// Finds the transform of corners that is specified without a layout, for an array of that shape. Throws zarr::Error.
  std::optional<GeoTransform> FindOwnTransform(const zarr::Shape& shape, const RasterAxes& axes) const;
  /// Returns all nodes, in their order of precedence.
  std::vector<const GeoZarrNode*> GetAllNodes() const;
  /// Throws zarr::Error if the layout is invalid.
  const std::optional<GeoZarrLevel>& level() const;

  /// These return true if the array has properties from other nodes than itself.
  bool InheritsProj() const;
  bool InheritsSpatial() const;

 private:
  void FindLevel(const GeoContext& context);
  /// Makes a node from the attributes of the array or of a group above it.
  GeoZarrNode MakeNode(const GeoContext& context, const zarr::JsonNode& attributes) const;

  std::vector<GeoZarrNode> nodes_;  ///< Excludes the layout; the first node is the array's.
  std::optional<GeoZarrLevel> level_;
  std::optional<zarr::Error> layout_error_;
};

/// Reads the properties that apply to an array, only once per context. Throws zarr::Error.
const GeoZarrProperties& ReadGeoZarr(const GeoContext& context);

}  // namespace gdal_zarr
