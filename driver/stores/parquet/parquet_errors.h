// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "zarrlib/base/error.h"

/// Errors about a Parquet file. They do not name it.
namespace gdal_zarr {

/// Throws Error(corrupt) "expected <expected>, got <got>".
[[noreturn]] inline void FailParquet(std::string_view expected, std::string_view got) {
  throw zarr::Error(zarr::ErrorKind::kCorrupt, zarr::FormatExpectedGot(expected, got));
}
[[noreturn]] inline void FailUnsupported(std::string_view expected, std::string_view got) {
  throw zarr::Error(zarr::ErrorKind::kUnsupported, zarr::FormatExpectedGot(expected, got));
}
/// Throws Error(limit_exceeded) for a value above `most`. `what` follows the number, such as "rows".
inline void CheckAtMost(std::uint64_t value, std::uint64_t most, std::string_view what) {
  if (value <= most) return;
  const std::string expected = "at most " + std::to_string(most) + " " + std::string(what);
  throw zarr::Error(zarr::ErrorKind::kLimitExceeded, zarr::FormatExpectedGot(expected, std::to_string(value)));
}

}  // namespace gdal_zarr
