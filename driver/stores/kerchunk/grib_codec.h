// SPDX-License-Identifier: MIT
#pragma once

namespace gdal_zarr {

/// Registers the codec `grib` (kerchunk) in zarrlib. Each chunk is a GRIB message, which GDAL's GRIB driver decodes: to
/// its values in the order of the message, missing ones as NaN, or to the latitudes or the longitudes of these values.
/// The codec only decodes.
void RegisterGribCodec();

}  // namespace gdal_zarr
