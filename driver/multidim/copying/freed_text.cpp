// SPDX-License-Identifier: MIT
#include "driver/multidim/copying/freed_text.h"

#include <memory>
#include <string_view>

#include "driver/gdal/gdal_error.h"
#include "driver/multidim/copying/hidden_parts.h"

namespace gdal_zarr {
namespace {

/// Returns the file that a name of the netCDF driver is of, such as NETCDF:"file".
std::string GetNetcdfFile(std::string name) {
  if (!STARTS_WITH_CI(name.c_str(), "NETCDF:")) return name;
  name.erase(0, std::string_view("NETCDF:").size());
  return name.size() > 1 && name.starts_with('"') && name.ends_with('"') ? name.substr(1, name.size() - 2) : name;
}

/// Opens the HDF5 file of a dataset. With a prefix, because the driver leaves the extension .nc to the netCDF driver.
std::shared_ptr<GDALDataset> OpenAsHdf5(GroupCopy& copy, GDALDataset& dataset) {
  constexpr const char* kDrivers[] = {"HDF5", nullptr};
  return copy.OpenSource("HDF5:" + GetNetcdfFile(dataset.GetDescription()), kDrivers);
}

std::optional<std::string> ReadText(const GDALMDArray& array) {
  if (array.GetDimensionCount() > 0 || array.GetDataType().GetClass() != GEDTC_STRING) return std::nullopt;
  char* text = nullptr;
  if (!array.Read(nullptr, nullptr, nullptr, nullptr, GDALExtendedDataType::CreateString(), &text)) return std::nullopt;
  if (!text) return std::nullopt;
  std::string copy(text);
  CPLFree(text);
  return copy;
}

std::optional<std::string> ReadByHdf5(GroupCopy& copy, GDALDataset& dataset, const GDALMDArray& source) {
  const ErrorCollector hidden_errors;
  const auto file = OpenAsHdf5(copy, dataset);
  const auto root = file ? file->GetRootGroup() : nullptr;
  const auto array = root ? root->OpenMDArrayFromFullname(source.GetFullName()) : nullptr;
  return array ? ReadText(*array) : std::nullopt;
}

}  // namespace

bool IsFreedText(GDALDataset* dataset, const GDALMDArray& source) {
  return kFreesTexts && IsOfDriver(dataset, "netCDF") && source.GetDimensionCount() == 0 &&
         source.GetDataType().GetClass() == GEDTC_STRING;
}

std::optional<std::string> ReadFreedText(GroupCopy& copy, GDALDataset& dataset, const GDALMDArray& source) {
  std::optional<std::string> text = ReadByHdf5(copy, dataset, source);
  if (!text) {
    CPLError(CE_Warning, CPLE_NotSupported, "%s: GDAL cannot read its text: its copy has the fill value",
             source.GetFullName().c_str());
  }
  return text;
}

}  // namespace gdal_zarr
