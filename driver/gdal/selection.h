// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gdal_zarr {

/// The choice of one index along a dimension.
struct Selector {
  enum class Kind {
    kNearest,  ///< time=2024-07-01: the nearest coordinate.
    kExact,    ///< time==2024-07-01: the coordinate that is equal.
    kIndex,    ///< time=#5
  };
  std::string dimension;
  Kind kind = Kind::kNearest;
  std::string value;        ///< As given; for an index including its "#".
  std::uint64_t index = 0;  ///< For kIndex.
};

/// Parses a comma-separated list of selectors, such as "time=2024-07-01T12:00,level==850,member=#0". Spaces around the
/// parts are dropped. Throws zarr::Error(invalid_argument).
///
/// A dimension or a value may be in quotes, in which \" stands for ". It must be if it contains a comma, a quote, or
/// leading or trailing spaces; a dimension also if it contains one of = : /. A value in quotes is not an index.
std::vector<Selector> ParseSelection(std::string_view text);

/// Returns the position of the first colon that is followed by a selection (a dimension and "="); npos if there is
/// none.
std::size_t FindSelection(std::string_view text);

/// Formats a selector, such as "time=2024-07-01", for messages.
std::string FormatSelector(const Selector& selector);

}  // namespace gdal_zarr
