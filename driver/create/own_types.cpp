// SPDX-License-Identifier: MIT
#include "driver/create/own_types.h"

#include "driver/cf/unsigned_attribute.h"
#include "driver/dataset/shared_resource.h"
#include "driver/multidim/attribute.h"
#include "driver/raster/raster_dataset.h"
#include "zarrlib/json/json_changes.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// Returns true if two values of an attribute are the same text in GDAL.
bool HaveSameText(const std::string& name, const JsonNode& a, const JsonNode& b) {
  const auto first = MakeAttribute("", name, a);
  const auto second = MakeAttribute("", name, b);
  return first && second && GetAttributeText(*first) == GetAttributeText(*second);
}

}  // namespace

void TypeAsInSource(const GDALDataset& source, SharedResource& resource, const std::string& path) {
  const RasterDataset* const own = AsRasterDataset(&source);
  const auto array = own ? resource.finder().FindArray(path) : nullptr;
  if (!array || !array->metadata().attributes.IsObject()) return;
  const zarr::Array& original_array = own->parts().view.array();
  const JsonNode told = ShowAttributes(original_array, original_array.metadata().attributes);
  zarr::JsonMembers changed;
  for (const auto& [name, value] : array->metadata().attributes.GetMembers()) {
    const auto original = FindMember(told, name);
    if (!original || original->Dump() == value.Dump() || !HaveSameText(name, *original, value)) continue;
    changed.emplace_back(name, *original);
  }
  if (changed.empty()) return;
  resource.ChangeAttributesLater(path, [&](zarr::JsonChanges& changes) {
    for (const auto& [name, value] : changed) changes.SetMember(name, value);
  });
}

}  // namespace gdal_zarr
