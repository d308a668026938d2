#pragma once

#include <string>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Whether a fill value is also what tells that there is no data.
enum class FillValueUse {
  kAuto,  ///< In v1 and v2 yes; in v3, which always has one, if it is not zero.
  kYes,   ///< Wherever one is defined.
  kNo,
};

/// The open options, as their values say or by default.
struct OpenOptions {
  bool use_consolidated_metadata = true;
  bool cache_tile_presence = false;
  bool list_all_arrays = false;
  bool multiband = true;
  bool alike_arrays_as_bands = false;
  std::string dim_x;  ///< A name or an index; "" lets the driver choose.
  std::string dim_y;
  double load_extra_dim_metadata_delay = 5;  ///< In seconds; may be infinite.
  bool v1_order_literal = false;
  FillValueUse fill_value_use = FillValueUse::kAuto;
};

/// The list of all open options, as GDAL_DMD_OPENOPTIONLIST wants it.
std::string OpenOptionListXml();

/// Reads a list of NAME=VALUE. Throws zarr::Error(invalid_argument) for a value that an option cannot have. Names that
/// are not known are left to GDAL, which warns of them.
OpenOptions ParseOpenOptions(CSLConstList options);

}  // namespace gdal_zarr
