// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace gdal_zarr {

/// Makes zarrlib use the compressors and filters that programs register with CPLRegisterCompressor and
/// CPLRegisterDecompressor, as GDAL's built-in driver does: by their names in v2, unless zarrlib has a codec of that
/// name. The other members of the codec's configuration are the options of the function. Call this once.
void UseCompressorsOfPrograms();

/// Returns true if a program has registered a compressor, by its name in any case.
bool IsCompressorOfProgram(std::string_view name);

}  // namespace gdal_zarr
