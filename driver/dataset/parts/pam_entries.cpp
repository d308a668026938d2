// SPDX-License-Identifier: MIT
#include "driver/dataset/parts/pam_entries.h"

#include "driver/dataset/node_paths.h"
#include "zarrlib/metadata/node_path.h"

namespace gdal_zarr {
namespace {

using Entry = PamEntry<GDALPamMultiDim>;

/// GDAL's object writes the file again if anything is set or cleared, so this is only done for what is there.
void Remove(Entry entry) {
  if (entry.FindStatistics()) entry.ClearStatistics();
  if (entry.GetSpatialRef()) entry.SetSpatialRef(nullptr);
}

void Move(const Entry& from, Entry to) {
  Remove(to);
  if (const auto statistics = from.FindStatistics()) to.SetStatistics(*statistics);
  if (const auto srs = from.GetSpatialRef()) to.SetSpatialRef(srs.get());
  Remove(from);
}

void AddArrays(const zarr::Hierarchy& hierarchy, const std::string& path, zarr::NodeKind kind,
               std::vector<std::string>* arrays) {
  if (kind == zarr::NodeKind::kArray) return arrays->push_back(path);
  for (const zarr::Hierarchy::Child& child : hierarchy.List(path)) {
    AddArrays(hierarchy, zarr::JoinKey(path, child.name), child.kind, arrays);
  }
}

}  // namespace

std::vector<std::string> ListArrays(const zarr::Hierarchy& hierarchy, const std::string& path) {
  std::vector<std::string> arrays;
  try {
    if (const auto kind = hierarchy.Probe(path)) AddArrays(hierarchy, path, *kind, &arrays);
  } catch (const zarr::Error& error) {
    // The change of the node does not need the list.
    CPLError(CE_Warning, CPLE_AppDefined, "%s: statistics of arrays in it may keep their old names", error.what());
  }
  return arrays;
}

void RemovePamEntries(GDALPamMultiDim& pam, const std::vector<std::string>& arrays) {
  for (const std::string& path : arrays) Remove({pam, MakeGdalFullName(path)});
}

void MovePamEntries(GDALPamMultiDim& pam, const std::vector<std::string>& arrays, std::string_view from,
                    std::string_view to) {
  for (const std::string& path : arrays) {
    const auto moved = GetMovedPath(path, from, to);
    if (moved) Move({pam, MakeGdalFullName(path)}, {pam, MakeGdalFullName(*moved)});
  }
}

}  // namespace gdal_zarr
