// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <thread>

#include "driver/dataset/native_metadata.h"
#include "driver/georeferencing/affine.h"
#include "driver/georeferencing/georeferencing.h"
#include "driver/overviews/overview_base.h"
#include "driver/raster/control_points.h"
#include "driver/raster/raster_parts.h"
#include "zarrlib/base/once.h"

namespace gdal_zarr {

/// The georeferencing of a raster: its CRS, transform or control points, and whether values are at points. Reads it
/// from the store, and saves what is set. Reading is thread-safe; changes are not, like GDAL's datasets.
class RasterGeoreferencing {
 public:
  /// The parts that are set one by one.
  enum class Part { kSpatialRef, kTransform, kRegistration };
  struct Hooks {
    std::function<void()> loaded;  ///< Is called once, after the georeferencing has been read.
    /// Returns the geotransform in the PAM file.
    std::function<std::optional<StatedTransform>()> find_side_transform;
    std::function<void(Part)> remove_from_side_file;
  };

  /// `metadata` gets the items AREA_OR_POINT and the domain GEOLOCATION.
  RasterGeoreferencing(const RasterParts& raster, NativeMetadata& metadata, Hooks hooks)
      : raster_(raster), metadata_(metadata), hooks_(std::move(hooks)) {}

  /// Reads the georeferencing unless that is done. Throws zarr::Error; a later call tries again.
  void Load() const;
  /// Takes the extent of another raster, instead of reading one. Throws zarr::Error.
  void TakeExtent(const RasterGeoreferencing& base);
  /// Warns of a geotransform in the PAM file that contradicts the store's, and is ignored.
  void CompareWithSideFile();

  // --- what is shown, once it is loaded. Null or nullopt if there is none. ---
  const OGRSpatialReference* srs() const { return srs_.get(); }
  const std::optional<GeoTransform>& transform() const { return transform_; }
  /// True if values belong to points and not to areas.
  bool is_point() const { return is_point_; }
  /// Points in a PAM file take precedence.
  ControlPoints* points() const { return points_ ? &*points_ : nullptr; }
  /// True if this is a part, and no other source in the store contradicts it.
  bool has_clear_srs() const { return srs_ && !srs_contradicted_; }
  bool has_clear_transform() const { return transform_ && !transform_contradicted_; }
  /// Returns the array with the georeferencing that is shown.
  OverviewBase MakeBase(MDArray& array) const;

  // --- changes. Report errors to GDAL, and then change nothing. ---
  CPLErr SetSpatialRef(const OGRSpatialReference* srs);
  CPLErr SetTransform(const std::optional<GeoTransform>& transform);
  CPLErr SetRegistration(bool is_point);
  /// Writes the georeferencing in these conventions as well; other attributes stay unchanged.
  CPLErr AddConventions(const WriteConventions& added);
  /// Saves the pending georeferencing. On failure it stays pending: nothing is written without it.
  CPLErr SaveWaiting();
  /// Calls SaveWaiting if this thread set the georeferencing. Other threads only write blocks that GDAL evicts from its
  /// cache.
  CPLErr SaveBeforeWriting();
  /// Shows the georeferencing that is stored now.
  CPLErr TakeStored();
  /// Gives the array's overviews the georeferencing that is stored now.
  CPLErr MoveLevelsToStored();

 private:
  /// The georeferencing in the store.
  struct Stored {
    SpatialRef srs;
    std::optional<GeoTransform> transform;
    std::optional<ControlPoints> points;
    Registration registration = Registration::kUnknown;
    bool srs_contradicted = false;  ///< True if another source contradicts it.
    bool transform_contradicted = false;
  };
  /// Calls `change` while no other process changes the georeferencing. Before that, updates the parts that another
  /// process may have set, except the part that was set here. `change` gets the stored georeferencing if it was read.
  using ChangeBase = std::function<void(const OverviewBase& base, const Stored* stored)>;
  CPLErr Change(const std::optional<Part>& set, const ChangeBase& change);
  /// Saves the georeferencing after the given part was set.
  CPLErr SaveAfter(Part set);
  /// `set` is the part that was set; it is nullopt for pending georeferencing, which is saved without reading the
  /// stored one.
  CPLErr Save(const std::optional<Part>& set);
  Stored Read() const;
  /// Returns false if a CRS would not be found again, because the axes are known to be others than X and Y.
  bool CanHaveSpatialRef() const;
  void ReadTransform(const GeoContext& context, Stored* stored) const;
  void Show(Stored stored);
  /// Updates the parts that differ in the store, except the part that was set. Returns false if a transform is stored
  /// and cannot be read.
  bool Merge(const std::optional<Part>& set, Stored& stored, bool had_errors);
  /// Reads the transform that the coordinates have in a CRS, which may be null.
  std::optional<GeoTransform> ReadTransformOfCoordinates(const OGRSpatialReference* srs) const;
  /// Returns true if the transform that was set here is still the stored one. Its numbers are those of any CRS that is
  /// set after it.
  bool HoldsOwnTransform(const Stored& stored) const;
  /// Returns true if the same coordinates are other numbers in the CRS that was set, because it has another unit.
  /// Those of a transform that was set here may also be of another kind, such as degrees described as metres.
  bool MovesCoordinates(const Stored& stored) const;
  /// Returns true if the part that was set is stored as it is shown, so that it need not be written.
  bool IsStored(Part set, const Stored& stored) const;
  /// Returns true if a new array only seems to have its CRS, because of a variable or coordinates of other arrays.
  bool NeedsOwnSpatialRef() const;
  RasterAxes axes() const { return {raster_.view.x_dimension(), raster_.view.y_dimension()}; }
  RasterSize size() const {
    return {static_cast<double>(raster_.view.width()), static_cast<double>(raster_.view.height())};
  }

  const RasterParts raster_;
  NativeMetadata& metadata_;
  const Hooks hooks_;
  mutable zarr::Once once_;  // guards what Load sets
  SpatialRef srs_;
  std::optional<GeoTransform> transform_;
  std::optional<GeoTransform> own_transform_;    // the one that was set here
  mutable std::optional<ControlPoints> points_;  // reads the points when they are asked for
  bool is_point_ = false;
  bool srs_contradicted_ = false;
  bool transform_contradicted_ = false;
  // The thread that set the pending georeferencing; empty if none is pending.
  std::atomic<std::thread::id> setter_{};
};

}  // namespace gdal_zarr
