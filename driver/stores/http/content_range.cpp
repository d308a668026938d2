// SPDX-License-Identifier: MIT
#include "driver/stores/http/content_range.h"

#include <charconv>

#include "driver/gdal/option_values.h"

namespace gdal_zarr {
namespace {

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::optional<std::uint64_t> ParseLength(std::string_view text) {
  text = Trim(text);
  std::uint64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<ContentRange> ParseContentRange(std::string_view text) {
  text = Trim(text);
  const std::size_t space = text.find(' ');
  if (space == text.npos || !IsEqualIgnoringCase(text.substr(0, space), "bytes")) return std::nullopt;
  text = Trim(text.substr(space));
  const std::size_t slash = text.find('/');
  if (slash == text.npos) return std::nullopt;
  ContentRange range;
  const std::string_view size = Trim(text.substr(slash + 1));
  if (size != "*" && !(range.size = ParseLength(size))) return std::nullopt;
  const std::string_view span = Trim(text.substr(0, slash));
  if (span == "*") {
    range.satisfied = false;
    return range.size ? std::optional(range) : std::nullopt;
  }
  const std::size_t dash = span.find('-');
  if (dash == span.npos) return std::nullopt;
  const auto first = ParseLength(span.substr(0, dash));
  const auto last = ParseLength(span.substr(dash + 1));
  if (!first || !last || *first > *last || (range.size && *last >= *range.size)) return std::nullopt;
  range.first = *first;
  range.last = *last;
  return range;
}

}  // namespace gdal_zarr
