// SPDX-License-Identifier: MIT
#include "driver/dataset/unlisted_nodes.h"

#include <string>

#include "driver/gdal/dataset_name.h"

namespace gdal_zarr {

void WarnIfUnlisted(SharedResource& resource) {
  const zarr::Hierarchy& hierarchy = resource.hierarchy();
  if (hierarchy.consolidated() || hierarchy.store()->info().lists || resource.writable()) return;
  const std::string store = hierarchy.store()->name();
  resource.WarnOnce(store +
                    ": the server does not list what is in the store, and there are no consolidated metadata; name an "
                    "array, as in " +
                    MakeArrayDatasetName(store, "<array>"));
}

}  // namespace gdal_zarr
