// SPDX-License-Identifier: MIT
#pragma once

namespace gdal_zarr {

/// Gives zarrlib the codec `grib` (kerchunk): each chunk is a GRIB message, which GDAL's GRIB driver decodes. Its
/// values come in the order in which the message has them, missing ones as NaN; or else the latitudes or the longitudes
/// of these values. The codec only decodes.
void RegisterGribCodec();

}  // namespace gdal_zarr
