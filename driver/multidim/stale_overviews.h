// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_compat.h"
#include "zarrlib/array/array.h"
#include "zarrlib/base/shape.h"

namespace gdal_zarr {

/// Notes that elements of an array are going to change, if it has overviews, which will lack the change. All functions
/// that note changes throw zarr::Error.
void NoteChange(SharedResource& resource, const zarr::Array& array, const zarr::Box& box);
/// Like NoteChange, for all elements.
void NoteChange(SharedResource& resource, const zarr::Array& array);
/// Like NoteChange, for an array that gets another shape. If the number of pixels per overview pixel changes, all
/// overview pixels do; otherwise only those at the new end.
void NoteResize(const std::shared_ptr<SharedResource>& resource, const std::shared_ptr<const zarr::Array>& array,
                const zarr::Shape& shape);

/// The item of an array's structural information, and of a raster's domain IMAGE_STRUCTURE, with DescribeStale.
inline constexpr const char* kOverviewsStaleItem = "OVERVIEWS_STALE";

/// Returns the regions of an array that its overviews lack, as text for users; "" if there are none.
std::string DescribeStale(const zarr::Array& array);

/// Computes the stale parts of the overviews of an array again. Overviews are computed by rasters, on which this module
/// does not depend: so the function that does it is set once, before any dataset is opened.
using OverviewRefresher = CPLErr (*)(const std::shared_ptr<SharedResource>& resource, const std::string& path);
void SetOverviewRefresher(OverviewRefresher refresher);
/// If the user asked for it, refreshes the overviews of the arrays that were changed in a dataset, and of another one
/// if its path is given. What has been written must have been saved. Reports errors to GDAL.
CPLErr RefreshChangedOverviews(const std::shared_ptr<SharedResource>& resource,
                               const std::vector<std::string>& others = {});

}  // namespace gdal_zarr
