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

/// A copy that is being made. GDAL copies between two calls of the driver on one thread, by the functions that anyone
/// may call: while this object lives, they put each metadata document into the store once, when the copy is complete,
/// and arrays that are added to a store can be taken back. At most one object per thread.
class CopyInProgress {
 public:
  /// `band_dimensions`: what the bands of the source count. `plane_names`: those of the new array.
  CopyInProgress(std::vector<BandDimension> band_dimensions, PlaneNames plane_names);
  ~CopyInProgress();
  CopyInProgress(const CopyInProgress&) = delete;
  CopyInProgress& operator=(const CopyInProgress&) = delete;

  /// Returns those of the thread's object; none if there is none.
  static std::vector<BandDimension> GetBandDimensions();
  /// Returns those of the thread's object; X and Y if there is none.
  static PlaneNames GetPlaneNames();
  /// Tells the thread's object, if there is one, of the store that the copy goes to: a new one, or one that is there
  /// and is added to. Returns whether there is an object; who made it removes a new store if the copy fails.
  static bool SetTarget(const std::shared_ptr<SharedResource>& resource, bool is_new);

  /// Whether the copy has made a new store, which may be incomplete.
  bool has_made_store() const { return has_made_store_; }
  /// Whether all groups and arrays were read and made that GDAL asked for. Reports those that were not to GDAL, which
  /// copies the others unless the copy is strict.
  bool HasAllNodes() const;
  /// Calls a function that adds to the store that the copy goes to. Reports errors to GDAL; returns false if there are
  /// any.
  bool ChangeTarget(const std::function<void(SharedResource& target)>& change);
  /// To be called when all has been written: from now on changes go to the store at once. Reports errors to GDAL;
  /// returns false if there were any.
  bool Complete();
  /// Removes the nodes that were added to a store that was there, the latest first, and brings its consolidated
  /// metadata in step. Reports errors to GDAL. Does nothing for a new store.
  void TakeBack();
  /// Puts what waits, so that what failed can be found and removed. Reports errors to GDAL.
  void PutWaiting();

 private:
  std::vector<BandDimension> band_dimensions_;
  PlaneNames plane_names_;
  RefusedNodes refused_;
  bool has_made_store_ = false;
  std::weak_ptr<SharedResource> target_;
  std::shared_ptr<SharedResource> added_to_;  ///< Lives on when the copy's dataset has been closed.
};

}  // namespace gdal_zarr
