// SPDX-License-Identifier: MIT
#include "driver/multidim/copying/freed_text.h"

#include <memory>

#include "driver/gdal/gdal_error.h"
#include "driver/multidim/copying/hidden_parts.h"

namespace gdal_zarr {
namespace {

/// Opens the HDF5 file of a dataset. With a prefix, because the driver leaves the extension .nc to the netCDF driver.
std::shared_ptr<GDALDataset> OpenAsHdf5(GroupCopy& copy, GDALDataset& dataset) {
  constexpr const char* kDrivers[] = {"HDF5", nullptr};
  return copy.OpenSource(std::string("HDF5:") + dataset.GetDescription(), kDrivers);
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
