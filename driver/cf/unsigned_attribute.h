#pragma once

#include "zarrlib/array/array.h"
#include "zarrlib/metadata/data_type.h"

/// The attribute `_Unsigned` of NetCDF's users' guide, "true" or "false": it says that an array of integers means those
/// of the other signedness. GDAL is shown the type that is meant; what is stored keeps its bytes.
namespace gdal_zarr {

/// The type that an array's elements are meant to have: as it is stored, or with the other signedness.
zarr::DataType ShownTypeOf(const zarr::Array& array);

/// A number that stands for one of such an array in an attribute, where it may be as it is stored (-1) or as it is
/// meant (255): as it is meant. Other numbers, and those of other arrays, stay.
double ShownNumber(const zarr::Array& array, double number);

}  // namespace gdal_zarr
