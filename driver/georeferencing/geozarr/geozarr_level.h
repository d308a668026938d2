// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "driver/georeferencing/affine.h"
#include "driver/georeferencing/geozarr/geozarr_properties.h"

namespace gdal_zarr {

/// Finds the transform of a level of a layout. All results are transforms of corners. All functions throw zarr::Error.
///
/// A level's own transform takes precedence. Otherwise the transform follows from the transform of the level that it is
/// derived from, by the entry's `scale` and `translation`: a column is `scale` of the source's columns wide, and the
/// first column begins at the source's column `translation`. Without a scale, the level has the extent of its source.
///
/// A level without a source is derived from the base, whose transform may be the group's. The last resort is the
/// bounding box of the group, which applies to all levels.
class LevelPlace {
 public:
  /// The arguments must outlive this object. `centres`: transforms and boxes refer to the centres of pixels.
  LevelPlace(const GeoContext& context, const RasterAxes& axes, const GeoZarrLevel& level, bool centres);

  /// Reads the transform in the level's entry.
  std::optional<GeoTransform> ReadEntryTransform() const;
  /// Returns the entry's transform, otherwise the one that follows from other levels or a bounding box.
  std::optional<GeoTransform> Find() const;
  /// Like Find, but ignores bounding boxes and the attributes of the levels' arrays.
  std::optional<GeoTransform> FindInLayout() const;

 private:
  using ArrayPtr = std::shared_ptr<const zarr::Array>;
  /// Maps a level's columns and rows to those of another level.
  struct Step {
    AxisStep column;
    AxisStep row;
  };

  GeoTransform ShiftToCorners(const GeoTransform& transform) const;
  GeoTransform Apply(const GeoTransform& corners, const Step& step) const;
  std::optional<GeoTransform> FindFromSources(bool ask_arrays) const;
  /// Returns the transform that a level's entry, or its array, contains itself.
  std::optional<GeoTransform> FindTransformOfLevel(const PyramidLevel& level, bool ask_arrays) const;
  std::optional<GeoTransform> FindTransformOfArray(const PyramidLevel& level) const;
  const PyramidLevel& GetBase() const;
  /// Returns the level that a level is derived from; null for the base.
  const PyramidLevel* FindSource(const PyramidLevel& level) const;
  /// Returns the array of a level that corresponds to this array; null if there is none.
  ArrayPtr FindArrayOfLevel(const PyramidLevel& level) const;
  /// Returns true if there is an array, and this array's axes are also its axes.
  bool HasRank(const ArrayPtr& array) const;
  /// Reads the entry's scale and translation.
  std::optional<Step> ReadStep(const PyramidLevel& level) const;
  /// Computes the step between levels of the same extent.
  std::optional<Step> ComputeStepOfShapes(const PyramidLevel& level, const PyramidLevel& source) const;
  /// Returns true if the shapes of the levels' arrays agree with the scale of a step, or are not known.
  bool IsFitting(const Step& step, const PyramidLevel& level, const PyramidLevel& source) const;
  /// Returns the step from a level to `source`. If the entry's scale is relative to the base, sets `source` to the
  /// base.
  std::optional<Step> StepTo(const PyramidLevel& level, const PyramidLevel*& source) const;

  const GeoContext& context_;
  const RasterAxes& axes_;
  const GeoZarrLevel& level_;
  bool centres_;
};

/// Returns true if an overview cannot belong to an array: in the layout of which both are levels, its extent differs
/// from the array's by more than one of its own pixels. Throws zarr::Error.
bool LiesElsewhere(const GeoContext& array, const GeoContext& overview, const RasterAxes& axes);

}  // namespace gdal_zarr
