// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/cf/attribute_number.h"
#include "driver/dataset/attribute_names.h"
#include "driver/dataset/left_out_values.h"
#include "driver/gdal/attribute_value.h"
#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/raster_axes.h"
#include "driver/multidim/carry_out_chunk_plans.h"
#include "driver/multidim/copying/freed_text.h"
#include "driver/multidim/copying/hidden_parts.h"
#include "driver/multidim/copying/original_array.h"
#include "driver/multidim/copying/source_nodata.h"
#include "driver/multidim/dimension.h"
#include "driver/multidim/md_array.h"
#include "driver/multidim/nodata_writer.h"
#include "driver/types/kept_text.h"

namespace gdal_zarr {
namespace {

/// Rejects longer dimensions, because GDAL's loop over their chunks would never end, and text of HDF4 files, for which
/// GDAL gives pointers that lead nowhere. `dataset` may be null.
void CheckCanBeCopied(GDALDataset* dataset, const GDALMDArray& source) {
  if (IsOfDriver(dataset, "HDF4") && source.GetDataType().GetClass() == GEDTC_STRING) {
    throw zarr::Error(zarr::ErrorKind::kUnsupported,
                      source.GetFullName() + ": GDAL cannot read arrays of text in HDF4 files");
  }
  constexpr auto kLongest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  for (const auto& dimension : source.GetDimensions()) {
    if (dimension->GetSize() <= kLongest) continue;
    throw zarr::Error(zarr::ErrorKind::kUnsupported, source.GetFullName(), "", "",
                      zarr::FormatExpectedGot("at most " + std::to_string(kLongest) + " elements of the dimension " +
                                                  dimension->GetName() + " in an array that is copied",
                                              std::to_string(dimension->GetSize())));
  }
}

/// Warns of a CRS that GDAL's driver of the source cannot read. GDAL's netCDF driver remembers the failure, so that it
/// does not fail the copy, which keeps the attributes that define the CRS. A file that cannot be read still fails then.
void LookAtSpatialRef(const GDALMDArray& source) {
  if (AsOwnArray(&source)) return;  // errors of this driver are not ignored
  std::string why;
  {
    const ErrorCollector errors;
    source.GetSpatialRef();
    if (errors.failed()) why = errors.GetText();
  }
  if (why.empty()) return;
  CPLError(CE_Warning, CPLE_AppDefined, "%s: the CRS of the source cannot be read: %s", source.GetFullName().c_str(),
           why.c_str());
}

/// Returns true for the numbers that change how pixels are read. None of them can be an empty list.
bool IsOfPixels(const std::string& name) {
  constexpr const char* kNames[] = {kScaleAttribute, kOffsetAttribute, kFillValueAttribute, kMissingValueAttribute};
  return std::ranges::any_of(kNames, [&](const char* known) { return name == known; });
}

/// Returns the attribute `missing_value`, even one that the driver of the array's file does not list, or null.
std::shared_ptr<GDALAttribute> FindMissingValue(const GDALMDArray& array) {
  if (auto shown = FindAttribute(array, kMissingValueAttribute)) return shown;
  for (const auto& attribute : ListHiddenAttributes(array)) {
    if (attribute->GetName() == kMissingValueAttribute) return attribute;
  }
  return nullptr;
}

/// Returns true if GDAL gives the same nodata value for two arrays. That of a virtual dataset may be another one than
/// that of its source.
bool HaveSameNodata(const GDALMDArray& a, const GDALMDArray& b) {
  if (&a == &b) return true;
  const void* const of_a = a.GetRawNoDataValue();
  const void* const of_b = b.GetRawNoDataValue();
  if (a.GetDataType() != b.GetDataType() || !of_a || !of_b) return a.GetDataType() == b.GetDataType() && of_a == of_b;
  return std::memcmp(of_a, of_b, a.GetDataType().GetSize()) == 0;
}

bool IsText(const GDALExtendedDataType& type) {
  return type.GetClass() == GEDTC_STRING;
}

/// Returns nullopt if an attribute is not one number, which may be text.
std::optional<double> ReadOneNumber(const GDALAttribute& attribute) {
  if (attribute.GetTotalElementsCount() != 1) return std::nullopt;
  if (!IsText(attribute.GetDataType())) return attribute.ReadAsDouble();
  const char* const text = attribute.ReadAsString();
  return ReadNumber(zarr::JsonNode::MakeString(text ? text : ""));
}

/// Returns true for the encodings that writing text expects: UTF-8, and Latin-1 for what is not UTF-8.
bool IsReadAsText(const zarr::JsonNode& encoding) {
  constexpr const char* kNames[] = {"utf-8",      "utf8",      "ascii",   "us-ascii",
                                    "iso-8859-1", "iso8859-1", "latin-1", "latin1"};
  return encoding.IsString() &&
         std::ranges::any_of(kNames, [&](const char* name) { return EQUAL(encoding.AsString().c_str(), name); });
}

/// Returns a number as an array of Float32 has it.
double RoundToFloat(double number) {
  return static_cast<double>(static_cast<float>(number));
}

}  // namespace

/// Returns the CRS that the axes of an array imply by themselves, for instance longitudes and latitudes. Returns null
/// if they do not imply any.
std::shared_ptr<OGRSpatialReference> MDArray::FindSpatialRefOfAxes(const GDALMDArray& array) {
  const auto& dimensions = array.GetDimensions();
  const auto axes = FindHorizontalAxes(dimensions);
  if (!axes) return nullptr;
  return ReadSpatialRefOfAxes(*dimensions[axes->x], *dimensions[axes->y]);
}

bool MDArray::CopyHiddenAttributes(const GDALMDArray& source) {
  for (const auto& attribute : ListHiddenAttributes(source)) {
    const std::string& name = attribute->GetName();
    if (FindAttribute(name)) continue;
    if (!CopyAttribute(*this, *attribute)) return false;
    if (name == kGridMappingAttribute) has_mapping_of_source_ = true;
  }
  return true;
}

std::optional<bool> MDArray::IsNodataOfSource(const GDALMDArray& source, const GDALAttribute& missing) const {
  const GdalElement* const stated = stated_nodata_ ? stated_nodata_->get() : nullptr;
  if (IsText(source.GetDataType())) {
    const char* const text = IsText(missing.GetDataType()) ? missing.ReadAsString() : nullptr;
    if (!stated) return std::nullopt;
    return text && std::strcmp(text, *reinterpret_cast<const char* const*>(stated->data())) == 0;
  }
  bool has_nodata = stated != nullptr;
  double nodata = 0;
  if (stated) {
    GDALCopyWords64(stated->data(), stated->type().GetNumericDataType(), 0, &nodata, GDT_Float64, 0, 1);
  } else if (!stated_nodata_) {
    nodata = source.GetNoDataValueAsDouble(&has_nodata);
  }
  if (!has_nodata) return std::nullopt;
  const std::optional<double> number = ReadOneNumber(missing);
  const bool is_float = source.GetDataType().GetNumericDataType() == GDT_Float32;
  return number && IsSameNodata(is_float ? RoundToFloat(*number) : *number, nodata);
}

void MDArray::LeaveOutMissingValue(const GDALMDArray& source) {
  resource_->edits().live_objects.SavePending(node());
  const auto missing = FindMissingValue(source);
  if (!missing || !HasValue(*missing)) return;
  const std::optional<bool> is_nodata = IsNodataOfSource(source, *missing);
  const auto own = FindAttribute(kMissingValueAttribute);
  // Without a `_FillValue`, this value would become the nodata value.
  const bool contradicts = is_nodata == false && own && !own->IsArray() && !FindAttribute(kFillValueAttribute);
  if (contradicts) SaveAttribute(kMissingValueAttribute, std::nullopt);
  if ((own && !contradicts) || is_nodata == true) return;
  CPLError(CE_Warning, CPLE_NotSupported, "%s: missing_value is not copied: it is not the nodata value",
           GetFullName().c_str());
}

void MDArray::LeaveOutEncoding(const GDALMDArray& source) {
  const bool is_text = GetDataType().GetClass() == GEDTC_STRING;
  const bool holds_bytes = array_->metadata().data_type.kind == zarr::DataType::Kind::kFixedBytes;
  const auto encoding = holds_bytes ? std::nullopt : FindAttribute(kEncodingAttribute);
  if (!encoding || (!is_text && AsOwnArray(&source))) return;
  if (is_text && !IsReadAsText(*encoding)) {
    CPLError(CE_Warning, CPLE_NotSupported,
             "%s: this text is in %s, and its bytes are taken for Latin-1: _Encoding stays, to convert it",
             GetFullName().c_str(), encoding->GetExcerpt().c_str());
    return;
  }
  SaveAttribute(kEncodingAttribute, std::nullopt);
  if (is_text) return;
  CPLError(CE_Warning, CPLE_NotSupported, "%s: _Encoding is not copied: the copy is not of text",
           GetFullName().c_str());
}

void MDArray::TakeStatedNodata(const OriginalArray& original, const GDALMDArray& source) {
  if (source.GetDataType() != GetDataType() || !HaveSameNodata(*original.array, source)) return;
  stated_nodata_ = FindStatedNodata(original.dataset, *original.array);
  // GDAL does not copy what it does not give.
  if (stated_nodata_ && *stated_nodata_ && !source.GetRawNoDataValue()) ChangeNodata((*stated_nodata_)->data());
}

bool MDArray::LeaveOutAttributes(const OriginalArray& original, const GDALMDArray& source) {
  return Guard(
      false,
      [&] {
        LeaveOutMissingValue(source);
        LeaveOutEncoding(*original.array);
        auto shown = original.array->GetAttributes();
        KeepShown(source, &shown);
        for (const std::string& name : ListMisreadAttributes(original.dataset, shown)) {
          SaveAttribute(name, std::nullopt);
        }
        auto all = ListAllAttributes(*original.array);
        KeepShown(source, &all);
        for (const std::string& name : ListEmptyAttributes(original.dataset, all)) {
          if (!FindAttribute(name)) continue;
          SaveAttribute(name, IsOfPixels(name) ? std::nullopt : std::optional(zarr::JsonNode::MakeArray({})));
        }
        return true;
      },
      Activity::kWriting);
}

MDArray::TextNodata MDArray::GetTextNodata(GDALDataset* source_dataset, const GDALMDArray& source) {
  const bool is_text = source.GetDataType().GetClass() == GEDTC_STRING;
  if (!is_text || AsOwnArray(&source) || IsOfDriver(source_dataset, "MEM")) return TextNodata::kAny;
  return IsOfDriver(source_dataset, "VRT") ? TextNodata::kKeptText : TextNodata::kNone;
}

bool MDArray::CanBeNodata(const void* value) const {
  if (text_nodata_ == TextNodata::kAny || !value) return true;
  if (text_nodata_ == TextNodata::kKeptText && IsKeptText(*static_cast<const char* const*>(value))) return true;
  CPLError(CE_Warning, CPLE_NotSupported, "%s: the nodata value is not copied: GDAL does not give its text",
           GetFullName().c_str());
  return false;
}

void MDArray::PrepareCopy(GDALDataset* source_dataset, const OriginalArray& original, const GDALMDArray& source) {
  CheckCanBeCopied(original.dataset, source);
  CarryOutSourcePlan(resource_, array_->path(), source);
  LookAtSpatialRef(source);
  of_copied_axes_ = FindSpatialRefOfAxes(source);
  text_nodata_ = GetTextNodata(source_dataset, source);
  TakeStatedNodata(original, source);
}

bool MDArray::CopyFrom(GDALDataset* source_dataset, const GDALMDArray* source, bool strict, GUInt64& current_cost,
                       GUInt64 total_cost, GDALProgressFunc progress, void* progress_data) {
  const auto copy = [&](bool has_values) {
    return has_values ? GDALMDArray::CopyFrom(source_dataset, source, strict, current_cost, total_cost, progress,
                                              progress_data)
                      : CopyFromAllExceptValues(source, strict, current_cost, total_cost, progress, progress_data);
  };
  const bool is_copied = Guard(
      false,
      [&] {
        const OriginalArray original = FindOriginal(resource_->edits().group_copy, source_dataset, *source);
        PrepareCopy(source_dataset, original, *source);
        return CopyHiddenAttributes(*source) && CopyPrepared(original, *source, copy);
      },
      Activity::kWriting);
  text_nodata_ = TextNodata::kAny;
  stated_nodata_.reset();
  return is_copied;
}

bool MDArray::WriteFreedText(const OriginalArray& original) {
  const std::optional<std::string> text =
      ReadFreedText(resource_->edits().group_copy, *original.dataset, *original.array);
  const char* const value = text ? text->c_str() : nullptr;
  return !text || Write(nullptr, nullptr, nullptr, nullptr, GDALExtendedDataType::CreateString(), &value);
}

bool MDArray::CopyPrepared(const OriginalArray& original, const GDALMDArray& source,
                           const std::function<bool(bool has_values)>& copy) {
  // For an array without elements, GDAL's loop over chunks would divide by zero.
  const bool has_any = !LeftOutValues::Note(source.GetFullName(), array_->path()) &&
                       zarr::ComputeProduct(array_->shape()) > 0 && !WarnOfNullDataset(original.dataset, source);
  const bool is_freed = has_any && IsFreedText(original.dataset, *original.array);
  const bool has_values = has_any && !is_freed;
  const std::uint64_t written_before = written_;
  const FailureWatch failures;
  is_in_copy_ = true;
  const bool is_copied = copy(has_values);
  is_in_copy_ = false;
  if (!is_copied || (is_freed && !WriteFreedText(original))) return false;
  const bool is_corrected = LeaveOutAttributes(original, source);
  if (!has_values || !is_corrected) return is_corrected;
  // Unless the copy is strict, GDAL continues after a failed read, and leaves out the unreadable part. Some sources do
  // not report an error then.
  if (!failures.failed() && written_ - written_before >= zarr::ComputeProduct(array_->shape())) return true;
  const std::string why = failures.failed() ? ", because of this error: " + failures.message() : "";
  CPLError(CE_Failure, CPLE_FileIO, "%s: not all could be copied%s", GetFullName().c_str(), why.c_str());
  return false;
}

}  // namespace gdal_zarr
