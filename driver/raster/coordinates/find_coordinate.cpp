// SPDX-License-Identifier: MIT
#include "driver/raster/coordinates/find_coordinate.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/cf/coordinate_time.h"
#include "driver/dataset/attribute_names.h"
#include "driver/dataset/editable_array.h"
#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/coordinates/coordinate_values.h"
#include "driver/raster/coordinates/nearest.h"
#include "zarrlib/base/error.h"
#include "zarrlib/base/text.h"

namespace gdal_zarr {
namespace {

constexpr std::int64_t kNanosecondsPerDay = 86'400'000'000'000;
constexpr std::size_t kMostTextsShown = 8;

[[noreturn]] void Fail(const Selector& selector, const std::string& message) {
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument, FormatSelector(selector) + ": " + message);
}

// --- distances ---------------------------------------------------------------------------------------------------

/// Days, and nanoseconds within a day.
using TimeSpan = std::pair<std::int64_t, std::int64_t>;

TimeSpan GetDistance(const Moment& a, const Moment& b) {
  if (b < a) return GetDistance(b, a);
  const bool borrows = b.nanoseconds < a.nanoseconds;  // from the days
  return {b.day - a.day - (borrows ? 1 : 0), b.nanoseconds - a.nanoseconds + (borrows ? kNanosecondsPerDay : 0)};
}

double GetDistance(double a, double b) {
  return std::fabs(a - b);
}

template <typename Integer>
std::uint64_t GetDistance(Integer a, Integer b) {
  return a < b ? static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a)
               : static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
}

/// Allows for the rounding of computed coordinates.
bool IsAtMost(double distance, double step) {
  return distance <= step * (1 + 1e-9);
}

template <typename Distance>
bool IsAtMost(const Distance& distance, const Distance& step) {
  return distance <= step;
}

std::string Format(double value) {
  char text[64];
  return std::string(text, std::to_chars(text, text + sizeof(text), value).ptr);
}

template <typename Integer>
std::string Format(Integer value) {
  return std::to_string(value);
}

// --- searching ---------------------------------------------------------------------------------------------------

/// Returns the index of the selected coordinate. `is_equal(key)` returns true for the selected value, and `format`
/// converts a key to text.
template <typename Key, typename IsEqual, typename FormatKey>
std::uint64_t Choose(const Selector& selector, const std::vector<Candidate<Key>>& candidates, const Key& wanted,
                     IsEqual&& is_equal, FormatKey&& format) {
  const auto nearest = FindNearest(
      candidates, wanted, [](const Key& a, const Key& b) { return GetDistance(a, b); },
      [](const auto& distance, const auto& step) { return IsAtMost(distance, step); });
  const std::string dimension = "dimension \"" + selector.dimension + "\"";
  if (!nearest) Fail(selector, dimension + " has no coordinates but NaN and nodata values");
  if (is_equal(nearest->found.key)) return nearest->found.index;
  const std::string range = "from " + format(nearest->lowest) + " to " + format(nearest->highest);
  if (selector.kind == Selector::Kind::kExact) {
    Fail(selector, "no coordinate of " + dimension + " is equal to this; they are " + range + ", and the nearest is " +
                       format(nearest->found.key));
  }
  if (!nearest->is_within) Fail(selector, "this is beyond the coordinates of " + dimension + ", which are " + range);
  return nearest->found.index;
}

// --- reading -----------------------------------------------------------------------------------------------------

/// Reads all values of a one-dimensional array. Throws zarr::Error, including when there are more values than the limit
/// for coordinates.
template <typename Value>
std::vector<Value> ReadValues(const GDALMDArray& array, const GDALExtendedDataType& type) {
  CheckCoordinateCount(array);
  const auto* own = AsOwnArray(&array);
  const GUInt64 start = 0;
  const auto count = static_cast<std::size_t>(array.GetDimensions()[0]->GetSize());
  const GInt64 step = 1;
  const GPtrDiff_t stride = 1;
  std::vector<Value> values(count);
  if (own) {
    own->ReadSlab(&start, &count, &step, &stride, type, values.data());
  } else if (!array.Read(&start, &count, &step, &stride, type, values.data())) {
    throw zarr::Error(zarr::ErrorKind::kIo, array.GetFullName() + " cannot be read");
  }
  return values;
}

/// Returns the nodata value, as stored, if an attribute defines it. The fill value alone does not count, because it may
/// be a valid coordinate.
std::optional<double> FindNodata(const GDALMDArray& array) {
  if (!FindAttribute(array, kFillValueAttribute) && !FindAttribute(array, kMissingValueAttribute)) return std::nullopt;
  bool has_nodata = false;
  const double nodata = array.GetNoDataValueAsDouble(&has_nodata);
  return has_nodata ? std::optional(nodata) : std::nullopt;
}

template <typename Value>
std::vector<Candidate<Moment>> ReadMoments(const GDALMDArray& array, const CoordinateTime& time, GDALDataType type) {
  const auto values = ReadValues<Value>(array, GDALExtendedDataType::Create(type));
  std::vector<Candidate<Moment>> moments;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (const auto moment = time.FindMoment(values[i])) moments.push_back({i, *moment});
  }
  return moments;
}

std::uint64_t FindMomentIndex(const GDALMDArray& array, const CoordinateTime& time, const Selector& selector) {
  const auto wanted = ParseTime(selector.value, time.calendar());
  if (!wanted) {
    Fail(selector, "dimension \"" + selector.dimension +
                       "\" has times: expected a date of its calendar, such as 2024-07-01 or 2024-07-01T12:00, or a "
                       "number, got \"" +
                       selector.value + "\"");
  }
  const bool is_integer = GDALDataTypeIsInteger(array.GetDataType().GetNumericDataType());
  const auto moments =
      is_integer ? ReadMoments<std::int64_t>(array, time, GDT_Int64) : ReadMoments<double>(array, time, GDT_Float64);
  return Choose(
      selector, moments, *wanted, [&](const Moment& moment) { return moment == *wanted; },
      [&](const Moment& moment) { return FormatTime(moment, time.calendar()).value_or("a time far away"); });
}

/// Compares integers that may be too large for Float64.
template <typename Integer>
std::uint64_t FindIntegerIndex(const GDALMDArray& array, const CoordinateTime* time, const Selector& selector,
                               Integer wanted, GDALDataType type) {
  const auto nodata = FindNodata(array);
  const auto values = ReadValues<Integer>(array, GDALExtendedDataType::Create(type));
  std::vector<Candidate<Integer>> candidates;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool is_missing =
        time ? !time->FindMoment(static_cast<std::int64_t>(values[i])) : static_cast<double>(values[i]) == nodata;
    if (!is_missing) candidates.push_back({i, values[i]});
  }
  return Choose(
      selector, candidates, wanted, [&](Integer value) { return value == wanted; },
      [](Integer value) { return Format(value); });
}

std::uint64_t FindNumberIndex(const GDALMDArray& array, const Selector& selector, double wanted) {
  CheckCoordinateCount(array);
  const CoordinateValues values = CoordinateValues::Read(array);
  const double scale = array.GetScale(nullptr, nullptr);
  const double offset = array.GetOffset(nullptr, nullptr);
  const auto nodata = FindNodata(array);
  std::vector<Candidate<double>> candidates;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i]) || (nodata && values[i] == *nodata * scale + offset)) continue;
    candidates.push_back({i, values.FindMeantValue(i)});
  }
  // Allows for the rounding of unpacking.
  const auto is_equal = [&](double value) {
    const double largest = std::max({std::fabs(value), std::fabs(wanted), std::fabs(offset)});
    return std::fabs(value - wanted) <= 4 * std::numeric_limits<double>::epsilon() * largest;
  };
  return Choose(selector, candidates, wanted, is_equal, [](double value) { return Format(value); });
}

std::uint64_t FindNumberIndexOfAnyType(const GDALMDArray& array, const CoordinateTime* time, const Selector& selector,
                                       double number) {
  const bool is_packed = array.GetScale(nullptr, nullptr) != 1 || array.GetOffset(nullptr, nullptr) != 0;
  const GDALDataType type = array.GetDataType().GetNumericDataType();
  const auto integer = zarr::ParseNumber<std::int64_t>(selector.value);
  const auto natural = zarr::ParseNumber<std::uint64_t>(selector.value);
  if (!is_packed && type == GDT_Int64 && integer) {
    return FindIntegerIndex(array, time, selector, *integer, GDT_Int64);
  }
  if (!is_packed && type == GDT_UInt64 && natural) {
    return FindIntegerIndex(array, nullptr, selector, *natural, GDT_UInt64);
  }
  return FindNumberIndex(array, selector, number);
}

/// Extends the error about a number that does not match any time: the number may be meant as a year or as a date.
zarr::Error ExplainTimes(const zarr::Error& error, const GDALMDArray& array) {
  const std::string& unit = array.GetUnit();
  return error.With("a number counts " + (unit.empty() ? "units of the coordinate" : "\"" + unit + "\"") +
                    "; a date has a form such as 2024-07-01 or 2024-07-01T12:00");
}

std::uint64_t FindNumberOrTimeIndex(const GDALMDArray& array, const Selector& selector) {
  const auto time = CoordinateTime::Read(array);
  const auto number = zarr::ParseNumber<double>(selector.value);
  if (time && !number) return FindMomentIndex(array, *time, selector);
  if (!number || !std::isfinite(*number)) {
    Fail(selector,
         "dimension \"" + selector.dimension + "\" has numbers: expected a number, got \"" + selector.value + "\"");
  }
  try {
    return FindNumberIndexOfAnyType(array, time ? &*time : nullptr, selector, *number);
  } catch (const zarr::Error& error) {
    if (!time || error.kind() != zarr::ErrorKind::kInvalidArgument) throw;
    throw ExplainTimes(error, array);
  }
}

std::uint64_t FindTextIndex(const GDALMDArray& array, const Selector& selector) {
  const auto values = ReadValues<char*>(array, array.GetDataType());
  std::optional<std::uint64_t> found;
  std::string some;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::unique_ptr<char, decltype(&VSIFree)> owned(values[i], VSIFree);
    const std::string text = owned ? owned.get() : "";
    if (!found && text == selector.value) found = i;
    if (i < kMostTextsShown) some += (i > 0 ? ", \"" : "\"") + text + "\"";
  }
  if (found) return *found;
  Fail(selector, "no coordinate of dimension \"" + selector.dimension + "\" is equal to this text; they are " + some +
                     (values.size() > kMostTextsShown ? ", ..." : ""));
}

}  // namespace

std::uint64_t FindCoordinateIndex(const GDALMDArray& coordinates, const Selector& selector) {
  const bool is_text = coordinates.GetDataType().GetClass() == GEDTC_STRING;
  return is_text ? FindTextIndex(coordinates, selector) : FindNumberOrTimeIndex(coordinates, selector);
}

bool CanBeSelected(const GDALExtendedDataType& type) {
  if (type.GetClass() == GEDTC_NUMERIC) return !GDALDataTypeIsComplex(type.GetNumericDataType());
  return type.GetClass() == GEDTC_STRING;
}

}  // namespace gdal_zarr
