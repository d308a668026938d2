// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Whether the fill value serves as nodata value too.
enum class FillValueUse {
  kAuto,  ///< In v1 and v2 always; in v3, where each array has one, if it is not zero.
  kYes,   ///< If one is defined.
  kNo,
};

/// The values of the open options, or their defaults.
struct OpenOptions {
  bool use_consolidated_metadata = true;
  bool trust_consolidated_metadata = false;  ///< They are not compared with the own documents of nodes.
  bool cache_tile_presence = false;
  bool list_all_arrays = false;
  bool multiband = true;
  bool alike_arrays_as_bands = false;
  std::string dim_x;  ///< A name or an index; "" leaves the choice to the driver.
  std::string dim_y;
  std::string select;                        ///< Selectors, as ParseSelection takes them; "" for none.
  double load_extra_dim_metadata_delay = 5;  ///< In seconds; may be infinite.
  bool v1_order_literal = false;
  std::string dim_separator;  ///< One of zarr::kChunkKeyForms; "" for what the metadata declare.
  FillValueUse fill_value_use = FillValueUse::kAuto;
  bool store_empty_chunks = false;
  bool refuse_partial_writes = false;
};

/// Makes the list of all open options for GDAL_DMD_OPENOPTIONLIST.
std::string MakeOpenOptionListXml();

/// Reads a list of NAME=VALUE. Throws zarr::Error(invalid_argument) for a value that is not allowed. Ignores unknown
/// names, of which GDAL warns.
OpenOptions ParseOpenOptions(CSLConstList options);

}  // namespace gdal_zarr
