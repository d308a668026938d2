#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/georeferencing/georeferencing.h"
#include "driver/georeferencing/geozarr/multiscales.h"
#include "zarrlib/base/error.h"

namespace gdal_zarr {

/// What attributes say in GeoZarr's conventions `proj` and `spatial`, as far as they declare them.
class GeoZarrNode {
 public:
  explicit GeoZarrNode(const zarr::JsonNode& attributes);
  /// An entry of the layout in a group: what the group declares holds for it too.
  GeoZarrNode(const zarr::JsonNode& entry, const GeoZarrNode& group);

  bool declares_any() const { return proj_ || spatial_; }
  bool declares_proj() const { return proj_; }
  bool declares_spatial() const { return spatial_; }
  /// "proj:<name>".
  std::optional<zarr::JsonNode> FindProj(const char* name) const;
  /// "spatial:<name>"; else, for what stood in `proj` before there was `spatial`, its name there.
  std::optional<zarr::JsonNode> FindSpatial(const char* name) const;
  /// The transform, of corners or of centres as it stands there.
  std::optional<GeoTransform> Transform() const;
  /// That of the bounding box over a raster of that size.
  std::optional<GeoTransform> BoxTransform(std::uint64_t width, std::uint64_t height, bool centres) const;

 private:
  zarr::JsonNode attributes_;
  bool proj_;
  bool spatial_;
};

/// An array as a level of a layout: the array that an entry names, or one in the group that it names.
struct GeoZarrLevel {
  std::string group;                 ///< The path of the group that has the layout.
  std::vector<PyramidLevel> levels;  ///< The array's pyramid.
  std::size_t index = 0;             ///< Which of them it is.
  GeoZarrNode entry;
  GeoZarrNode of_group;
};

/// The properties that hold for an array. They are looked for in its own attributes, then in those of the group that
/// holds it, then in the entry of the layout that names it, then in the group with that layout; the latter two go
/// together, even if that group is the one that holds the array. Groups further up do not count.
class GeoZarrProperties {
 public:
  /// Throws zarr::Error(io).
  explicit GeoZarrProperties(const GeoContext& context);

  /// From the first place that says.
  std::optional<zarr::JsonNode> FindSpatial(const char* name) const;
  /// Whether transforms and boxes refer to the centres of pixels. Throws zarr::Error.
  bool RefersToCentres() const;
  /// The transform of corners that is said without a layout, of an array of that shape. Throws zarr::Error.
  std::optional<GeoTransform> OwnTransform(const zarr::Shape& shape, const RasterAxes& axes) const;
  /// All, in their order.
  std::vector<const GeoZarrNode*> AllNodes() const;
  /// Throws zarr::Error for a layout that is none.
  const std::optional<GeoZarrLevel>& level() const;

  /// Whether the array has properties from elsewhere than its own attributes.
  bool InheritsProj() const;
  bool InheritsSpatial() const;

 private:
  void FindLevel(const GeoContext& context);

  std::vector<GeoZarrNode> nodes_;  ///< Without the layout; the first one is the array's.
  std::optional<GeoZarrLevel> level_;
  std::optional<zarr::Error> layout_error_;
};

}  // namespace gdal_zarr
