// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>

#include "driver/create/references/block_check.h"
#include "driver/create/references/reference_sink.h"
#include "zarrlib/hierarchy/hierarchy.h"

namespace gdal_zarr {

/// Describes an array of a copy whose chunks are in a source. Returns nullopt for one whose chunks are in the copy;
/// they become parts of the references. Throws zarr::Error.
using DescribeFunction = std::function<std::optional<DescribedArray>(const zarr::Array& copy)>;

/// Writes a store as references. `hierarchy` is that of a copy without the values of the arrays that `describe`
/// describes. `progress` gets the fraction that is done, and returns false to stop. Throws zarr::Error, which names the
/// array.
void WriteReferences(const zarr::Hierarchy& hierarchy, const DescribeFunction& describe,
                     const std::function<bool(double)>& progress, ReferenceSink* sink);

}  // namespace gdal_zarr
