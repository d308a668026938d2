#pragma once

#include <memory>

#include "driver/dataset/shared_resource.h"

namespace gdal_zarr {

/// While a copy adds arrays to a store that is there: keeps hold of the store, so that a copy that fails can take back
/// what it has made there. GDAL copies between two calls of the driver on one thread; one such object at a time on
/// each.
class PendingAddition {
 public:
  PendingAddition();
  ~PendingAddition();
  PendingAddition(const PendingAddition&) = delete;
  PendingAddition& operator=(const PendingAddition&) = delete;

  /// Tells the thread's object, if there is one, of the store that is added to.
  static void SetContext(const std::shared_ptr<SharedResource>& resource);

  /// Removes the nodes that were made, the latest first, and brings consolidated metadata in step. Reports errors to
  /// GDAL. Does nothing where nothing was added to.
  void TakeBack();

 private:
  std::shared_ptr<SharedResource> resource_;
};

}  // namespace gdal_zarr
