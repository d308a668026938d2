// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/array/array.h"

namespace zarr {

/// Throws Error(invalid_argument) for a selection that extends outside the array, or whose rank differs from the rank
/// of the array or of the strides.
void CheckSelection(const Array& array, const Selection& selection, const Strides& strides);

}  // namespace zarr
