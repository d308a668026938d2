// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Times in ISO 8601, as microseconds since 1970.
namespace zarr {

/// Parses a time, in UTC unless it has an offset: "2026-05-01", "2026-05-01T12:00:00.5+02:00". Returns nullopt for
/// other text.
std::optional<std::int64_t> ParseIsoTime(std::string_view text);
/// Formats a time in UTC, without the fraction of the second: "2026-05-01T12:00:00Z".
std::string FormatIsoTime(std::uint64_t time);

}  // namespace zarr
