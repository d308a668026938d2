// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace zarr {

/// Parses text that consists only of a number. Returns nullopt for other text, and for a number that `T` cannot hold.
template <typename T>
std::optional<T> ParseNumber(std::string_view text) {
  T value{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Parses a number of bytes, such as "1000", "100MB" or "2 GB"; units are powers of 1024. Returns nullopt for other
/// text.
std::optional<std::uint64_t> ParseSize(std::string_view text);

/// Formats a non-negative number, padded with leading zeros to `width` characters.
std::string FormatDigits(std::int64_t value, std::size_t width);

/// Formats a year as in ISO 8601: "2024", "0033", and with a sign "-0044" and "+12024".
std::string FormatYear(std::int64_t year);

/// Appends a code point, which must be at most 0x10FFFF, as UTF-8.
void AppendUtf8(std::uint32_t code, std::string* text);

}  // namespace zarr
