// SPDX-License-Identifier: MIT
#include "driver/georeferencing/other_arrays.h"

#include <algorithm>
#include <optional>

#include "driver/dataset/editable_array.h"

namespace gdal_zarr {

bool AnyPath(const GeoTarget& target, const std::function<bool(const std::string& path)>& fits) {
  const std::string group = GetParentPath(target.array.array().path());
  for (const zarr::Hierarchy::Child& child : target.array.resource()->hierarchy().List(group)) {
    if (child.kind == zarr::NodeKind::kArray && fits(zarr::JoinKey(group, child.name))) return true;
  }
  return false;
}

bool HasOther(const GeoTarget& target, const std::vector<std::string>& but,
              const std::function<bool(const zarr::ArrayMetadata& array)>& fits) {
  SharedResource& resource = *target.array.resource();
  return AnyPath(target, [&](const std::string& path) {
    if (std::ranges::find(but, path) != but.end() || resource.edits().objects.Find(path)) return false;
    const FoundNode found = resource.finder().LookFor(path);
    return found.broken || (found.array && fits(found.array->metadata()));
  });
}

bool HasOtherLength(const GeoTarget& target, const std::string& name, std::uint64_t length) {
  return AnyPath(target, [&](const std::string& path) {
    const FoundNode found =
        path == target.array.array().path() ? FoundNode() : target.array.resource()->finder().LookFor(path);
    if (!found.array) return false;
    const auto& names = found.array->metadata().dimension_names;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == name && found.array->shape()[i] != length) return true;
    }
    return false;
  });
}

bool HasDimension(const zarr::ArrayMetadata& array, const std::string& name) {
  return std::ranges::find(array.dimension_names, std::optional(name)) != array.dimension_names.end();
}

}  // namespace gdal_zarr
