// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "driver/create/references/reference_sink.h"
#include "driver/create/references/source_blocks.h"
#include "zarrlib/hierarchy/hierarchy.h"

namespace gdal_zarr {

/// Writes a store as references. `hierarchy` is that of a copy without the values of some arrays: `find_blocks` returns
/// the blocks of these arrays, and null for other arrays, whose chunks become parts of the references. `progress` gets
/// the fraction that is done, and returns false to stop. Throws zarr::Error, which names the array.
void WriteReferences(const zarr::Hierarchy& hierarchy,
                     const std::function<std::shared_ptr<const SourceBlocks>(const zarr::Array& array)>& find_blocks,
                     const std::function<bool(double)>& progress, ReferenceSink* sink);

}  // namespace gdal_zarr
