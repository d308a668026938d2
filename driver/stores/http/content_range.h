// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gdal_zarr {

/// The value of a Content-Range header (RFC 9110, 14.4).
struct ContentRange {
  bool satisfied = true;  ///< False for "bytes */1000", the answer to a range outside the value.
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::optional<std::uint64_t> size;  ///< The size of the whole value, if known.
};

/// Parses the value of a Content-Range header. Returns nullopt for other text, and for a range that contradicts itself.
std::optional<ContentRange> ParseContentRange(std::string_view text);

/// Parses a number that consists only of decimal digits.
std::optional<std::uint64_t> ParseLength(std::string_view text);

}  // namespace gdal_zarr
