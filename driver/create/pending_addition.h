#pragma once

#include <memory>

#include "driver/dataset/shared_resource.h"

namespace gdal_zarr {

/// Remembers the store that a copy adds arrays to, so that a failed copy can remove them again. GDAL copies between two
/// calls of the driver on one thread; each thread can have one such object at a time.
class PendingAddition {
 public:
  PendingAddition();
  ~PendingAddition();
  PendingAddition(const PendingAddition&) = delete;
  PendingAddition& operator=(const PendingAddition&) = delete;

  /// Tells the thread's object, if there is one, which store is added to.
  static void SetResource(const std::shared_ptr<SharedResource>& resource);

  /// Removes the added nodes, the latest first, and updates consolidated metadata. Reports errors to GDAL. Does nothing
  /// if nothing was added.
  void TakeBack();

 private:
  std::shared_ptr<SharedResource> resource_;
};

}  // namespace gdal_zarr
