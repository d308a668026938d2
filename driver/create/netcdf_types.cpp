// SPDX-License-Identifier: MIT
#include "driver/create/netcdf_types.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "driver/gdal/gdal_error.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// The file in a name such as NETCDF:"file.nc":variable.
std::string GetFile(const std::string& name) {
  if (!EQUALN(name.c_str(), "NETCDF:", 7)) return name;
  const CPLStringList parts(CSLTokenizeString2(name.c_str(), ":", CSLT_HONOURSTRINGS));
  std::string file = parts.size() > 1 ? parts[1] : "";
  // A drive's letter, or the scheme of an address, without quotes.
  for (int i = 2; i + 1 < parts.size(); ++i) file.append(":").append(parts[i]);
  return file;
}

std::optional<JsonNode> MakeNumber(double number, bool is_integer) {
  if (!is_integer) return JsonNode::MakeFloat(number);
  constexpr double kExact = 9007199254740992;  // 2^53
  if (!(std::fabs(number) < kExact)) return std::nullopt;
  return JsonNode::MakeInteger(static_cast<std::int64_t>(number));
}

/// The numbers or texts of an attribute; none for those that cannot be kept exactly.
std::vector<JsonNode> ReadItems(const GDALAttribute& attribute) {
  std::vector<JsonNode> items;
  const GDALExtendedDataType& type = attribute.GetDataType();
  if (type.GetClass() == GEDTC_STRING) {
    const CPLStringList texts = attribute.ReadAsStringArray();
    for (int i = 0; i < texts.size(); ++i) items.push_back(JsonNode::MakeString(texts[i]));
  }
  if (type.GetClass() != GEDTC_NUMERIC || GDALDataTypeIsComplex(type.GetNumericDataType())) return items;
  for (const double value : attribute.ReadAsDoubleArray()) {
    const auto number = MakeNumber(value, GDALDataTypeIsInteger(type.GetNumericDataType()));
    if (!number) return {};
    items.push_back(*number);
  }
  return items;
}

}  // namespace

NetcdfTypes::NetcdfTypes(GDALDataset& source) {
  const GDALDriver* driver = source.GetDriver();
  if (!driver || !EQUAL(driver->GetDescription(), "netCDF")) return;
  const ErrorCollector hidden_errors;  // the raster is open, whatever comes here
  constexpr const char* kDrivers[] = {"netCDF", nullptr};
  const GDALDatasetUniquePtr file(GDALDataset::Open(GetFile(source.GetDescription()).c_str(),
                                                    GDAL_OF_MULTIDIM_RASTER | GDAL_OF_READONLY, kDrivers));
  if (file) root_ = file->GetRootGroup();
}

std::optional<JsonNode> NetcdfTypes::FindValue(const std::string& variable, const std::string& attribute) const {
  if (!root_) return std::nullopt;
  const ErrorCollector hidden_errors;
  std::shared_ptr<GDALAttribute> found;
  if (variable == "NC_GLOBAL") {
    found = root_->GetAttribute(attribute);
  } else if (const auto array = root_->ResolveMDArray(variable, "/")) {
    found = array->GetAttribute(attribute);
  }
  if (!found) return std::nullopt;
  const std::vector<JsonNode> items = ReadItems(*found);
  if (items.empty() || (items.size() == 1 && items[0].IsString())) return std::nullopt;
  return items.size() == 1 ? items[0] : JsonNode::MakeArray(items);
}

}  // namespace gdal_zarr
