// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "driver/create/band_dimensions.h"
#include "driver/create/plane_names.h"
#include "driver/dataset/refused_nodes.h"
#include "driver/dataset/shared_resource.h"

namespace gdal_zarr {

/// A copy in progress. GDAL copies between two calls of the driver on one thread, with public functions. During the
/// lifetime of this object, they write each metadata document to the store once, when the copy is complete, and arrays
/// that are added to a store can be removed again. The progress function of a copy may make another copy: the thread's
/// object is the last one.
class CopyInProgress {
 public:
  /// `band_dimensions`: the dimensions spread over the bands of the source. `plane_names`: the names for the new array.
  /// `source_name`: the name for an array that the copy adds to a store, if the options tell none; may be empty.
  /// `band_types`: the types of the arrays that the bands become, if these are several; otherwise empty.
  CopyInProgress(std::vector<BandDimension> band_dimensions, PlaneNames plane_names, std::string source_name,
                 std::vector<GDALDataType> band_types);
  ~CopyInProgress();
  CopyInProgress(const CopyInProgress&) = delete;
  CopyInProgress& operator=(const CopyInProgress&) = delete;

  /// What the thread's object says of the arrays to be made, until its target is set: later ones are not the copy's.
  /// Without an object, this is nothing, and X and Y.
  static std::vector<BandDimension> GetBandDimensions();
  static PlaneNames GetPlaneNames();
  static std::string GetSourceName();
  static std::vector<GDALDataType> GetBandTypes();
  /// Sets the store that the copy is written to in the thread's object, if there is one: a new store, or an existing
  /// one to which arrays are added. Returns true if there is an object; its owner removes a new store if the copy
  /// fails.
  static bool SetTarget(const std::shared_ptr<SharedResource>& resource, bool is_new);

  /// Returns true if the thread has an object.
  static bool IsRunning();

  /// Returns true if the copy has created a new store, which may be incomplete.
  bool has_made_store() const { return has_made_store_; }
  /// Returns true if all groups and arrays that GDAL requested were read and created. Reports the others to GDAL, which
  /// copies the rest unless the copy is strict.
  bool HasAllNodes() const;
  /// Calls a function that adds to the target store of the copy. Reports errors to GDAL, and returns false if there are
  /// any.
  bool ChangeTarget(const std::function<void(SharedResource& target)>& change);
  /// Lets the store be finished. Call this when everything has been copied.
  void AllowFinish();
  /// Call this when everything has been written. From then on, changes are saved immediately. Reports errors to GDAL,
  /// and returns false if there were any.
  bool Complete();
  /// Removes the nodes that were added to an existing store, the latest first, and updates its consolidated metadata.
  /// Reports errors to GDAL. Does nothing for a new store.
  void TakeBack();
  /// Writes pending changes, so that a failed copy can be found and removed. Reports errors to GDAL.
  void PutWaiting();

 private:
  static bool IsAwaited();

  std::vector<BandDimension> band_dimensions_;
  PlaneNames plane_names_;
  std::string source_name_;
  std::vector<GDALDataType> band_types_;
  CopyInProgress* const outer_;
  RefusedNodes refused_;
  bool has_made_store_ = false;
  bool has_target_ = false;
  std::weak_ptr<SharedResource> target_;
  std::shared_ptr<SharedResource> added_to_;  ///< Outlives the copy's dataset.
};

}  // namespace gdal_zarr
