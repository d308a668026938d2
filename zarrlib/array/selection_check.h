#pragma once

#include "zarrlib/array/array.h"

namespace zarr {

/// Throws Error(invalid_argument) for a selection that reaches beyond the array, or that is of another rank than it or
/// the strides of the caller's memory.
void CheckSelection(const Array& array, const Selection& selection, const Strides& strides);

}  // namespace zarr
