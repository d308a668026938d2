// SPDX-License-Identifier: MIT
#include "driver/create/band_dimensions.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "driver/cf/cf_time.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/text.h"
#include "driver/raster/raster_dataset.h"
#include "zarrlib/base/text.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

constexpr std::string_view kPrefix = "DIM_";

/// The positions of a band, by dimension name.
using Places = std::map<std::string, ToldPlace>;

void TakeItem(std::string_view item, Places* places) {
  const std::size_t equal = item.find('=');
  if (!item.starts_with(kPrefix) || equal == std::string_view::npos) return;
  const std::string_view name = item.substr(0, equal);
  const std::string value(item.substr(equal + 1));
  const std::size_t end = name.rfind('_');
  if (end <= kPrefix.size()) return;
  const std::string_view kind = name.substr(end + 1);
  const std::string dimension(name.substr(kPrefix.size(), end - kPrefix.size()));
  if (kind == "INDEX") (*places)[dimension].index = zarr::ParseNumber<std::uint64_t>(value);
  if (kind == "VALUE") (*places)[dimension].value = value;
  if (kind == "UNIT") (*places)[dimension].unit = value;
  if (kind == "ISO8601") (*places)[dimension].time = value;
  if (kind == "CALENDAR") (*places)[dimension].calendar = value;
}

Places ReadPlaces(GDALRasterBand& band) {
  Places places;
  const CPLStringList items(CSLDuplicate(const_cast<char**>(CallThrough([&] { return band.GetMetadata(); }))));
  for (int i = 0; i < items.size(); ++i) TakeItem(items[i], &places);
  std::erase_if(places, [](const auto& place) { return !place.second.index; });
  return places;
}

/// Lists the dimensions in the order in which a band's metadata name them.
std::vector<std::string> ListNames(GDALRasterBand& band) {
  constexpr std::string_view kEnd = "_INDEX";
  std::vector<std::string> names;
  for (CSLConstList item = CallThrough([&] { return band.GetMetadata(); }); item && *item; ++item) {
    const std::string_view text = *item;
    const std::string_view name = text.substr(0, text.find('='));
    if (name.size() <= kPrefix.size() + kEnd.size() || !name.starts_with(kPrefix) || !name.ends_with(kEnd)) continue;
    names.emplace_back(name.substr(kPrefix.size(), name.size() - kPrefix.size() - kEnd.size()));
  }
  return names;
}

/// A dimension, and the index along it in each band.
struct Axis {
  std::string name;
  std::vector<std::uint64_t> indices;  // one per band
  std::vector<std::size_t> firsts;     // the first band of each index
  // Returns the first band whose index differs from that of band 0, or the number of bands if there is none.
  std::size_t first_change() const { return firsts.size() > 1 ? firsts[1] : indices.size(); }
};

Axis MakeAxis(const std::string& name, const std::vector<Places>& bands) {
  Axis axis{name, {}, {}};
  std::set<std::uint64_t> seen;
  for (std::size_t band = 0; band < bands.size(); ++band) {
    axis.indices.push_back(*bands[band].at(name).index);
    if (seen.insert(axis.indices.back()).second) axis.firsts.push_back(band);
  }
  return axis;
}

/// Returns true if the bands form a complete grid, in C order.
bool IsGrid(const std::vector<Axis>& axes, std::size_t bands) {
  std::size_t faster = 1;  // number of bands of all dimensions that vary faster
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    for (std::size_t band = 0; band < bands; ++band) {
      const std::size_t first = axis->firsts[band / faster % axis->firsts.size()];
      if (axis->indices[band] != axis->indices[first]) return false;
    }
    faster *= axis->firsts.size();
  }
  return faster == bands;
}

/// Returns the position for each index of a dimension; an empty list if bands contradict each other: coordinates have
/// one value for each index, and one unit for all.
std::vector<ToldPlace> ListPlaces(const Axis& axis, const std::vector<Places>& bands) {
  std::map<std::uint64_t, ToldPlace> by_index;
  std::vector<ToldPlace> places;
  for (const std::size_t band : axis.firsts) {
    places.push_back(bands[band].at(axis.name));
    by_index[axis.indices[band]] = places.back();
  }
  const bool agree = std::ranges::all_of(bands, [&](const Places& band) {
    const ToldPlace& place = band.at(axis.name);
    return place == by_index[*place.index] && place.unit == places[0].unit && place.calendar == places[0].calendar;
  });
  return agree ? places : std::vector<ToldPlace>();
}

struct NamedCalendar {
  const char* name;
  Calendar calendar;
};

constexpr NamedCalendar kCalendars[] = {
    {"standard", Calendar::kStandard}, {"proleptic_gregorian", Calendar::kProlepticGregorian},
    {"julian", Calendar::kJulian},     {"noleap", Calendar::kNoLeap},
    {"all_leap", Calendar::kAllLeap},  {"360_day", Calendar::k360Day}};

/// Returns true if the values match the given times. A missing value matches a missing time.
bool AreTimesIn(Calendar calendar, const std::vector<ToldPlace>& places) {
  const auto unit = ParseTimeUnit(places[0].unit, calendar);
  return unit && std::ranges::all_of(places, [&](const ToldPlace& place) {
           return FormatCfTime(place.value, *unit).value_or("") == place.time;
         });
}

/// Returns the calendar in which the values match the given times: the one that is told, if it does. Returns "" if
/// there is none.
std::string FindCalendar(const std::vector<ToldPlace>& places) {
  const std::string& told = places[0].calendar;
  const auto calendar = told.empty() ? std::nullopt : ParseCalendar(told);
  if (calendar && AreTimesIn(*calendar, places)) return told;
  for (const auto& [name, known] : kCalendars) {
    if (AreTimesIn(known, places)) return name;
  }
  return "";
}

/// Converts times whose unit is not a CF unit, such as datetime64, to seconds. Returns an empty list if they have
/// fractions, or one is missing.
std::vector<ToldPlace> ToSeconds(std::vector<ToldPlace> places) {
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  constexpr std::int64_t kSecondsPerDay = 86'400;
  const std::int64_t origin = ParseTime("1970-01-01", Calendar::kProlepticGregorian)->day;
  for (ToldPlace& place : places) {
    const auto moment = ParseTime(place.time, Calendar::kProlepticGregorian);
    if (!moment || moment->nanoseconds % kNanoseconds != 0) return {};
    place.value = std::to_string((moment->day - origin) * kSecondsPerDay + moment->nanoseconds / kNanoseconds);
    place.unit = "seconds since 1970-01-01 00:00:00";
  }
  return places;
}

/// Returns an empty list if one of the values is not of this type.
template <typename Number>
std::vector<Number> ParseValues(const std::vector<ToldPlace>& places) {
  std::vector<Number> values;
  for (const ToldPlace& place : places) {
    const auto value = zarr::ParseNumber<Number>(place.value);
    if (!value) return {};
    values.push_back(*value);
  }
  return values;
}

void TakeNumbers(const std::vector<ToldPlace>& places, BandDimension* dimension) {
  dimension->values = ParseValues<double>(places);
  dimension->integers = ParseValues<std::int64_t>(places);
  if (!dimension->integers.empty()) return;
  const auto large = ParseValues<std::uint64_t>(places);
  dimension->integers.assign(large.begin(), large.end());
  if (!large.empty()) dimension->integer_type = GDT_UInt64;
}

/// Returns true if one of the values is an integer that the coordinates do not have exactly.
bool IsAnyRounded(const std::vector<ToldPlace>& places, const BandDimension& dimension) {
  constexpr double kMostExact = 9007199254740992;  // 2^53
  if (dimension.values.empty() || !dimension.integers.empty()) return false;
  return std::ranges::any_of(places, [](const ToldPlace& place) {
    const auto value = zarr::ParseNumber<double>(place.value);
    return value && std::fabs(*value) > kMostExact && place.value.find_first_not_of("-0123456789") == std::string::npos;
  });
}

/// Returns an empty list if a string is missing. A value with a unit is a number that cannot be parsed.
std::vector<std::string> ListTexts(const std::vector<ToldPlace>& places) {
  std::vector<std::string> texts;
  for (const ToldPlace& place : places) {
    if (place.value.empty() || !place.unit.empty() || !place.time.empty()) return {};
    texts.push_back(place.value);
  }
  return texts;
}

/// Uses the values as NumPy's datetime64 in their unit. Returns false if they are not such values. A value without a
/// time is "not a time".
bool TakeDatetimes(const std::vector<ToldPlace>& places, BandDimension* dimension) {
  const bool are_datetimes = std::ranges::all_of(places, [&](const ToldPlace& place) {
    const auto value = zarr::ParseNumber<std::int64_t>(place.value);
    return value && place.unit == places[0].unit && FormatDatetime64(*value, place.unit, 1).value_or("") == place.time;
  });
  if (!are_datetimes) return false;
  TakeNumbers(places, dimension);
  dimension->datetime_unit = places[0].unit;
  return true;
}

BandDimension MakeDimension(const Axis& axis, std::vector<ToldPlace> places, TimeForm form) {
  BandDimension dimension;
  dimension.name = axis.name;
  dimension.size = axis.firsts.size();
  dimension.attributes = JsonNode::MakeObject({});
  dimension.places = places;
  std::vector<std::pair<std::string, JsonNode>> attributes;
  if (std::ranges::any_of(places, [](const ToldPlace& place) { return !place.time.empty(); })) {
    std::string calendar = FindCalendar(places);
    if (calendar.empty()) {
      std::vector<ToldPlace> seconds = form == TimeForm::kCf ? ToSeconds(places) : std::vector<ToldPlace>();
      if (seconds.empty() && TakeDatetimes(places, &dimension)) return dimension;
      if (seconds.empty()) seconds = ToSeconds(places);
      if (seconds.empty()) return dimension;
      places = std::move(seconds);
      calendar = FindCalendar(places);
    }
    attributes.emplace_back("standard_name", JsonNode::MakeString("time"));
    attributes.emplace_back("axis", JsonNode::MakeString("T"));
    attributes.emplace_back("calendar", JsonNode::MakeString(calendar));
  }
  if (!places[0].unit.empty()) attributes.emplace_back("units", JsonNode::MakeString(places[0].unit));
  std::vector<std::string> texts = ListTexts(places);
  if (std::ranges::all_of(texts, IsPrintedNumber)) TakeNumbers(places, &dimension);
  if (dimension.values.empty()) dimension.texts = std::move(texts);
  dimension.attributes = JsonNode::MakeObject(attributes);
  return dimension;
}

/// Lists the axes of the grid that the bands form in C order, in the order in which the metadata name them if that is
/// possible: only this tells where a dimension of size 1 belongs. Items that GDAL has sorted, as in a VRT, do not tell
/// it; then these dimensions come first. Returns an empty list if there is no grid.
std::vector<Axis> ListAxes(GDALDataset& source, const std::vector<Places>& bands) {
  std::vector<Axis> axes;
  if (bands.empty()) return axes;
  const std::vector<std::string> names = ListNames(*source.GetRasterBand(1));
  for (const std::string& name : names) {
    if (bands[0].contains(name)) axes.push_back(MakeAxis(name, bands));
  }
  const bool is_told = AsRasterDataset(&source) || !std::ranges::is_sorted(names);
  if (is_told && IsGrid(axes, bands.size())) return axes;
  std::ranges::stable_sort(axes, std::ranges::greater(), &Axis::first_change);
  return IsGrid(axes, bands.size()) ? axes : std::vector<Axis>();
}

}  // namespace

std::vector<BandDimension> FindBandDimensions(GDALDataset& source, TimeForm form) {
  const auto count = static_cast<std::size_t>(source.GetRasterCount());
  std::vector<Places> bands;
  for (std::size_t band = 0; band < count; ++band) {
    bands.push_back(ReadPlaces(*source.GetRasterBand(static_cast<int>(band) + 1)));
    const auto has_same_name = [](const auto& a, const auto& b) { return a.first == b.first; };
    if (!std::ranges::equal(bands[band], bands[0], has_same_name)) return {};
  }
  const std::vector<Axis> axes = ListAxes(source, bands);
  std::vector<BandDimension> dimensions;
  for (const Axis& axis : axes) {
    if (!IsNodeName(axis.name) || axis.name == "X" || axis.name == "Y") return {};
    const std::vector<ToldPlace> places = ListPlaces(axis, bands);
    if (places.empty()) return {};
    dimensions.push_back(MakeDimension(axis, places, form));
    if (IsAnyRounded(places, dimensions.back())) return {};
  }
  return dimensions;
}

}  // namespace gdal_zarr
