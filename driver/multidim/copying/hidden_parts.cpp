// SPDX-License-Identifier: MIT
#include "driver/multidim/copying/hidden_parts.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>

#include "driver/dataset/attribute_names.h"
#include "driver/gdal/attribute_value.h"
#include "driver/gdal/gdal_error.h"
#include "driver/multidim/group.h"

namespace gdal_zarr {
namespace {

constexpr const char* kShowAll[] = {"SHOW_ALL=YES", nullptr};

/// Returns true for a name that GDAL's drivers take for one of those that they read only apart from case: they hide the
/// attribute without reading it.
bool IsHiddenByCase(const std::string& name) {
  constexpr const char* kRead[] = {kUnitsAttribute,     kScaleAttribute,        kOffsetAttribute,
                                   kFillValueAttribute, kMissingValueAttribute, kGridMappingAttribute};
  return std::ranges::any_of(kRead, [&](const char* read) { return name != read && EQUAL(name.c_str(), read); });
}

bool IsKept(const GDALAttribute& attribute) {
  if (IsHiddenByCase(attribute.GetName())) return true;
  // GDAL copies a unit unless it is empty.
  if (attribute.GetName() == kUnitsAttribute) {
    const char* const unit = attribute.ReadAsString();
    return attribute.GetDataType().GetClass() == GEDTC_STRING && unit && !*unit;
  }
  if (attribute.GetName() == kGridMappingAttribute) return attribute.GetDataType().GetClass() == GEDTC_STRING;
  return attribute.GetName() == kMissingValueAttribute && attribute.GetDataType().GetClass() == GEDTC_NUMERIC;
}

/// Returns true if the value of an array without dimensions can be read.
bool IsReadable(const GDALMDArray& array) {
  const GDALExtendedDataType& type = array.GetDataType();
  std::vector<std::byte> value(type.GetSize());
  if (!array.Read(nullptr, nullptr, nullptr, nullptr, type, value.data(), value.data(), value.size())) return false;
  type.FreeDynamicMemory(value.data());
  return true;
}

}  // namespace

std::vector<std::shared_ptr<GDALMDArray>> ListHiddenArrays(const GDALGroup& source) {
  if (dynamic_cast<const Group*>(&source)) return {};
  const std::vector<std::string> names = source.GetMDArrayNames();
  const std::set<std::string> shown(names.begin(), names.end());
  std::vector<std::shared_ptr<GDALMDArray>> hidden;
  for (const std::string& name : source.GetMDArrayNames(kShowAll)) {
    if (shown.contains(name)) continue;
    auto array = source.OpenMDArray(name);
    if (array && array->GetDimensionCount() == 0) hidden.push_back(std::move(array));
  }
  return hidden;
}

std::vector<std::shared_ptr<GDALAttribute>> ListAllAttributes(const GDALMDArray& source) {
  return source.GetAttributes(kShowAll);
}

std::vector<std::shared_ptr<GDALAttribute>> ListHiddenAttributes(const GDALMDArray& source) {
  std::set<std::string> shown;
  for (const auto& attribute : source.GetAttributes()) shown.insert(attribute->GetName());
  std::vector<std::shared_ptr<GDALAttribute>> hidden = ListAllAttributes(source);
  std::erase_if(hidden,
                [&](const auto& attribute) { return shown.contains(attribute->GetName()) || !IsKept(*attribute); });
  return hidden;
}

bool CopyAttribute(GDALMDArray& target, const GDALAttribute& source) {
  const auto copy = target.CreateAttribute(source.GetName(), source.GetDimensionsSize(), source.GetDataType());
  if (copy && source.GetTotalElementsCount() == 0) return true;
  const GDALRawResult value = source.ReadAsRaw();
  return copy && value.data() && copy->Write(value.data(), value.size());
}

bool IsOfDriver(GDALDataset* dataset, const char* name) {
  GDALDriver* driver = dataset ? dataset->GetDriver() : nullptr;
  return driver && EQUAL(driver->GetDescription(), name);
}

bool IsOfHdf5(GDALDataset* dataset) {
  // All of them read by the code of the first.
  constexpr std::array<const char*, 5> kDrivers = {"HDF5", "BAG", "S102", "S104", "S111"};
  return std::ranges::any_of(kDrivers, [&](const char* name) { return IsOfDriver(dataset, name); });
}

std::vector<std::string> ListMisreadAttributes(GDALDataset* dataset,
                                               const std::vector<std::shared_ptr<GDALAttribute>>& attributes) {
  if (!IsOfHdf5(dataset)) return {};
  std::vector<std::string> misread;
  for (const auto& attribute : attributes) {
    const std::vector<GUInt64> shape = attribute->GetDimensionsSize();
    if (std::ranges::count_if(shape, [](GUInt64 size) { return size > 1; }) < 2) continue;
    CPLError(CE_Warning, CPLE_NotSupported, "%s is not copied: GDAL misreads HDF5 attributes of several dimensions",
             attribute->GetFullName().c_str());
    misread.push_back(attribute->GetName());
  }
  return misread;
}

std::vector<std::string> ListEmptyAttributes(GDALDataset* dataset,
                                             const std::vector<std::shared_ptr<GDALAttribute>>& attributes) {
  if (!IsOfHdf5(dataset) && !IsOfDriver(dataset, "netCDF")) return {};
  std::vector<std::string> empty;
  for (const auto& attribute : attributes) {
    if (!HasValue(*attribute)) empty.push_back(attribute->GetName());
  }
  return empty;
}

bool WarnOfNullDataset(GDALDataset* dataset, const GDALMDArray& source) {
  if (!IsOfHdf5(dataset) || source.GetDimensionCount() > 0) return false;
  {
    const ErrorCollector errors;
    if (IsReadable(source) || errors.failed()) return false;
  }
  CPLError(CE_Warning, CPLE_NotSupported, "%s has no value: its copy has the fill value", source.GetFullName().c_str());
  return true;
}

}  // namespace gdal_zarr
