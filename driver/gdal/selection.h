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
  std::string value;        ///< As it was given; for an index with its "#".
  std::uint64_t index = 0;  ///< For kIndex.
};

/// Parses a list of selectors with commas between them, such as "time=2024-07-01T12:00,level==850,member=#0". Spaces
/// around the parts are dropped. A dimension or a value may stand in quotes, in which \" stands for "; it must if it
/// has a comma, a quote, or spaces at its ends, and a dimension also if it has one of = : /. A value in quotes is no
/// index. Throws zarr::Error(invalid_argument).
std::vector<Selector> ParseSelection(std::string_view text);

/// Returns the place of the first colon behind which a selection begins: a dimension and "="; npos if there is none.
std::size_t FindSelection(std::string_view text);

/// Formats a selector, such as "time=2024-07-01", for messages.
std::string FormatSelector(const Selector& selector);

}  // namespace gdal_zarr
