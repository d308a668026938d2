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
#include "driver/cf/unsigned_attribute.h"
#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/text.h"
#include "driver/new_array/array_metadata_builder.h"
#include "driver/raster/raster_dataset.h"
#include "driver/types/type_map.h"
#include "zarrlib/array/array_writer.h"
#include "zarrlib/base/text.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

constexpr std::string_view kPrefix = "DIM_";

/// The position of a band along a dimension, from the band's metadata.
struct Place {
  std::optional<std::uint64_t> index;
  std::string value;
  std::string unit;
  std::string time;  // in ISO 8601
  bool operator==(const Place&) const = default;
};

/// The positions of a band, by dimension name.
using Places = std::map<std::string, Place>;

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
std::vector<Place> ListPlaces(const Axis& axis, const std::vector<Places>& bands) {
  std::map<std::uint64_t, Place> by_index;
  std::vector<Place> places;
  for (const std::size_t band : axis.firsts) {
    places.push_back(bands[band].at(axis.name));
    by_index[axis.indices[band]] = places.back();
  }
  const bool agree = std::ranges::all_of(bands, [&](const Places& band) {
    const Place& place = band.at(axis.name);
    return place == by_index[*place.index] && place.unit == places[0].unit;
  });
  return agree ? places : std::vector<Place>();
}

struct NamedCalendar {
  const char* name;
  Calendar calendar;
};

constexpr NamedCalendar kCalendars[] = {
    {"standard", Calendar::kStandard}, {"proleptic_gregorian", Calendar::kProlepticGregorian},
    {"julian", Calendar::kJulian},     {"noleap", Calendar::kNoLeap},
    {"all_leap", Calendar::kAllLeap},  {"360_day", Calendar::k360Day}};

/// Returns the calendar in which the values match the given times, or null if there is none.
const char* FindCalendar(const std::vector<Place>& places) {
  for (const auto& [name, calendar] : kCalendars) {
    const auto unit = ParseTimeUnit(places[0].unit, calendar);
    if (unit && std::ranges::all_of(places, [&](const Place& place) {
          return FormatCfTime(place.value, *unit).value_or("") == place.time;
        })) {
      return name;
    }
  }
  return nullptr;
}

/// Converts times whose unit is not a CF unit, such as datetime64, to seconds. Returns false if they have fractions.
bool TakeSeconds(std::vector<Place>* places) {
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  constexpr std::int64_t kSecondsPerDay = 86'400;
  const std::int64_t origin = ParseTime("1970-01-01", Calendar::kProlepticGregorian)->day;
  for (Place& place : *places) {
    const auto moment = ParseTime(place.time, Calendar::kProlepticGregorian);
    if (!moment || moment->nanoseconds % kNanoseconds != 0) return false;
    place.value = std::to_string((moment->day - origin) * kSecondsPerDay + moment->nanoseconds / kNanoseconds);
    place.unit = "seconds since 1970-01-01 00:00:00";
  }
  return true;
}

/// Returns an empty list if one of the values is not of this type.
template <typename Number>
std::vector<Number> ParseValues(const std::vector<Place>& places) {
  std::vector<Number> values;
  for (const Place& place : places) {
    const auto value = zarr::ParseNumber<Number>(place.value);
    if (!value) return {};
    values.push_back(*value);
  }
  return values;
}

void TakeNumbers(const std::vector<Place>& places, BandDimension* dimension) {
  dimension->values = ParseValues<double>(places);
  dimension->integers = ParseValues<std::int64_t>(places);
  if (!dimension->integers.empty()) return;
  const auto large = ParseValues<std::uint64_t>(places);
  dimension->integers.assign(large.begin(), large.end());
  if (!large.empty()) dimension->integer_type = GDT_UInt64;
}

/// Returns true if one of the values is an integer that the coordinates do not have exactly.
bool IsAnyRounded(const std::vector<Place>& places, const BandDimension& dimension) {
  constexpr double kMostExact = 9007199254740992;  // 2^53
  if (dimension.values.empty() || !dimension.integers.empty()) return false;
  return std::ranges::any_of(places, [](const Place& place) {
    const auto value = zarr::ParseNumber<double>(place.value);
    return value && std::fabs(*value) > kMostExact && place.value.find_first_not_of("-0123456789") == std::string::npos;
  });
}

/// Returns an empty list if a string is missing. A value with a unit is a number that cannot be parsed.
std::vector<std::string> ListTexts(const std::vector<Place>& places) {
  std::vector<std::string> texts;
  for (const Place& place : places) {
    if (place.value.empty() || !place.unit.empty() || !place.time.empty()) return {};
    texts.push_back(place.value);
  }
  return texts;
}

/// Uses the values as NumPy's datetime64 in their unit. Returns false if they are not such values.
bool TakeDatetimes(const std::vector<Place>& places, BandDimension* dimension) {
  const bool are_datetimes = std::ranges::all_of(places, [&](const Place& place) {
    const auto value = zarr::ParseNumber<std::int64_t>(place.value);
    return value && place.unit == places[0].unit && FormatDatetime64(*value, place.unit, 1) == place.time;
  });
  if (!are_datetimes) return false;
  TakeNumbers(places, dimension);
  dimension->datetime_unit = places[0].unit;
  return true;
}

BandDimension MakeDimension(const Axis& axis, std::vector<Place> places, TimeForm form) {
  BandDimension dimension;
  dimension.name = axis.name;
  dimension.size = axis.firsts.size();
  dimension.attributes = JsonNode::MakeObject({});
  std::vector<std::pair<std::string, JsonNode>> attributes;
  const bool are_times = std::ranges::all_of(places, [](const Place& place) { return !place.time.empty(); });
  if (are_times) {
    const char* calendar = FindCalendar(places);
    if (!calendar && form == TimeForm::kAsTold && TakeDatetimes(places, &dimension)) return dimension;
    if (!calendar && TakeSeconds(&places)) calendar = FindCalendar(places);
    if (!calendar) return dimension;
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

GDALExtendedDataType GetType(const BandDimension& dimension) {
  if (!dimension.texts.empty()) return GDALExtendedDataType::CreateString();
  return GDALExtendedDataType::Create(dimension.integers.empty() ? dimension.type : dimension.integer_type);
}

zarr::Selection SelectAll(const zarr::Array& array) {
  return zarr::Selection::FromBox({zarr::Shape(1, 0), array.shape()});
}

/// Writes all elements of a one-dimensional array. Each element is `size` bytes of a type.
void WriteAll(const std::shared_ptr<const zarr::Array>& array, const void* values, std::size_t size,
              const GDALExtendedDataType& type) {
  const auto writer = zarr::ArrayWriter::Make(array, {.store_empty_chunks = true});
  const auto converter = MakeWriteConverter(type, array->data_type());
  writer->Write(SelectAll(*array), {static_cast<const std::byte*>(values),
                                    zarr::Strides(1, static_cast<std::ptrdiff_t>(size)), converter.get()});
  writer->Flush();
}

void WriteCoordinates(const std::shared_ptr<const zarr::Array>& array, const BandDimension& dimension) {
  if (!dimension.texts.empty()) {
    std::vector<const char*> texts;
    for (const std::string& text : dimension.texts) texts.push_back(text.c_str());
    WriteAll(array, texts.data(), sizeof(const char*), GDALExtendedDataType::CreateString());
  } else if (!dimension.integers.empty()) {
    WriteAll(array, dimension.integers.data(), sizeof(std::int64_t), GetType(dimension));
  } else {
    WriteAll(array, dimension.values.data(), sizeof(double), GDALExtendedDataType::Create(GDT_Float64));
  }
}

/// Integer coordinates with a datetime unit become datetime64. They get no predictor, which not all readers undo for
/// such elements.
zarr::ArrayMetadata MakeCoordinateMetadata(zarr::ZarrFormat format, const BandDimension& dimension) {
  const std::vector<NewDimension> dimensions{{dimension.name, dimension.size}};
  CPLStringList options;
  if (!dimension.datetime_unit.empty()) options.SetNameValue("PREDICTOR", "1");
  zarr::ArrayMetadata metadata = MakeArrayMetadata(format, dimensions, GetType(dimension),
                                                   CreationOptions(options.List()), ChooseDefaultChunk(dimensions));
  if (!dimension.datetime_unit.empty()) {
    metadata.data_type.kind = zarr::DataType::Kind::kDatetime64;
    metadata.data_type.unit = dimension.datetime_unit;
  }
  metadata.attributes = dimension.attributes;
  return metadata;
}

void CreateCoordinates(SharedResource& resource, const BandDimension& dimension) {
  zarr::EditableHierarchy& hierarchy = resource.Change();
  const auto array = hierarchy.CreateArray(dimension.name, MakeCoordinateMetadata(hierarchy.format(), dimension));
  WriteCoordinates(array, dimension);
}

std::vector<std::string> ReadTexts(const zarr::Array& array) {
  const auto release = [](std::vector<char*>* pointers) { std::ranges::for_each(*pointers, CPLFree); };
  std::vector<char*> pointers(array.shape()[0]);
  const std::unique_ptr<std::vector<char*>, decltype(release)> owner(&pointers, release);
  const auto converter = MakeRowConverter(GetShownType(array), GDALExtendedDataType::CreateString());
  array.Read(SelectAll(array),
             {reinterpret_cast<std::byte*>(pointers.data()), zarr::Strides(1, sizeof(char*)), converter.get()});
  std::vector<std::string> texts;
  for (const char* text : pointers) texts.emplace_back(text ? text : "");
  return texts;
}

/// `type` is GDAL's type of the size of Number.
template <typename Number>
std::vector<Number> ReadNumbers(const zarr::Array& array, GDALDataType type) {
  std::vector<Number> numbers(array.shape()[0]);
  const auto converter = MakeRowConverter(GetShownType(array), GDALExtendedDataType::Create(type));
  array.Read(SelectAll(array),
             {reinterpret_cast<std::byte*>(numbers.data()), zarr::Strides(1, sizeof(Number)), converter.get()});
  return numbers;
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
    const std::vector<Place> places = ListPlaces(axis, bands);
    if (places.empty()) return {};
    dimensions.push_back(MakeDimension(axis, places, form));
    if (IsAnyRounded(places, dimensions.back())) return {};
  }
  return dimensions;
}

bool HasOtherCoordinates(SharedResource& resource, const BandDimension& dimension) {
  if (!resource.hierarchy().Probe(dimension.name)) return false;
  const auto array = resource.finder().FindArray(dimension.name);
  if (!array || array->shape() != zarr::Shape(1, dimension.size) || array->unsupported()) return true;
  if (array->metadata().attributes.Find("units") != dimension.attributes.Find("units")) return true;
  if (!dimension.texts.empty()) {
    const bool are_texts = MakeElementForm(GetShownType(*array)).type.GetClass() == GEDTC_STRING;
    return !are_texts || ReadTexts(*array) != dimension.texts;
  }
  using NumberKind = zarr::DataType::Kind;
  const NumberKind kind = array->data_type().kind;
  const bool are_numbers = kind == NumberKind::kInt || kind == NumberKind::kUint || kind == NumberKind::kFloat;
  if (array->data_type().variable() || !are_numbers || dimension.values.size() != dimension.size) return true;
  // Float64 cannot represent all integers.
  const bool are_integers = kind != NumberKind::kFloat && !dimension.integers.empty();
  return are_integers ? ReadNumbers<std::int64_t>(*array, dimension.integer_type) != dimension.integers
                      : ReadNumbers<double>(*array, GDT_Float64) != dimension.values;
}

void CreateBandCoordinates(SharedResource& resource, const std::vector<BandDimension>& dimensions) {
  for (const BandDimension& dimension : dimensions) {
    if ((dimension.values.empty() && dimension.texts.empty()) || resource.hierarchy().Probe(dimension.name)) continue;
    CreateCoordinates(resource, dimension);
  }
}

}  // namespace gdal_zarr
