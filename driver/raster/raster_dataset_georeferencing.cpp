// SPDX-License-Identifier: MIT
// GDAL's functions for the georeferencing of a raster, and the questions about it that could not be answered.
#include <algorithm>
#include <span>
#include <string_view>
#include <tuple>

#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/convention_writers.h"
#include "driver/raster/raster_dataset.h"

namespace gdal_zarr {

void RasterDataset::AskAgain() {
  georeferencing_.Load();
  if (ControlPoints* const points = georeferencing_.points()) points->Read();
  band_coordinates_.AskAgain();
}

bool RasterDataset::NeedsPlace(const char* domain) {
  return IsDefaultDomain(domain) || EQUAL(domain, "GEOLOCATION");
}

int RasterDataset::GetGCPCount() {
  if (!HasPlace(kAsksControlPoints)) return 0;
  ControlPoints* const points = georeferencing_.points();
  if (const int count = GDALPamDataset::GetGCPCount(); count > 0 || !points) return count;
  const int count = Guard(-1, [&] { return static_cast<int>(points->Read().size()); });
  unanswered_.Note(kAsksControlPoints, count >= 0);
  return std::max(0, count);
}

const OGRSpatialReference* RasterDataset::GetGCPSpatialRef() const {
  if (!HasPlace(kAsksControlPoints)) return nullptr;
  const OGRSpatialReference* srs = GDALPamDataset::GetGCPSpatialRef();
  const ControlPoints* const points = georeferencing_.points();
  return srs || !points ? srs : &points->srs();
}

const GDAL_GCP* RasterDataset::GetGCPs() {
  return Guard<const GDAL_GCP*>(nullptr, [&]() -> const GDAL_GCP* {
    if (!HasPlace(kAsksControlPoints)) return nullptr;
    ControlPoints* const points = georeferencing_.points();
    if (!points || GDALPamDataset::GetGCPCount() > 0) return GDALPamDataset::GetGCPs();
    return GetGCPCount() > 0 ? points->Read().data() : nullptr;
  });
}

CPLErr RasterDataset::GetGeoTransform(GeoTransformOut transform) ZARR_CONST_SINCE_GDAL_3_12 {
  if (!HasPlace(kAsksGeoTransform)) return CE_Failure;
  const auto& known = georeferencing_.transform();
  if (!known) return GDALPamDataset::GetGeoTransform(transform);
  for (std::size_t i = 0; i < known->size(); ++i) transform[i] = (*known)[i];
  return CE_None;
}

const OGRSpatialReference* RasterDataset::GetSpatialRef() const {
  if (!HasPlace(kAsksSpatialRef)) return nullptr;
  return georeferencing_.srs() ? georeferencing_.srs() : GDALPamDataset::GetSpatialRef();
}

CPLErr RasterDataset::SetGeoTransform(GeoTransformIn transform) {
  return GuardChange([&] {
    GeoTransform numbers;
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = transform[i];
    // GDAL's programs set this transform for a raster without georeferencing, to remove the transform.
    constexpr GeoTransform kNone = {0, 1, 0, 0, 0, 1};
    if (numbers == kNone && !resource_->edits().saving.is_copying()) return georeferencing_.SetTransform(std::nullopt);
    if (georeferencing_.SetTransform(numbers) != CE_None) return CE_Failure;
    return RemoveSidePoints();
  });
}

CPLErr RasterDataset::RemoveSidePoints() {
  if (resource_->edits().saving.is_copying() || GDALPamDataset::GetGCPCount() == 0) return CE_None;
  CPLError(CE_Warning, CPLE_AppDefined, "%s: the ground control points are removed, because a geotransform is set",
           GetDescription());
  const OGRSpatialReference* const known = GDALPamDataset::GetGCPSpatialRef();
  const SpatialRef srs(known ? known->Clone() : nullptr);
  if (GDALPamDataset::SetGCPs(0, nullptr, static_cast<const OGRSpatialReference*>(nullptr)) != CE_None)
    return CE_Failure;
  // They had replaced the raster's CRS by their own, in which the geotransform is now.
  return srs && !GetSpatialRef() ? georeferencing_.SetSpatialRef(srs.get()) : CE_None;
}

CPLErr RasterDataset::RemovePlace(const OGRSpatialReference* srs_of_points) {
  if (resource_->edits().saving.is_copying()) return CE_None;
  const bool has_transform = georeferencing_.transform() || FindSideTransform();
  const OGRSpatialReference* const srs = GetSpatialRef();
  const bool loses_srs = srs && !(srs_of_points && srs->IsSame(srs_of_points));
  // The geotransform goes first, and with it the coordinates, which may imply the CRS.
  if (has_transform && georeferencing_.SetTransform(std::nullopt) != CE_None) return CE_Failure;
  if (georeferencing_.srs() && georeferencing_.SetSpatialRef(nullptr) != CE_None) return CE_Failure;
  RemoveSideTransform();
  RemoveSideSpatialRef();
  if (has_transform || loses_srs) {
    const char* const what = !loses_srs ? "geotransform is" : has_transform ? "geotransform and the CRS are" : "CRS is";
    CPLError(CE_Warning, CPLE_AppDefined, "%s: the %s removed, because ground control points are set", GetDescription(),
             what);
  }
  return CE_None;
}

bool RasterDataset::HasOnlySidePoints() {
  return GDALPamDataset::GetGCPCount() > 0 && !georeferencing_.transform() && !FindSideTransform() && !GetSpatialRef();
}

CPLErr RasterDataset::SetSpatialRef(const OGRSpatialReference* srs) {
  return GuardChange([&] {
    if (eAccess != GA_Update || resource_->edits().saving.is_copying() || !HasOnlySidePoints())
      return georeferencing_.SetSpatialRef(srs);
    // Like GeoTIFF: a raster that is placed by points has one CRS, theirs.
    const int count = GDALPamDataset::GetGCPCount();
    GDAL_GCP* const points = GDALDuplicateGCPs(count, GDALPamDataset::GetGCPs());
    const CPLErr result = SetGCPs(count, points, srs && !srs->IsEmpty() ? srs : nullptr);
    GDALDeinitGCPs(count, points);
    CPLFree(points);
    return result;
  });
}

bool RasterDataset::HasPoints(std::span<const GDAL_GCP> points, const OGRSpatialReference* srs) {
  const OGRSpatialReference* known = GetGCPSpatialRef();
  if (GetGCPCount() != static_cast<int>(points.size()) || (known == nullptr) != (srs == nullptr)) return false;
  if (known && ToWkt(*known, "WKT2_2019") != ToWkt(*srs, "WKT2_2019")) return false;
  if (known && known->GetCoordinateEpoch() != srs->GetCoordinateEpoch()) return false;
  return std::ranges::equal(points, std::span(GetGCPs(), points.size()), [](const GDAL_GCP& a, const GDAL_GCP& b) {
    const auto get = [](const GDAL_GCP& p) {
      return std::tuple(p.dfGCPPixel, p.dfGCPLine, p.dfGCPX, p.dfGCPY, p.dfGCPZ);
    };
    return get(a) == get(b) && std::string_view(a.pszId) == b.pszId && std::string_view(a.pszInfo) == b.pszInfo;
  });
}

CPLErr RasterDataset::SetGCPs(int count, const GDAL_GCP* points, const OGRSpatialReference* srs) {
  return GuardChange([&] {
    if (HasPoints(std::span(points, static_cast<std::size_t>(std::max(0, count))), srs)) return CE_None;
    if (eAccess == GA_Update && CheckSideFile("GCPs") != CE_None) return CE_Failure;
    if (eAccess == GA_Update && count > 0 && RemovePlace(srs) != CE_None) return CE_Failure;
    return GDALPamDataset::SetGCPs(count, points, srs);
  });
}

}  // namespace gdal_zarr
