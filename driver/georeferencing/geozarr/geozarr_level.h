#pragma once

#include <memory>
#include <optional>
#include <string>

#include "driver/georeferencing/affine.h"
#include "driver/georeferencing/geozarr/geozarr_properties.h"

namespace gdal_zarr {

/// Where a level of a layout lies, as far as the layout says. All transforms are those of corners. Throws zarr::Error.
///
/// A level's own transform goes first. Else it is found from that of the level it was made from, by the entry's `scale`
/// and `translation`: a column is `scale` of the other's columns, the first one begins `translation` of them further.
/// What is derived from nothing is a version of the base; the transform of the group is the base's. Without a scale the
/// level has the extent of its source. At last, the bounding box of the group is that of all levels.
class LevelPlace {
 public:
  /// All must outlive it. `centres`: transforms and boxes refer to the centres of pixels.
  LevelPlace(const GeoContext& context, const RasterAxes& axes, const GeoZarrLevel& level, bool centres);

  /// The transform in the level's entry.
  std::optional<GeoTransform> Said() const;
  /// That, or what follows from the rest.
  std::optional<GeoTransform> Find() const;
  /// As Find, whatever the arrays that are levels say of themselves.
  std::optional<GeoTransform> FindInLayout() const;

 private:
  using ArrayPtr = std::shared_ptr<const zarr::Array>;
  /// From a level's columns and rows to those of another one.
  struct Step {
    AxisStep column;
    AxisStep row;
  };

  GeoTransform Corners(const GeoTransform& transform) const;
  GeoTransform Apply(const GeoTransform& corners, const Step& step) const;
  std::optional<GeoTransform> FromSources(bool ask_arrays) const;
  /// The transform that a level, or the array that is one, has without a look at others.
  std::optional<GeoTransform> SaidOf(const PyramidLevel& level, bool ask_arrays) const;
  std::optional<GeoTransform> SaidByArray(const PyramidLevel& level) const;
  const PyramidLevel& Base() const;
  /// Null for the base.
  const PyramidLevel* SourceOf(const PyramidLevel& level) const;
  /// The array that a level is of this array; null if there is none.
  ArrayPtr ArrayOf(const PyramidLevel& level) const;
  /// By the entry's scale and translation.
  std::optional<Step> StepSaid(const PyramidLevel& level) const;
  /// For the same extent.
  std::optional<Step> StepOfShapes(const PyramidLevel& level, const PyramidLevel& source) const;
  /// Whether arrays of these levels have the shapes that a scale from one to the other makes; also where not known.
  bool Fits(const Step& step, const PyramidLevel& level, const PyramidLevel& source) const;
  /// From a level to `source`, which is replaced by the base where the entry's scale means that.
  std::optional<Step> StepTo(const PyramidLevel& level, const PyramidLevel*& source) const;

  const GeoContext& resource_;
  const RasterAxes& axes_;
  const GeoZarrLevel& level_;
  bool centres_;
};

/// Whether the layout that two arrays are levels of says that the smaller one does not have the other's extent, by more
/// than one of its own pixels: it cannot stand for the other one. Throws zarr::Error.
bool LiesElsewhere(const GeoContext& array, const GeoContext& smaller, const RasterAxes& axes);

}  // namespace gdal_zarr
