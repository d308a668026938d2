// SPDX-License-Identifier: MIT
#include "driver/cf/calendar.h"

#include <gtest/gtest.h>

#include <utility>

namespace gdal_zarr {

void PrintTo(const Date& date, std::ostream* out) {
  *out << date.year << "-" << date.month << "-" << date.day;
}

namespace {

constexpr Calendar kAll[] = {Calendar::kStandard, Calendar::kProlepticGregorian,
                             Calendar::kJulian,   Calendar::kNoLeap,
                             Calendar::kAllLeap,  Calendar::k360Day};

std::int64_t Days(const Date& from, const Date& to, Calendar calendar) {
  return ToDayNumber(to, calendar).value() - ToDayNumber(from, calendar).value();
}

bool Has(Calendar calendar, const Date& date) {
  return ToDayNumber(date, calendar).has_value();
}

TEST(Calendar, NumbersDaysWithoutAGap) {
  for (const Calendar calendar : kAll) {
    SCOPED_TRACE(static_cast<int>(calendar));
    for (const std::int64_t year : {-401, -5, -1, 0, 3, 1581, 1899, 1999, 9'999'999, -9'999'999}) {
      const std::int64_t first = ToDayNumber({year, 1, 1}, calendar).value();
      Date before = ToDate(first - 1, calendar);
      EXPECT_EQ(before.year, year - 1);
      EXPECT_EQ(before.month, 12);
      for (std::int64_t day = first; day < first + 800; ++day) {
        const Date date = ToDate(day, calendar);
        ASSERT_EQ(ToDayNumber(date, calendar), day) << date.year << "-" << date.month << "-" << date.day;
        const bool next_day = date.month == before.month && date.year == before.year && date.day > before.day;
        const bool next_month = date.day == 1 && (date.month == before.month % 12 + 1);
        ASSERT_TRUE(next_day || next_month) << date.year << "-" << date.month << "-" << date.day;
        before = date;
      }
    }
  }
}

TEST(Calendar, HasYearsOfTheirLengths) {
  const auto length = [](std::int64_t year, Calendar calendar) {
    return Days({year, 1, 1}, {year + 1, 1, 1}, calendar);
  };
  for (const std::int64_t year : {-4, -1, 0, 1, 1900, 1999, 2000, 2001}) {
    EXPECT_EQ(length(year, Calendar::kNoLeap), 365);
    EXPECT_EQ(length(year, Calendar::kAllLeap), 366);
    EXPECT_EQ(length(year, Calendar::k360Day), 360);
  }
  // Leap years: every fourth; in the Gregorian calendar not the hundredth, but the four-hundredth.
  for (const auto& [year, gregorian, julian] : {std::tuple(1999, 365, 365),
                                                {1996, 366, 366},
                                                {1900, 365, 366},
                                                {2000, 366, 366},
                                                {0, 366, 366},
                                                {-1, 365, 365},
                                                {-4, 366, 366},
                                                {-100, 365, 366},
                                                {-400, 366, 366}}) {
    EXPECT_EQ(length(year, Calendar::kProlepticGregorian), gregorian) << year;
    EXPECT_EQ(length(year, Calendar::kJulian), julian) << year;
  }
  EXPECT_EQ(length(1582, Calendar::kStandard), 355);
  EXPECT_EQ(length(1500, Calendar::kStandard), 366) << "Julian";
  EXPECT_EQ(length(1700, Calendar::kStandard), 365) << "Gregorian";
}

TEST(Calendar, GoesFromTheJulianToTheGregorianOne) {
  EXPECT_EQ(Days({1582, 10, 4}, {1582, 10, 15}, Calendar::kStandard), 1);
  for (std::int64_t day = 5; day <= 14; ++day) EXPECT_FALSE(Has(Calendar::kStandard, {1582, 10, day})) << day;
  EXPECT_TRUE(Has(Calendar::kProlepticGregorian, {1582, 10, 10}));
  EXPECT_TRUE(Has(Calendar::kJulian, {1582, 10, 10}));
  EXPECT_TRUE(Has(Calendar::kStandard, {1500, 2, 29}));
  EXPECT_FALSE(Has(Calendar::kProlepticGregorian, {1500, 2, 29}));
}

TEST(Calendar, NumbersRealDaysAlike) {
  // One day of the real world: 1 January 2000 is 19 December 1999 in the Julian calendar.
  EXPECT_EQ(ToDayNumber({2000, 1, 1}, Calendar::kProlepticGregorian), ToDayNumber({1999, 12, 19}, Calendar::kJulian));
  EXPECT_EQ(ToDayNumber({2000, 1, 1}, Calendar::kProlepticGregorian), ToDayNumber({2000, 1, 1}, Calendar::kStandard));
  EXPECT_EQ(ToDayNumber({1000, 1, 1}, Calendar::kJulian), ToDayNumber({1000, 1, 1}, Calendar::kStandard));
  // Julian day 0 is 1 January 4713 BC of the Julian calendar, and 2451545 the first of January 2000.
  EXPECT_EQ(Days({-4712, 1, 1}, {2000, 1, 1}, Calendar::kStandard), 2451545);
}

TEST(Calendar, CountsKnownDistances) {
  EXPECT_EQ(Days({1970, 1, 1}, {2000, 1, 1}, Calendar::kStandard), 10957);
  EXPECT_EQ(Days({1970, 1, 1}, {2000, 1, 1}, Calendar::kNoLeap), 10950);
  EXPECT_EQ(Days({1970, 1, 1}, {2000, 1, 1}, Calendar::kAllLeap), 10980);
  EXPECT_EQ(Days({1970, 1, 1}, {2000, 1, 1}, Calendar::k360Day), 10800);
  EXPECT_EQ(Days({2001, 2, 28}, {2001, 3, 1}, Calendar::kNoLeap), 1);
  EXPECT_EQ(Days({2001, 2, 28}, {2001, 3, 1}, Calendar::kAllLeap), 2);
  EXPECT_EQ(Days({2001, 2, 28}, {2001, 3, 1}, Calendar::k360Day), 3);
}

TEST(Calendar, RefusesDatesThatItDoesNotHave) {
  for (const Calendar calendar : kAll) {
    for (const Date& date :
         {Date{2000, 0, 1}, {2000, 13, 1}, {2000, -1, 1}, {2000, 1, 0}, {2000, 1, 32}, {2000, 1, -1}}) {
      EXPECT_FALSE(Has(calendar, date));
    }
    EXPECT_EQ(Has(calendar, {2001, 1, 31}), calendar != Calendar::k360Day);
    EXPECT_EQ(Has(calendar, {2001, 2, 30}), calendar == Calendar::k360Day);
    EXPECT_EQ(Has(calendar, {2001, 4, 31}), false);
    EXPECT_EQ(Has(calendar, {2001, 2, 29}), calendar == Calendar::kAllLeap || calendar == Calendar::k360Day);
    EXPECT_EQ(Has(calendar, {2000, 2, 29}), calendar != Calendar::kNoLeap);
  }
}

}  // namespace
}  // namespace gdal_zarr
