// SPDX-License-Identifier: MIT
#include "driver/multidim/nodata_writer.h"

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "driver/dataset/attribute_names.h"
#include "driver/gdal/text.h"
#include "zarrlib/array/array_writer.h"
#include "zarrlib/array/read/stored_chunks.h"
#include "zarrlib/array/read/stored_elements.h"
#include "zarrlib/array/write/gap_source.h"
#include "zarrlib/base/base64.h"
#include "zarrlib/base/limits.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::Array;
using zarr::ArrayMetadata;
using zarr::JsonNode;

zarr::FillValue MakeFillValue(const zarr::DataType& type, const ElementForm& form, const std::byte* value) {
  if (!value) return zarr::MakeZeroFill(type);
  if (!type.variable()) {
    zarr::FillValue fill{zarr::Bytes(type.size), true};
    form.pack(value, fill.bytes.data());
    return fill;
  }
  std::string_view text;
  const auto converter = MakeWriteConverter(form.type, type);
  converter->ConvertRow(value, 0, reinterpret_cast<std::byte*>(&text), 0, 1);
  return {zarr::ToBytes(text), true};
}

bool IsComplex(const ElementForm& form) {
  return form.type.GetClass() == GEDTC_NUMERIC && GDALDataTypeIsComplex(form.type.GetNumericDataType());
}

/// Returns a number if the imaginary part is zero.
std::optional<JsonNode> FindRealNumber(const std::byte* value, GDALDataType type) {
  std::array<double, 2> parts{};
  GDALCopyWords64(value, type, 0, parts.data(), GDT_CFloat64, 0, 1);
  if (parts[1] != 0) return std::nullopt;
  if (std::isnan(parts[0])) return JsonNode::MakeString("NaN");
  if (std::isinf(parts[0])) return JsonNode::MakeString(parts[0] > 0 ? "Infinity" : "-Infinity");
  return JsonNode::MakeFloat(parts[0]);
}

/// xarray cannot open a complex v3 array that has a `_FillValue`.
const char* GetNodataName(const ElementForm& form) {
  return IsComplex(form) ? kMissingValueAttribute : kFillValueAttribute;
}

/// Returns `_FillValue` in the form of xarray in v3: numbers for integers, base64 of a little-endian Float64 for
/// floating-point numbers.
std::optional<JsonNode> FindNodataAttribute(const ElementForm& form, const std::byte* value) {
  if (!value) return std::nullopt;
  if (form.type.GetClass() == GEDTC_STRING) {
    const char* text = *reinterpret_cast<const char* const*>(value);
    return JsonNode::MakeString(text ? text : "");
  }
  if (form.type.GetClass() != GEDTC_NUMERIC) return std::nullopt;
  const GDALDataType type = form.type.GetNumericDataType();
  if (IsComplex(form)) return FindRealNumber(value, type);
  if (GDALDataTypeIsInteger(type)) {
    std::int64_t number = 0;
    std::uint64_t large = 0;
    GDALCopyWords64(value, type, 0, &number, GDT_Int64, 0, 1);
    GDALCopyWords64(value, type, 0, &large, GDT_UInt64, 0, 1);
    return number < 0 || large == static_cast<std::uint64_t>(number) ? JsonNode::MakeInteger(number)
                                                                     : JsonNode::MakeUnsigned(large);
  }
  double number = 0;
  GDALCopyWords64(value, type, 0, &number, GDT_Float64, 0, 1);
  number = zarr::ToOrFromLittleEndian(number);
  return JsonNode::MakeString(zarr::EncodeBase64(std::as_bytes(std::span(&number, 1))));
}

/// Returns a number in the stored type, even if the array is shown with the opposite signedness.
std::optional<JsonNode> ReadStoredAttribute(const Array& array, const ElementForm& form, const std::byte* value,
                                            const zarr::FillValue& fill) {
  if (!value || form.type.GetClass() != GEDTC_NUMERIC) return FindNodataAttribute(form, value);
  const ElementForm stored = MakeElementForm(array.data_type());
  GdalElement element(stored.type);
  stored.expand(fill.bytes.data(), element.data());
  return FindNodataAttribute(stored, element.data());
}

/// Throws for a value that the array cannot represent exactly, and for arrays whose nodata value cannot be changed.
void CheckNodata(const Array& array, const ElementForm& form, const std::byte* value) {
  if (array.data_type().optional_depth > 0) {
    throw zarr::Error(zarr::ErrorKind::kUnsupported, array.store().name(), array.path(), "",
                      "the data type \"optional\" says which elements are missing: its nodata value cannot be changed");
  }
  if (!value || KeepsNumber(form, value)) return;
  double number = 0;
  GDALCopyWords64(value, form.type.GetNumericDataType(), 0, &number, GDT_Float64, 0, 1);
  throw zarr::Error(
      zarr::ErrorKind::kInvalidArgument, array.store().name(), array.path(), "",
      "nodata: " + zarr::FormatExpectedGot("a value of type " + array.data_type().name, FormatNumber(number)));
}

[[noreturn]] void FailBesideFillValue(const Array& array, const std::byte* value) {
  throw zarr::Error(zarr::ErrorKind::kUnsupported, array.store().name(), array.path(), "",
                    std::string("a sharded array some of whose inner chunks are missing keeps its fill value: ") +
                        (value ? "another nodata value of its type cannot be told" : "it stays the nodata value"));
}

/// More missing chunks than these are not written if an attribute can tell the nodata value as well.
constexpr std::uint64_t kFewMissing = 1024;

zarr::ChunkRange GetAllChunks(const Array& array) {
  return {array.metadata().chunk_grid, zarr::Selection::FromBox({zarr::Shape(array.rank(), 0), array.shape()})};
}

std::uint64_t CountStoredChunks(const Array& array) {
  std::uint64_t count = 0;
  const zarr::Shape grid = array.metadata().chunk_grid.grid_shape();
  ForEachExistingChunk(array, {zarr::Shape(grid.size(), 0), grid}, [&](const zarr::Shape&) { ++count; });
  return count;
}

/// Writes the old fill value to all missing chunks. No other process may write to the array at the same time.
void PutMissingChunks(const std::shared_ptr<const Array>& array) {
  const zarr::ChunkRange range = GetAllChunks(*array);
  if (range.count() > zarr::GetLimit(zarr::Limit::kLooks)) {
    throw zarr::Error(  // not kLimitExceeded, which says that data are lost
        zarr::ErrorKind::kUnsupported, array->store().name(), array->path(), "",
        "the fill value of an array that has data: " +
            zarr::FormatExpectedGot(zarr::FormatAtMost(zarr::Limit::kLooks, "chunks"), std::to_string(range.count())));
  }
  const auto writer = zarr::ArrayWriter::Make(array, {.store_empty_chunks = true, .only_absent = true});
  std::uint64_t written = 0;
  for (std::uint64_t i = 0; i < range.count(); ++i) {
    const zarr::ChunkOverlap chunk = range.At(i);
    if (array->store().Exists(array->MakeChunkKey(chunk.grid_index), zarr::Freshness::kNow)) continue;
    const zarr::GapSource gap(*array, chunk.grid_index);
    writer->Write(zarr::Selection::FromBox(chunk.live), gap.Get());
    ++written;
  }
  writer->Flush();
  if (written <= kFewMissing) return;
  CPLError(CE_Warning, CPLE_AppDefined,
           "%s/%s: another nodata value: " CPL_FRMT_GUIB " missing chunks now store the old one",
           array->store().name().c_str(), array->path().c_str(), static_cast<GUIntBig>(written));
}

bool HasManyMissingChunks(const Array& array) {
  const std::uint64_t all = GetAllChunks(array).count();
  return all > kFewMissing && all - CountStoredChunks(array) > kFewMissing;
}

/// Returns false if an element of a sharded array may have the fill value because its inner chunk is missing. Inner
/// chunks that no part of the array is in do not count.
bool StoresAllElements(const Array& array) {
  if (GetAllChunks(array).count() > kFewMissing) return false;
  const zarr::Box all{zarr::Shape(array.rank(), 0), array.shape()};
  return zarr::CountStoredElements(array, all) == zarr::ComputeProduct(array.shape());
}

/// Returns true if the fill value cannot be another one without changing elements, or only at much cost.
bool MustKeepFillValue(const Array& array, bool has_attribute) {
  const bool sharded = !(zarr::GetSmallestChunkShape(array) == array.metadata().chunk_grid.max_chunk_shape());
  return sharded ? !StoresAllElements(array) : has_attribute && HasManyMissingChunks(array);
}

/// Returns true if missing chunks are to be written before the fill value changes. An array without a fill value and
/// without chunks has no values that could change.
bool HasValuesOfMissingChunks(const Array& array) {
  return array.metadata().fill_value.defined || CountStoredChunks(array) > 0;
}

/// Returns true if the attribute `missing_value` equals an element in GDAL's form. Null means no nodata value.
bool SaysNodata(const ElementForm& form, const std::byte* value, const JsonNode& missing) {
  if (!value || !missing.IsNumber() || form.type.GetClass() != GEDTC_NUMERIC || IsComplex(form)) return false;
  double number = 0;
  GDALCopyWords64(value, form.type.GetNumericDataType(), 0, &number, GDT_Float64, 0, 1);
  return IsSameNodata(number, missing.AsDouble());
}

}  // namespace

bool HasStoredChunks(const Array& array) {
  return CountStoredChunks(array) > 0;
}

bool IsSameNodata(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

std::shared_ptr<const Array> SaveNodata(zarr::EditableHierarchy& hierarchy, const std::shared_ptr<const Array>& array,
                                        const ElementForm& form, const std::byte* value, bool has_no_values) {
  CheckNodata(*array, form, value);
  ArrayMetadata metadata = array->metadata();
  const zarr::FillValue fill = MakeFillValue(array->data_type(), form, value);
  const bool same_bytes = fill.bytes == metadata.fill_value.bytes;
  const bool is_v3 = metadata.zarr_format == zarr::ZarrFormat::kV3;
  const auto attribute = is_v3 ? ReadStoredAttribute(*array, form, value, fill) : std::nullopt;
  const bool keeps_fill = !has_no_values && !same_bytes && MustKeepFillValue(*array, attribute.has_value());
  if (keeps_fill && !attribute) FailBesideFillValue(*array, value);
  if (!has_no_values && !same_bytes && !keeps_fill && HasValuesOfMissingChunks(*array)) PutMissingChunks(array);
  if (!keeps_fill) metadata.fill_value = fill;
  JsonNode attributes = CopyWithoutMember(metadata.attributes, kFillValueAttribute);
  const auto missing = FindMember(attributes, kMissingValueAttribute);
  // A `missing_value` with a different number would take precedence over the fill value. With a `_FillValue`, the one
  // of a copy's source is kept.
  const bool stays = has_no_values && attribute && !IsComplex(form);
  if (missing && !stays && !SaysNodata(form, value, *missing)) {
    attributes = CopyWithoutMember(attributes, kMissingValueAttribute);
  }
  if (attribute) attributes = CopyWithMember(attributes, GetNodataName(form), *attribute);
  metadata.attributes = attributes;
  return hierarchy.UpdateArray(array->path(), array->metadata(), metadata);
}

}  // namespace gdal_zarr
