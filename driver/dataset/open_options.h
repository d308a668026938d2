// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driver/gdal/gdal_compat.h"
#include "driver/stores/commit_note.h"

namespace gdal_zarr {

/// Determines whether the fill value also serves as nodata value.
enum class FillValueUse {
  kAuto,  ///< Always in v1 and v2. In v3, where each array has a fill value, only if it is not zero.
  kYes,   ///< If one is defined.
  kNo,
};

/// The values of the open options, or their defaults.
struct OpenOptions {
  bool use_consolidated_metadata = true;
  bool trust_consolidated_metadata = false;  ///< The consolidated metadata is not compared with the documents of the
                                             /// nodes.
  bool cache_tile_presence = false;
  bool list_all_arrays = false;
  bool multiband = true;
  bool alike_arrays_as_bands = false;
  std::string dim_x;  ///< A name or an index; the driver chooses if it is empty.
  std::string dim_y;
  std::string select;                        ///< Selectors in the form that ParseSelection accepts; empty for none.
  double load_extra_dim_metadata_delay = 5;  ///< In seconds; may be infinite.
  bool v1_order_literal = false;
  std::string dim_separator;  ///< One of zarr::kChunkKeyForms; empty for the separator in the metadata.
  FillValueUse fill_value_use = FillValueUse::kAuto;
  bool store_empty_chunks = false;
  bool refuse_partial_writes = false;
  bool refresh_overviews = false;    ///< Stale overviews are computed again at the close.
  std::string overview_unit;         ///< The only part of an overview to compute again, such as "ovr_2x/a 0:256,0:256".
  CommitNote commit;                 ///< Of what is written to an Icechunk repository.
  std::string repository_selectors;  ///< Of Icechunk's branch, tag, ..., as in the names of repository_name.h.
};

/// The configuration option that is the default of the open and creation option REFRESH_OVERVIEWS.
inline constexpr const char* kRefreshOverviews = "ZARR_REFRESH_OVERVIEWS";

/// Returns the list of all open options for GDAL_DMD_OPENOPTIONLIST.
std::string MakeOpenOptionListXml();

/// Parses a list of NAME=VALUE. Throws zarr::Error(invalid_argument) for a value that is not allowed. Ignores unknown
/// names; GDAL warns of them.
OpenOptions ParseOpenOptions(CSLConstList options);

}  // namespace gdal_zarr
