// SPDX-License-Identifier: MIT
#include "zarrlib/tools/region.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "zarrlib/base/error.h"

namespace zarr::tools {
namespace {

[[noreturn]] void Fail(std::string_view expected, std::string_view got) {
  throw Error(ErrorKind::kInvalidArgument, FormatExpectedGot(expected, got));
}

/// Parses a bound of an axis of `length` elements; an empty text means `otherwise`.
std::uint64_t ParseBound(std::string_view text, std::uint64_t length, std::uint64_t otherwise) {
  if (text.empty()) return otherwise;
  const bool negative = text.starts_with('-');
  const std::string_view digits = text.substr(negative ? 1 : 0);
  const char* const end = digits.data() + digits.size();
  std::uint64_t number = 0;
  const auto parsed = std::from_chars(digits.data(), end, number);
  if (parsed.ptr != end || parsed.ec == std::errc::invalid_argument) Fail("an integer", text);
  if (parsed.ec == std::errc::result_out_of_range || number > length) {
    Fail("a number inside an axis of length " + std::to_string(length), text);
  }
  return negative && number > 0 ? length - number : number;
}

/// Parses the range of one axis, and sets the region there.
void ParseRange(std::string_view text, std::size_t axis, std::uint64_t length, Box* region) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) Fail("START:STOP", text.empty() ? "nothing" : text);
  const std::uint64_t start = ParseBound(text.substr(0, colon), length, 0);
  const std::uint64_t stop = ParseBound(text.substr(colon + 1), length, length);
  if (start > stop) Fail("a stop that is not before the start", text);
  region->origin[axis] = start;
  region->shape[axis] = stop - start;
}

Box ParseRanges(std::string_view text, const Shape& shape) {
  const auto count = static_cast<std::size_t>(std::count(text.begin(), text.end(), ',')) + 1;
  if (count != shape.size()) {
    Fail("START:STOP for each of " + std::to_string(shape.size()) + " dimensions, with commas between them", text);
  }
  Box region{Shape(count), Shape(count)};
  for (std::size_t axis = 0; axis < count; ++axis) {
    const std::size_t comma = text.find(',');
    try {
      ParseRange(text.substr(0, comma), axis, shape[axis], &region);
    } catch (const Error& error) {
      throw error.Within("axis " + std::to_string(axis));
    }
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return region;
}

}  // namespace

Box ParseRegion(const std::optional<std::string>& text, const Array& array) {
  if (!text) return {Shape(array.rank(), 0), array.shape()};
  try {
    return ParseRanges(*text, array.shape());
  } catch (const Error& error) {
    throw error.Within("--region").At(array.store().name(), array.path());
  }
}

}  // namespace zarr::tools
