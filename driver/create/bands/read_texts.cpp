// SPDX-License-Identifier: MIT
#include "driver/create/bands/read_texts.h"

#include <algorithm>
#include <memory>

#include "driver/cf/unsigned_attribute.h"
#include "driver/types/type_map.h"

namespace gdal_zarr {

std::vector<std::string> ReadTexts(const zarr::Array& array) {
  const auto release = [](std::vector<char*>* pointers) { std::ranges::for_each(*pointers, CPLFree); };
  std::vector<char*> pointers(array.shape()[0]);
  const std::unique_ptr<std::vector<char*>, decltype(release)> owner(&pointers, release);
  const auto converter = MakeRowConverter(GetShownType(array), GDALExtendedDataType::CreateString());
  array.Read(zarr::Selection::FromBox({zarr::Shape(1, 0), array.shape()}),
             {reinterpret_cast<std::byte*>(pointers.data()), zarr::Strides(1, sizeof(char*)), converter.get()});
  std::vector<std::string> texts;
  for (const char* text : pointers) texts.emplace_back(text ? text : "");
  return texts;
}

}  // namespace gdal_zarr
