// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "zarrlib/base/error.h"
#include "zarrlib/hierarchy/hierarchy.h"

namespace gdal_zarr {

/// Returns the error that there is no array or group at a path, with suggestions of similar names.
zarr::Error MakeMissingNodeError(const zarr::Hierarchy& hierarchy, const std::string& path, zarr::NodeKind wanted);

/// Reports a missing node of a group as this thread's last error, which GDAL's bindings raise as an exception. Does not
/// print anything, because GDAL also searches one group after another for an array (GDALGroup::ResolveMDArray). An
/// unrelated error remains the last one.
void NoteMissingNode(const zarr::Error& error);

/// Clears the error reported by this thread's last NoteMissingNode, unless another error has been raised since. Call
/// this when a later lookup finds the node.
void ForgetMissingNode();

}  // namespace gdal_zarr
