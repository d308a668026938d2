// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "zarrlib/base/error.h"
#include "zarrlib/hierarchy/hierarchy.h"

namespace gdal_zarr {

/// The error that there is no array or group at a path. It says what may have been meant.
zarr::Error MakeMissingNodeError(const zarr::Hierarchy& hierarchy, const std::string& path, zarr::NodeKind wanted);

/// Tells what a group lacks by this thread's last error, which GDAL's bindings raise as an exception. Prints nothing,
/// because GDAL also asks one group after the other for an array (GDALGroup::ResolveMDArray). An error of something
/// else stays the last one.
void NoteMissingNode(const zarr::Error& error);

/// Takes back what this thread's last NoteMissingNode has told, unless another error has come since: the search has
/// gone on, and found a node.
void ForgetMissingNode();

}  // namespace gdal_zarr
