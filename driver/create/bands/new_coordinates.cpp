// SPDX-License-Identifier: MIT
#include "driver/create/bands/new_coordinates.h"

#include <memory>
#include <string>

#include "driver/cf/unsigned_attribute.h"
#include "driver/create/bands/same_coordinates.h"
#include "driver/dataset/shared_resource.h"
#include "driver/multidim/nodata_writer.h"
#include "driver/new_array/array_metadata_builder.h"
#include "driver/types/type_map.h"
#include "zarrlib/array/array_writer.h"
#include "zarrlib/store/memory_store.h"

namespace gdal_zarr {
namespace {

/// Returns a type with elements of the same size, for the choice of codecs: GDAL does not have all types.
GDALDataType GetTypeLike(const zarr::DataType& type) {
  const bool is_unsigned = type.kind == zarr::DataType::Kind::kUint;
  if (type.size == 8) return is_unsigned ? GDT_UInt64 : GDT_Int64;
  if (type.size == 4) return is_unsigned ? GDT_UInt32 : GDT_Int32;
  return type.size == 1 ? GDT_Byte : is_unsigned ? GDT_UInt16 : GDT_Int16;
}

GDALExtendedDataType GetType(const BandDimension& dimension) {
  if (dimension.own) return GDALExtendedDataType::Create(GetTypeLike(dimension.own->type));
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

/// Writes elements that have the array's type.
void WriteElements(const std::shared_ptr<const zarr::Array>& array, const zarr::Bytes& elements) {
  const auto writer = zarr::ArrayWriter::Make(array, {.store_empty_chunks = true});
  const auto size = static_cast<std::ptrdiff_t>(array->data_type().size);
  writer->Write(SelectAll(*array), {elements.data(), zarr::Strides(1, size), nullptr});
  writer->Flush();
}

void WriteCoordinates(const std::shared_ptr<const zarr::Array>& array, const BandDimension& dimension) {
  if (dimension.own) {
    WriteElements(array, dimension.own->elements);
  } else if (!dimension.texts.empty()) {
    std::vector<const char*> texts;
    for (const std::string& text : dimension.texts) texts.push_back(text.c_str());
    WriteAll(array, texts.data(), sizeof(const char*), GDALExtendedDataType::CreateString());
  } else if (!dimension.integers.empty()) {
    WriteAll(array, dimension.integers.data(), sizeof(std::int64_t), GetType(dimension));
  } else {
    WriteAll(array, dimension.values.data(), sizeof(double), GDALExtendedDataType::Create(GDT_Float64));
  }
}

/// Returns true if the elements are not those that GDAL has numbers for. They get no predictor, which not all readers
/// undo for such elements.
bool IsOfOtherType(const BandDimension& dimension) {
  if (!dimension.own) return !dimension.datetime_unit.empty();
  using NumberKind = zarr::DataType::Kind;
  const zarr::DataType& type = dimension.own->type;
  return type.kind != NumberKind::kInt && type.kind != NumberKind::kUint;
}

/// In another format, a fill value without a meaning would mark missing coordinates.
zarr::FillValue ChooseFill(const OwnCoordinates& own, zarr::ZarrFormat format) {
  if (own.format == format) return own.fill;
  zarr::FillValue fill = zarr::MakeZeroFill(own.type);
  fill.defined = format == zarr::ZarrFormat::kV3;
  return fill;
}

/// Integer coordinates with a datetime unit become datetime64.
zarr::ArrayMetadata MakeCoordinateMetadata(zarr::ZarrFormat format, const BandDimension& dimension) {
  const std::vector<NewDimension> dimensions{{dimension.name, dimension.size}};
  CPLStringList options;
  if (IsOfOtherType(dimension)) options.SetNameValue("PREDICTOR", "1");
  zarr::ArrayMetadata metadata = MakeArrayMetadata(format, dimensions, GetType(dimension),
                                                   CreationOptions(options.List()), ChooseDefaultChunk(dimensions));
  if (dimension.own) {
    metadata.data_type = dimension.own->type;
    metadata.fill_value = ChooseFill(*dimension.own, format);
  } else if (!dimension.datetime_unit.empty()) {
    metadata.data_type.kind = zarr::DataType::Kind::kDatetime64;
    metadata.data_type.unit = dimension.datetime_unit;
  }
  metadata.attributes = dimension.attributes;
  return metadata;
}

std::shared_ptr<const zarr::Array> CreateCoordinates(zarr::EditableHierarchy& hierarchy,
                                                     const BandDimension& dimension) {
  auto array = hierarchy.CreateArray(dimension.name, MakeCoordinateMetadata(hierarchy.format(), dimension));
  if (dimension.own && dimension.own->nodata) {
    const ElementForm form = MakeElementForm(GetShownType(*array));
    array = SaveNodata(hierarchy, array, form, dimension.own->nodata->data(), true);
  }
  WriteCoordinates(array, dimension);
  return array;
}

}  // namespace

void CreateBandCoordinates(SharedResource& resource, const std::vector<BandDimension>& dimensions) {
  for (const BandDimension& dimension : dimensions) {
    if (!dimension.has_coordinates() || resource.hierarchy().Probe(dimension.name)) continue;
    CreateCoordinates(resource.Change(), dimension);
  }
}

/// Creates the coordinates in memory to compare them.
bool HasOtherCoordinates(SharedResource& resource, const BandDimension& dimension) {
  if (!resource.hierarchy().Probe(dimension.name)) return false;
  const auto array = resource.finder().FindArray(dimension.name);
  if (!array || array->shape() != zarr::Shape(1, dimension.size) || array->unsupported()) return true;
  if (!dimension.has_coordinates()) return true;
  const auto hierarchy =
      zarr::EditableHierarchy::Create(std::make_shared<zarr::MemoryStore>(), resource.hierarchy().format());
  const auto wanted = CreateCoordinates(*hierarchy, dimension);
  return !SayTheSame(*array, *wanted, dimension.has_all_attributes);
}

}  // namespace gdal_zarr
