// SPDX-License-Identifier: MIT
#include "driver/cf/cf_time.h"

#include <gtest/gtest.h>

namespace gdal_zarr {
namespace {

/// The text of a number of units, or why there is none.
std::string Time(std::string_view number, std::string_view unit, Calendar calendar = Calendar::kStandard) {
  const auto parsed = ParseTimeUnit(unit, calendar);
  if (!parsed) return "no unit";
  return FormatCfTime(number, *parsed).value_or("no time");
}

std::string Datetime64(std::int64_t value, std::string_view unit, std::uint64_t count = 1) {
  return FormatDatetime64(value, unit, count).value_or("no time");
}

TEST(CfTime, KnowsTheCalendarsOfCf) {
  const std::pair<std::string_view, Calendar> names[] = {
      {"standard", Calendar::kStandard},
      {"gregorian", Calendar::kStandard},
      {"", Calendar::kStandard},
      {"proleptic_gregorian", Calendar::kProlepticGregorian},
      {"julian", Calendar::kJulian},
      {"noleap", Calendar::kNoLeap},
      {"365_day", Calendar::kNoLeap},
      {"all_leap", Calendar::kAllLeap},
      {"366_day", Calendar::kAllLeap},
      {"360_day", Calendar::k360Day},
      {"Proleptic_GREGORIAN", Calendar::kProlepticGregorian},
  };
  for (const auto& [name, calendar] : names) EXPECT_EQ(ParseCalendar(name), calendar) << name;
  for (const std::string_view name : {"none", "utc", "tai", "lunar", "noleap ", "360"}) {
    EXPECT_EQ(ParseCalendar(name), std::nullopt) << name;
  }
}

TEST(CfTime, KnowsTheUnitsOfUdunits) {
  const std::pair<std::string_view, std::string_view> day[] = {{"1", "day"},
                                                               {"1", "days"},
                                                               {"1", "d"},
                                                               {"24", "hours"},
                                                               {"24", "hour"},
                                                               {"24", "hr"},
                                                               {"24", "hrs"},
                                                               {"24", "h"},
                                                               {"1440", "minutes"},
                                                               {"1440", "minute"},
                                                               {"1440", "min"},
                                                               {"1440", "mins"},
                                                               {"86400", "seconds"},
                                                               {"86400", "second"},
                                                               {"86400", "sec"},
                                                               {"86400", "secs"},
                                                               {"86400", "s"},
                                                               {"86400000", "milliseconds"},
                                                               {"86400000", "millisecond"},
                                                               {"86400000", "msec"},
                                                               {"86400000", "msecs"},
                                                               {"86400000", "ms"},
                                                               {"86400000000", "microseconds"},
                                                               {"86400000000", "us"},
                                                               {"86400000000000", "nanoseconds"},
                                                               {"86400000000000", "ns"},
                                                               {"1", "DAYS"},
                                                               {"1", "Day"}};
  for (const auto& [number, unit] : day) {
    EXPECT_EQ(Time(number, std::string(unit) + " since 2000-01-01"), "2000-01-02T00:00:00Z") << unit;
  }
  EXPECT_EQ(Time("2", "weeks since 2000-01-01"), "2000-01-15T00:00:00Z");
  EXPECT_EQ(Time("1", "  days   Since   2000-01-01  "), "2000-01-02T00:00:00Z");
}

TEST(CfTime, RefusesUnitsOfNoFixedLength) {
  for (const std::string_view unit :
       {"months", "month", "years", "year", "common_years", "fortnights", "K", "", "ds", "hs", "day s"}) {
    EXPECT_EQ(Time("1", std::string(unit) + " since 2000-01-01"), "no unit") << unit;
  }
  for (const std::string_view unit :
       {"days", "days since", "days after 2000-01-01", "since 2000-01-01", "2000-01-01", "days since yesterday",
        "days since 2000", "days since 2000-01", "days since 2000-01-01 nonsense", "days since 2000-01-01 12:00 x"}) {
    EXPECT_EQ(Time("1", unit), "no unit") << unit;
  }
}

TEST(CfTime, ReadsTheTimeOfTheOrigin) {
  const std::pair<std::string_view, std::string_view> origins[] = {
      {"2000-1-2", "2000-01-02T00:00:00Z"},
      {"2000-01-02 3", "2000-01-02T03:00:00Z"},
      {"2000-01-02 03:04", "2000-01-02T03:04:00Z"},
      {"2000-01-02T03:04:05", "2000-01-02T03:04:05Z"},
      {"2000-01-02t03:04:05Z", "2000-01-02T03:04:05Z"},
      {"2000-01-02 3:4:5.25", "2000-01-02T03:04:05.25Z"},
      {"2000-01-02 03:04:05.1234567891", "2000-01-02T03:04:05.123456789Z"},
      {"2000-01-02 23:59:59", "2000-01-02T23:59:59Z"},
  };
  for (const auto& [origin, text] : origins) {
    EXPECT_EQ(Time("0", "days since " + std::string(origin)), text) << origin;
  }
  for (const std::string_view origin : {"2000-01-02 24:00:00", "2000-01-02 12:60", "2000-01-02 12:00:60",
                                        "2016-12-31 23:59:60", "2000-01-02 12:", "2000-01-02 12:00:"}) {
    EXPECT_EQ(Time("0", "days since " + std::string(origin)), "no unit") << origin;
  }
}

TEST(CfTime, TakesTheTimeZoneIntoAccount) {
  const std::pair<std::string_view, std::string_view> origins[] = {
      {"2000-01-02 00:00:00 UTC", "2000-01-02T00:00:00Z"},
      {"2000-01-02 00:00:00 gmt", "2000-01-02T00:00:00Z"},
      {"2000-01-02 UTC", "2000-01-02T00:00:00Z"},
      {"2000-01-02 00:00:00 +6", "2000-01-01T18:00:00Z"},
      {"2000-01-02 12:00:00 -03:30", "2000-01-02T15:30:00Z"},
      {"2000-01-02 00:00:00+0530", "2000-01-01T18:30:00Z"},
      {"2000-01-02T23:00:00-02:00", "2000-01-03T01:00:00Z"},
      {"2000-01-02 -6", "2000-01-02T06:00:00Z"},
  };
  for (const auto& [origin, text] : origins) {
    EXPECT_EQ(Time("0", "days since " + std::string(origin)), text) << origin;
  }
  for (const std::string_view zone : {"CET", "+24", "+1:60", "+", "-x"}) {
    EXPECT_EQ(Time("0", "days since 2000-01-02 00:00:00 " + std::string(zone)), "no unit") << zone;
  }
}

TEST(CfTime, CountsInTheCalendar) {
  const std::tuple<Calendar, std::string_view, std::string_view> days[] = {
      {Calendar::kStandard, "days since 1582-10-04", "1582-10-15T00:00:00Z"},
      {Calendar::kProlepticGregorian, "days since 1582-10-04", "1582-10-05T00:00:00Z"},
      {Calendar::kJulian, "days since 1900-02-28", "1900-02-29T00:00:00Z"},
      {Calendar::kStandard, "days since 1900-02-28", "1900-03-01T00:00:00Z"},
      {Calendar::kNoLeap, "days since 2000-02-28", "2000-03-01T00:00:00Z"},
      {Calendar::kAllLeap, "days since 2001-02-28", "2001-02-29T00:00:00Z"},
      {Calendar::k360Day, "days since 2001-02-29", "2001-02-30T00:00:00Z"},
      {Calendar::k360Day, "days since 2001-01-30", "2001-02-01T00:00:00Z"},
  };
  for (const auto& [calendar, unit, text] : days) EXPECT_EQ(Time("1", unit, calendar), text) << unit;
  EXPECT_EQ(Time("360", "days since 2000-01-01", Calendar::k360Day), "2001-01-01T00:00:00Z");
  EXPECT_EQ(Time("0", "days since 2000-02-30", Calendar::kStandard), "no unit");
  EXPECT_EQ(Time("0", "days since 2000-02-29", Calendar::kNoLeap), "no unit");
  EXPECT_EQ(Time("0", "days since 2000-01-31", Calendar::k360Day), "no unit");
}

TEST(CfTime, KnowsNoLeapSeconds) {
  EXPECT_EQ(Time("1", "seconds since 2016-12-31 23:59:59"), "2017-01-01T00:00:00Z");
  EXPECT_EQ(Time("1483228800", "seconds since 1970-01-01"), "2017-01-01T00:00:00Z");
}

TEST(CfTime, CountsBackwards) {
  EXPECT_EQ(Time("-1", "seconds since 2000-01-01"), "1999-12-31T23:59:59Z");
  EXPECT_EQ(Time("-1", "nanoseconds since 2000-01-01"), "1999-12-31T23:59:59.999999999Z");
  EXPECT_EQ(Time("-0.5", "days since 2000-01-01"), "1999-12-31T12:00:00Z");
  EXPECT_EQ(Time("-1", "days since 0001-01-01"), "0000-12-31T00:00:00Z");
  EXPECT_EQ(Time("-366", "days since 0001-01-01", Calendar::kProlepticGregorian), "0000-01-01T00:00:00Z");
  EXPECT_EQ(Time("-367", "days since 0001-01-01", Calendar::kProlepticGregorian), "-0001-12-31T00:00:00Z");
  EXPECT_EQ(Time("0", "days since -0044-03-15"), "-0044-03-15T00:00:00Z");
}

TEST(CfTime, IsExactForIntegers) {
  EXPECT_EQ(Time("9223372036854775807", "nanoseconds since 1970-01-01"), "2262-04-11T23:47:16.854775807Z");
  EXPECT_EQ(Time("-9223372036854775808", "nanoseconds since 1970-01-01"), "1677-09-21T00:12:43.145224192Z");
  EXPECT_EQ(Time("1", "nanoseconds since 2000-01-01 23:59:59.999999999"), "2000-01-02T00:00:00Z");
}

TEST(CfTime, RoundsFractionsToMilliseconds) {
  EXPECT_EQ(Time("0.1", "days since 2000-01-01"), "2000-01-01T02:24:00Z");
  EXPECT_EQ(Time("1.5", "hours since 2000-01-01"), "2000-01-01T01:30:00Z");
  EXPECT_EQ(Time("0.0004", "seconds since 2000-01-01"), "2000-01-01T00:00:00Z");
  EXPECT_EQ(Time("0.0006", "seconds since 2000-01-01"), "2000-01-01T00:00:00.001Z");
  EXPECT_EQ(Time("0.25", "seconds since 2000-01-01"), "2000-01-01T00:00:00.25Z");
  EXPECT_EQ(Time("0.999999999999", "days since 2000-01-01"), "2000-01-02T00:00:00Z");
  EXPECT_EQ(Time("1e3", "days since 2000-01-01"), "2002-09-27T00:00:00Z");
  EXPECT_EQ(Time("10957.0", "days since 1970-01-01"), "2000-01-01T00:00:00Z");
}

TEST(CfTime, HasNoTextForWhatIsNoTime) {
  for (const std::string_view number : {"nan", "NaN", "inf", "-inf", "", "x", "1 2", "1x", "1e300", "-1e300",
                                        "9223372036854775807", "-9223372036854775808", "99999999999999999999"}) {
    EXPECT_EQ(Time(number, "days since 2000-01-01"), "no time") << number;
    EXPECT_EQ(Time(number, "weeks since 2000-01-01"), "no time") << number;
  }
}

TEST(CfTime, EndsWithTheYear999999) {
  const auto last = Time("364", "days since 999999-01-01", Calendar::kNoLeap);
  EXPECT_EQ(last, "+999999-12-31T00:00:00Z");
  EXPECT_EQ(Time("365", "days since 999999-01-01", Calendar::kNoLeap), "no time");
  EXPECT_EQ(Time("-1", "days since -999999-01-01", Calendar::kNoLeap), "no time");
  EXPECT_EQ(Time("1", "days since 9999-12-31"), "+10000-01-01T00:00:00Z");
}

TEST(Datetime64, ReadsAllUnitsOfNumpy) {
  EXPECT_EQ(Datetime64(30, "Y"), "2000-01-01T00:00:00Z");
  EXPECT_EQ(Datetime64(-1, "Y"), "1969-01-01T00:00:00Z");
  EXPECT_EQ(Datetime64(13, "M"), "1971-02-01T00:00:00Z");
  EXPECT_EQ(Datetime64(-1, "M"), "1969-12-01T00:00:00Z");
  EXPECT_EQ(Datetime64(-12, "M"), "1969-01-01T00:00:00Z");
  EXPECT_EQ(Datetime64(1, "W"), "1970-01-08T00:00:00Z");
  EXPECT_EQ(Datetime64(10957, "D"), "2000-01-01T00:00:00Z");
  EXPECT_EQ(Datetime64(25, "h"), "1970-01-02T01:00:00Z");
  EXPECT_EQ(Datetime64(61, "m"), "1970-01-01T01:01:00Z");
  EXPECT_EQ(Datetime64(-1, "s"), "1969-12-31T23:59:59Z");
  EXPECT_EQ(Datetime64(1, "ms"), "1970-01-01T00:00:00.001Z");
  EXPECT_EQ(Datetime64(1, "us"), "1970-01-01T00:00:00.000001Z");
  EXPECT_EQ(Datetime64(1, "ns"), "1970-01-01T00:00:00.000000001Z");
}

TEST(Datetime64, CutsOffWhatIsFinerThanNanoseconds) {
  EXPECT_EQ(Datetime64(1999, "ps"), "1970-01-01T00:00:00.000000001Z");
  EXPECT_EQ(Datetime64(1'999'999, "fs"), "1970-01-01T00:00:00.000000001Z");
  EXPECT_EQ(Datetime64(1'999'999'999, "as"), "1970-01-01T00:00:00.000000001Z");
  EXPECT_EQ(Datetime64(-1, "as"), "1969-12-31T23:59:59.999999999Z");
}

TEST(Datetime64, CountsInLots) {
  EXPECT_EQ(Datetime64(3, "D", 10), "1970-01-31T00:00:00Z");
  EXPECT_EQ(Datetime64(2, "M", 25), "1974-03-01T00:00:00Z");
  EXPECT_EQ(Datetime64(1, "D", 0), "no time");
  EXPECT_EQ(Datetime64(INT64_MAX / 2, "ns", 3), "no time");
  EXPECT_EQ(Datetime64(INT64_MIN / 2, "ns", 3), "no time");
  EXPECT_EQ(Datetime64(1, "D", std::uint64_t{1} << 40), "no time");
}

TEST(Datetime64, HasNoTextForNotATimeAndWhatIsTooFar) {
  EXPECT_EQ(Datetime64(INT64_MIN, "D"), "no time");
  EXPECT_EQ(Datetime64(INT64_MIN, "ns"), "no time");
  EXPECT_EQ(Datetime64(1'000'000, "Y"), "no time");
  EXPECT_EQ(Datetime64(INT64_MAX, "M"), "no time");
  EXPECT_EQ(Datetime64(INT64_MAX, "s"), "no time");
  EXPECT_EQ(Datetime64(0, "generic"), "no time");
  EXPECT_EQ(Datetime64(0, ""), "no time");
  EXPECT_EQ(Datetime64(0, "d"), "no time") << "NumPy's names have a case";
}

/// A parsed time, formatted.
std::string Parsed(std::string_view text, Calendar calendar = Calendar::kStandard) {
  const auto moment = ParseTime(text, calendar);
  return moment ? FormatTime(*moment, calendar).value_or("far away") : "no time";
}

TEST(CfTime, ParsesDates) {
  EXPECT_EQ(Parsed("2024-07-01"), "2024-07-01T00:00:00Z");
  EXPECT_EQ(Parsed("2024-07-01T12:00"), "2024-07-01T12:00:00Z");
  EXPECT_EQ(Parsed("2024-07-01 12:00:30.25Z"), "2024-07-01T12:00:30.25Z");
  EXPECT_EQ(Parsed("2024-07-01T00:30+01:00"), "2024-06-30T23:30:00Z");
  EXPECT_EQ(Parsed("2024-02-30", Calendar::k360Day), "2024-02-30T00:00:00Z");
  for (const std::string_view text : {"", "2024", "2024-07", "2024-02-30", "noon", "2024-07-01T25:00", "2024-07-01x"}) {
    EXPECT_EQ(Parsed(text), "no time") << text;
  }
}

TEST(CfTime, HasMomentsInOrder) {
  const auto unit = ParseTimeUnit("hours since 2000-01-01", Calendar::kStandard);
  EXPECT_EQ(ComputeCfTime(std::int64_t{36}, *unit), ParseTime("2000-01-02T12:00", Calendar::kStandard));
  EXPECT_EQ(ComputeCfTime(0.5, *unit), ParseTime("2000-01-01T00:30", Calendar::kStandard));
  EXPECT_LT(*ComputeCfTime(-0.5, *unit), *ComputeCfTime(std::int64_t{0}, *unit));
  EXPECT_EQ(ComputeDatetime64(1, "M", 2), ParseTime("1970-03-01", Calendar::kProlepticGregorian));
}

}  // namespace
}  // namespace gdal_zarr
