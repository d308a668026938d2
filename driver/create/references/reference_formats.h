// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "driver/create/references/reference_sink.h"

namespace gdal_zarr {

/// Makes the sink for references at a path: Parquet if the name ends in .parq or .parquet, otherwise JSON. `relative`
/// as for JsonReferences. Throws zarr::Error: invalid_argument for relative references in Parquet, io.
std::unique_ptr<ReferenceSink> MakeReferenceSink(const std::string& path, bool relative);

}  // namespace gdal_zarr
