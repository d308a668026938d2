// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "zarrlib/base/error.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// Formats the warning that a value in metadata cannot be used, with its location.
inline std::string FormatUnusable(const zarr::JsonNode& node, std::string_view expected) {
  return zarr::Error(zarr::ErrorKind::kCorrupt, node.store(), node.key(), node.pointer(),
                     zarr::FormatExpectedGot(expected, node.GetExcerpt()))
      .what();
}

/// Formats the warning that a value in metadata is ignored because it contradicts another one.
inline std::string FormatContradiction(const zarr::JsonNode& node, std::string_view expected, std::string_view got) {
  const zarr::Error error(zarr::ErrorKind::kCorrupt, node.store(), node.key(), node.pointer(),
                          zarr::FormatExpectedGot(expected, got));
  return std::string(error.what()) + "; the former is used";
}

}  // namespace gdal_zarr
