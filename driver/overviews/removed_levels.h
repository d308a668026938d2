// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// Returns true if a member of a layout's entry is the path of a removed node, or of one below it.
using IsRemoved = std::function<bool(const zarr::JsonNode& entry, const char* member)>;

/// Returns the entries of a layout of GeoZarr, or of a draft of it, without the removed levels. Levels that were
/// derived from one are derived from its source, with a transform to match, or, without a source, become bases.
std::vector<zarr::JsonNode> WithoutRemovedLevels(const std::vector<zarr::JsonNode>& entries,
                                                 const IsRemoved& is_removed);

}  // namespace gdal_zarr
