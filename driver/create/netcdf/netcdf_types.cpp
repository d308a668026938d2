// SPDX-License-Identifier: MIT
#include "driver/create/netcdf/netcdf_types.h"

#include <cstdint>
#include <cstring>
#include <vector>

#include "driver/gdal/gdal_error.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// Returns the file in a name such as NETCDF:"file.nc":variable.
std::string GetFile(const std::string& name) {
  if (!EQUALN(name.c_str(), "NETCDF:", 7)) return name;
  const CPLStringList parts(CSLTokenizeString2(name.c_str(), ":", CSLT_HONOURSTRINGS));
  std::string file = parts.size() > 1 ? parts[1] : "";
  // A drive letter, or the scheme of a URL, without quotes.
  for (int i = 2; i + 1 < parts.size(); ++i) file.append(":").append(parts[i]);
  return file;
}

/// Returns the 64-bit integers of an attribute, which conversion to double would round.
template <typename Integer, typename Make>
std::vector<JsonNode> ReadLongIntegers(const GDALAttribute& attribute, const Make& make) {
  const GDALRawResult bytes = attribute.ReadAsRaw();
  std::vector<JsonNode> items;
  for (std::size_t i = 0; i + sizeof(Integer) <= bytes.size(); i += sizeof(Integer)) {
    Integer number = 0;
    std::memcpy(&number, bytes.data() + i, sizeof number);
    items.push_back(make(number));
  }
  return items;
}

/// Returns the numbers or strings of an attribute, or an empty list if they cannot be kept exactly.
std::vector<JsonNode> ReadItems(const GDALAttribute& attribute) {
  std::vector<JsonNode> items;
  const GDALExtendedDataType& type = attribute.GetDataType();
  if (type.GetClass() == GEDTC_STRING) {
    const CPLStringList texts = attribute.ReadAsStringArray();
    for (int i = 0; i < texts.size(); ++i) items.push_back(JsonNode::MakeString(texts[i]));
  }
  if (type.GetClass() != GEDTC_NUMERIC) return items;
  const GDALDataType number_type = type.GetNumericDataType();
  if (GDALDataTypeIsComplex(number_type)) return items;
  const auto make_integer = [](std::int64_t number) { return JsonNode::MakeInteger(number); };
  const auto make_unsigned = [](std::uint64_t number) { return JsonNode::MakeUnsigned(number); };
  if (number_type == GDT_Int64) return ReadLongIntegers<std::int64_t>(attribute, make_integer);
  if (number_type == GDT_UInt64) return ReadLongIntegers<std::uint64_t>(attribute, make_unsigned);
  for (const double value : attribute.ReadAsDoubleArray()) {
    items.push_back(GDALDataTypeIsInteger(number_type) ? JsonNode::MakeInteger(static_cast<std::int64_t>(value))
                                                       : JsonNode::MakeFloat(value));
  }
  return items;
}

}  // namespace

NetcdfTypes::NetcdfTypes(GDALDataset& source) {
  const GDALDriver* driver = source.GetDriver();
  if (!driver || !EQUAL(driver->GetDescription(), "netCDF")) return;
  const ErrorCollector hidden_errors;  // the raster is open, whatever fails here
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
  } else if (const auto array = root_->ResolveMDArray(variable, start_)) {
    found = array->GetAttribute(attribute);
  }
  if (!found) return std::nullopt;
  const std::vector<JsonNode> items = ReadItems(*found);
  if (items.empty() || (items.size() == 1 && items[0].IsString())) return std::nullopt;
  return items.size() == 1 ? items[0] : JsonNode::MakeArray(items);
}

std::vector<std::string> NetcdfTypes::ListCoordinatesOfPlane(const std::string& variable) const {
  const ErrorCollector hidden_errors;
  const auto array = root_ ? root_->ResolveMDArray(variable, start_) : nullptr;
  std::vector<std::string> names;
  const auto dimensions = array ? array->GetDimensions() : std::vector<std::shared_ptr<GDALDimension>>();
  for (std::size_t i = dimensions.size() < 2 ? 0 : dimensions.size() - 2; i < dimensions.size(); ++i) {
    const auto coordinates = dimensions[i]->GetIndexingVariable();
    // GDAL also finds other variables along a dimension.
    if (coordinates && coordinates->GetName() == dimensions[i]->GetName()) names.push_back(coordinates->GetName());
  }
  return names;
}

}  // namespace gdal_zarr
