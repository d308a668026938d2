// SPDX-License-Identifier: MIT
#include "driver/georeferencing/coordinates/coordinate_arrays.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <string_view>

#include "driver/cf/unsigned_attribute.h"
#include "driver/dataset/attribute_names.h"
#include "driver/dataset/shared_resource.h"
#include "driver/types/type_map.h"
#include "zarrlib/array/array_writer.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/document_names.h"

namespace gdal_zarr {

using zarr::JsonNode;

std::shared_ptr<const zarr::Array> CreateNumbers(const EditableArray& beside, const std::string& path,
                                                 const std::vector<NewDimension>& dimensions,
                                                 const JsonNode& attributes) {
  zarr::EditableHierarchy& hierarchy = beside.resource()->Change();
  zarr::ArrayMetadata metadata =
      MakeArrayMetadata(hierarchy.format(), dimensions, GDALExtendedDataType::Create(GDT_Float64), CreationOptions(),
                        ChooseDefaultChunk(dimensions));
  metadata.attributes = attributes;
  return hierarchy.CreateArray(path, metadata);
}

void WriteNumbers(const std::shared_ptr<const zarr::Array>& array, const std::vector<double>& values) {
  const auto converter = MakeWriteConverter(GDALExtendedDataType::Create(GDT_Float64), GetShownType(*array));
  const zarr::Selection all = zarr::Selection::FromBox({zarr::Shape(array->rank(), 0), array->shape()});
  zarr::Strides strides(array->rank(), sizeof(double));
  for (std::size_t i = strides.size(); i-- > 1;) {
    strides[i - 1] = strides[i] * static_cast<std::ptrdiff_t>(array->shape()[i]);
  }
  const auto writer = zarr::ArrayWriter::Make(array, {.store_empty_chunks = true});
  writer->Write(all, {reinterpret_cast<const std::byte*>(values.data()), strides, converter.get()});
  writer->Flush();
}

double FindRounding(const zarr::DataType& type, const std::vector<double>& values, double width) {
  const auto number = GDALExtendedDataType::Create(GDT_Float64);
  std::vector<std::byte> stored(values.size() * type.size);
  std::vector<double> rounded(values.size());
  const auto size = static_cast<std::ptrdiff_t>(type.size);
  MakeWriteConverter(number, type)
      ->ConvertRow(reinterpret_cast<const std::byte*>(values.data()), sizeof(double), stored.data(), size,
                   values.size());
  MakeRowConverter(type, number)
      ->ConvertRow(stored.data(), size, reinterpret_cast<std::byte*>(rounded.data()), sizeof(double), values.size());
  double most = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double apart = std::fabs(rounded[i] - values[i]);
    most = std::max(most, std::isfinite(apart) ? apart : HUGE_VAL);
  }
  return most == 0 ? 0 : most / std::fabs(width);
}

JsonNode WithoutPacking(JsonNode attributes) {
  for (const std::string_view name :
       std::initializer_list<std::string_view>{kScaleAttribute, kOffsetAttribute, kFillValueAttribute,
                                               kMissingValueAttribute, kUnsignedAttribute, zarr::kXarrayDimensions}) {
    attributes = CopyWithoutMember(attributes, name);
  }
  return attributes;
}

}  // namespace gdal_zarr
