// SPDX-License-Identifier: MIT
#include "zarrlib/tools/region.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "zarrlib/base/error.h"
#include "zarrlib/tools/arguments.h"

namespace zarr::tools {
namespace {

[[noreturn]] void Fail(std::string_view expected, std::string_view got) {
  throw Error(ErrorKind::kInvalidArgument, FormatExpectedGot(expected, got));
}

/// Parses a bound of an axis of `length` elements; an empty string means `otherwise`.
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

/// Parses the range of one axis, and sets it in the region.
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

/// Parses comma-separated numbers.
std::vector<std::uint64_t> ParseNumbers(std::string_view text) {
  std::vector<std::uint64_t> numbers;
  const char* p = text.data();
  const char* const end = p + text.size();
  while (true) {
    std::uint64_t number = 0;
    const auto parsed = std::from_chars(p, end, number);
    if (parsed.ec != std::errc() || numbers.size() == 4) return {};
    numbers.push_back(number);
    if (parsed.ptr == end) return numbers;
    if (*parsed.ptr != ',') return {};
    p = parsed.ptr + 1;
  }
}

Box MakeWindow(const std::string& text, const Shape& shape) {
  const std::vector<std::uint64_t> numbers = ParseNumbers(text);
  if (numbers.size() != 4) Fail("COLUMN,ROW,WIDTH,HEIGHT", text);
  if (shape.size() < 2) Fail("an array of two dimensions or more", std::to_string(shape.size()));
  Box region{Shape(shape.size(), 0), Shape(shape.size(), 1)};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::size_t axis = shape.size() - 1 - i;
    if (numbers[i] > shape[axis] || numbers[i + 2] > shape[axis] - numbers[i]) {
      Fail("a window inside " + std::to_string(shape[shape.size() - 1]) + " columns and " +
               std::to_string(shape[shape.size() - 2]) + " rows",
           text);
    }
    region.origin[axis] = numbers[i];
    region.shape[axis] = numbers[i + 2];
  }
  for (std::size_t i = 0; i + 2 < shape.size(); ++i) region.shape[i] = std::min<std::uint64_t>(shape[i], 1);
  return region;
}

/// Runs a parser. Adds the option and the array to its errors.
template <typename Parse>
Box ParseOption(const char* option, const Array& array, const Parse& parse) {
  return CheckArguments([&] {
    try {
      return parse();
    } catch (const Error& error) {
      throw error.Within(option).At(array.store().name(), array.path());
    }
  });
}

}  // namespace

Box ParseWindow(const std::string& text, const Array& array) {
  return ParseOption("--window", array, [&] { return MakeWindow(text, array.shape()); });
}

Box ParseRegion(const std::optional<std::string>& text, const Array& array) {
  if (!text) return {Shape(array.rank(), 0), array.shape()};
  return ParseOption("--region", array, [&] { return ParseRanges(*text, array.shape()); });
}

}  // namespace zarr::tools
