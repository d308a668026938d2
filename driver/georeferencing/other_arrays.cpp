// SPDX-License-Identifier: MIT
#include "driver/georeferencing/other_arrays.h"

#include <algorithm>
#include <optional>

#include "driver/dataset/editable_array.h"

namespace gdal_zarr {

bool HasOther(const GeoTarget& target, const std::string& but,
              const std::function<bool(const zarr::ArrayMetadata& array)>& fits) {
  SharedResource& resource = *target.array.resource();
  const std::string group = GetParentPath(target.array.array().path());
  for (const zarr::Hierarchy::Child& child : resource.hierarchy().List(group)) {
    const std::string path = zarr::JoinKey(group, child.name);
    if (child.kind != zarr::NodeKind::kArray || path == but || resource.edits().objects.Find(path)) continue;
    const FoundNode found = resource.finder().LookFor(path);
    if (found.broken || (found.array && fits(found.array->metadata()))) return true;
  }
  return false;
}

bool HasDimension(const zarr::ArrayMetadata& array, const std::string& name) {
  return std::ranges::find(array.dimension_names, std::optional(name)) != array.dimension_names.end();
}

}  // namespace gdal_zarr
