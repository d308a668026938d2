// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

namespace gdal_zarr {

/// Changes a node, or changes it back. Throws zarr::Error.
using Step = std::function<void(bool back)>;

/// Stops at the first failure, and then tries to undo the changes made so far, also that of the step that failed.
void ChangeAll(const std::vector<Step>& steps);

}  // namespace gdal_zarr
