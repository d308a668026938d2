// SPDX-License-Identifier: MIT
#include "driver/cf/coordinate_time.h"

#include <cmath>
#include <utility>
#include <vector>

#include "driver/dataset/attribute_names.h"
#include "driver/dataset/editable_array.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/text.h"
#include "driver/types/type_map.h"
#include "zarrlib/base/text.h"

namespace gdal_zarr {
namespace {

/// All integers below this one are exact as Float64.
constexpr double kExactIntegers = 9007199254740992.0;

/// GDAL's programs read attributes as a whole.
constexpr GUInt64 kMostTimes = 65536;

class Iso8601Attribute final : public GDALAttribute {
 public:
  Iso8601Attribute(std::shared_ptr<const GDALMDArray> coordinates, CoordinateTime time)
      : GDALAbstractMDArray(coordinates->GetFullName(), kTimeAttribute),
        GDALAttribute(coordinates->GetFullName(), kTimeAttribute),
        coordinates_(std::move(coordinates)),
        time_(std::move(time)),
        dimensions_{std::make_shared<GDALDimension>(std::string(), "dim0", std::string(), std::string(),
                                                    coordinates_->GetDimensions()[0]->GetSize())} {}

  const std::vector<std::shared_ptr<GDALDimension>>& GetDimensions() const override { return dimensions_; }
  const GDALExtendedDataType& GetDataType() const override { return type_; }

 protected:
  bool IRead(const GUInt64* start, const size_t* count, const GInt64* step, const GPtrDiff_t* stride,
             const GDALExtendedDataType& buffer_type, void* buffer) const override {
    return Guard(false, [&] {
      const GPtrDiff_t packed = 1;
      std::vector<char*> values(count[0], nullptr);
      bool ok = coordinates_->Read(start, count, step, &packed, type_, values.data());
      auto* destination = static_cast<std::byte*>(buffer);
      for (char* value : values) {
        const std::unique_ptr<char, decltype(&VSIFree)> owned(value, VSIFree);
        const std::string text = ok && value ? time_.FormatTime(value).value_or("") : "";
        const char* characters = text.c_str();
        ok = ok && GDALExtendedDataType::CopyValue(&characters, type_, destination, buffer_type);
        destination += stride[0] * static_cast<GPtrDiff_t>(buffer_type.GetSize());
      }
      return ok;
    });
  }

 private:
  std::shared_ptr<const GDALMDArray> coordinates_;
  CoordinateTime time_;
  GDALExtendedDataType type_ = GDALExtendedDataType::CreateString();
  std::vector<std::shared_ptr<GDALDimension>> dimensions_;
};

}  // namespace

std::optional<double> FindMissingCoordinate(const GDALMDArray& coordinates, bool are_times) {
  bool has_nodata = false;
  const double nodata = coordinates.GetNoDataValueAsDouble(&has_nodata);
  if (!has_nodata) return std::nullopt;
  const bool told =
      FindAttribute(coordinates, kFillValueAttribute) || FindAttribute(coordinates, kMissingValueAttribute);
  const auto* own = AsOwnArray(&coordinates);
  const bool counts = are_times || (own && own->array().metadata().zarr_format <= zarr::ZarrFormat::kV2);
  return told || (counts && nodata != 0) ? std::optional(nodata) : std::nullopt;
}

std::optional<CoordinateTime> CoordinateTime::Read(const GDALMDArray& coordinates) {
  CoordinateTime time;
  const auto* array = AsOwnArray(&coordinates);
  if (array && array->array().data_type().kind == zarr::DataType::Kind::kDatetime64) {
    time.numpy_unit_ = array->array().data_type().unit;
    time.numpy_count_ = array->array().data_type().unit_count;
    return time;
  }
  const auto attribute = FindAttribute(coordinates, "calendar");
  const char* name = attribute ? attribute->ReadAsString() : nullptr;
  const auto calendar = ParseCalendar(name ? name : "");
  const auto unit = calendar ? ParseTimeUnit(coordinates.GetUnit(), *calendar) : std::nullopt;
  if (!unit) return std::nullopt;
  time.unit_ = *unit;
  time.scale_ = coordinates.GetScale(nullptr, nullptr);
  time.offset_ = coordinates.GetOffset(nullptr, nullptr);
  time.missing_ = FindMissingCoordinate(coordinates, true);
  return time;
}

/// Integers stay exact if they are not packed.
std::optional<std::string> CoordinateTime::FormatAsCf(const std::string& value) const {
  const double number = CPLAtof(value.c_str());
  if (number == missing_) return std::nullopt;
  if (scale_ == 1 && offset_ == 0) return FormatCfTime(value, unit_);
  return FormatCfTime(FormatNumber(number * scale_ + offset_), unit_);
}

std::optional<std::string> CoordinateTime::FormatTime(const std::string& value) const {
  if (numpy_unit_.empty()) return FormatAsCf(value);
  const auto count = zarr::ParseNumber<std::int64_t>(value);
  return count ? FormatDatetime64(*count, numpy_unit_, numpy_count_) : std::nullopt;
}

std::optional<Moment> CoordinateTime::FindMoment(std::int64_t value) const {
  if (!numpy_unit_.empty()) return ComputeDatetime64(value, numpy_unit_, numpy_count_);
  if (scale_ != 1 || offset_ != 0) return FindMoment(static_cast<double>(value));
  return static_cast<double>(value) == missing_ ? std::nullopt : ComputeCfTime(value, unit_);
}

std::optional<Moment> CoordinateTime::FindMoment(double value) const {
  if (value == missing_ || !numpy_unit_.empty()) return std::nullopt;
  const double count = value * scale_ + offset_;
  // A whole number of units is exact, even where a fraction of a unit would be rounded.
  const bool is_whole = std::fabs(count) < kExactIntegers && count == std::floor(count);
  return is_whole ? ComputeCfTime(static_cast<std::int64_t>(count), unit_) : ComputeCfTime(count, unit_);
}

std::shared_ptr<GDALAttribute> MakeTimeAttribute(const std::shared_ptr<const GDALMDArray>& coordinates) {
  const auto& dimensions = coordinates->GetDimensions();
  if (dimensions.size() != 1 || dimensions[0]->GetSize() == 0 || dimensions[0]->GetSize() > kMostTimes) return nullptr;
  auto time = CoordinateTime::Read(*coordinates);
  if (!time) return nullptr;
  return std::make_shared<Iso8601Attribute>(coordinates, std::move(*time));
}

}  // namespace gdal_zarr
