// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <string>

#include "zarrlib/tools/check/conventions/conventions.h"

namespace zarr::tools {
namespace {

/// Parses a string from its beginning.
class TextReader {
 public:
  explicit TextReader(std::string_view text) : text_(text) {}

  bool at_end() const { return text_.empty(); }
  void SkipSpaces() {
    while (TakeAny(" ")) {
    }
  }
  bool TakeAny(std::string_view characters) {
    if (text_.empty() || characters.find(text_.front()) == std::string_view::npos) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool Take(std::string_view word) {
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  /// Consumes a number of 1 to `most` digits, which must be between `low` and `high`.
  bool TakeNumber(std::size_t most, int low, int high) {
    std::size_t length = 0;
    int number = 0;
    while (length < most && length < text_.size() && std::isdigit(static_cast<unsigned char>(text_[length])) != 0) {
      number = 10 * number + (text_[length++] - '0');
    }
    text_.remove_prefix(length);
    return length > 0 && number >= low && number <= high;
  }

 private:
  std::string_view text_;
};

bool IsLengthOfTime(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::string_view kNames[] = {"year",       "years",       "yr",           "common_year", "common_years",
                                         "month",      "months",      "week",         "weeks",       "day",
                                         "days",       "d",           "hour",         "hours",       "hr",
                                         "hrs",        "h",           "minute",       "minutes",     "min",
                                         "mins",       "second",      "seconds",      "sec",         "secs",
                                         "s",          "ms",          "msec",         "msecs",       "us",
                                         "ns",         "millisecond", "milliseconds", "microsecond", "microseconds",
                                         "nanosecond", "nanoseconds"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

/// Consumes "12", "12:30", "12:30:59.5".
bool TakeClock(TextReader* text) {
  if (!text->TakeNumber(2, 0, 24)) return false;
  if (!text->TakeAny(":")) return true;
  if (!text->TakeNumber(2, 0, 59)) return false;
  if (!text->TakeAny(":")) return true;
  if (!text->TakeNumber(2, 0, 60)) return false;
  return !text->TakeAny(".") || text->TakeNumber(9, 0, 999999999);
}

/// Consumes "UTC", "Z", "+01:00", "-6", "+0130".
bool TakeZone(TextReader* text) {
  for (const char* name : {"UTC", "GMT", "Z"}) {
    if (text->Take(name)) return true;
  }
  if (!text->TakeAny("+-") || !text->TakeNumber(2, 0, 14)) return false;
  text->TakeAny(":");
  return text->at_end() || text->TakeNumber(2, 0, 59);
}

/// Consumes a date, with or without a time and a zone, up to the end.
bool TakeMoment(TextReader* text) {
  text->TakeAny("+-");
  if (!text->TakeNumber(6, 0, 999999)) return false;
  if (text->TakeAny("-") && !text->TakeNumber(2, 1, 12)) return false;
  if (text->TakeAny("-") && !text->TakeNumber(2, 1, 31)) return false;
  if (text->at_end()) return true;
  const bool has_letter = text->TakeAny("T");
  text->SkipSpaces();
  if (text->at_end()) return !has_letter;
  if (TextReader zone_only = *text; !has_letter && TakeZone(&zone_only) && zone_only.at_end()) return true;
  if (!TakeClock(text)) return false;
  text->SkipSpaces();
  if (text->at_end()) return true;
  if (!TakeZone(text)) return false;
  text->SkipSpaces();
  return text->at_end();
}

}  // namespace

bool IsTimeUnit(std::string_view text) {
  constexpr std::string_view kSince = " since ";
  const std::size_t place = text.find(kSince);
  if (place == std::string_view::npos) return false;
  const std::size_t first = text.find_first_not_of(' ');
  std::string name(text.substr(first, place - std::min(first, place)));
  name.erase(name.find_last_not_of(' ') + 1);
  if (!IsLengthOfTime(name)) return false;
  TextReader moment(text.substr(place + kSince.size()));
  moment.SkipSpaces();
  return TakeMoment(&moment);
}

}  // namespace zarr::tools
