#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/metadata/array_metadata.h"

namespace gdal_zarr {

/// Where a creation option counts.
enum class CreationScope : unsigned {
  kArray = 1,    ///< A new array: GDALGroup::CreateMDArray, and the classic API.
  kStore = 2,    ///< A new store: CreateMultiDimensional, and the classic API.
  kClassic = 4,  ///< Create and CreateCopy alone.
};

/// The list of the options of one of these: what GDAL_DMD_MULTIDIM_ARRAY_CREATIONOPTIONLIST,
/// GDAL_DMD_MULTIDIM_DATASET_CREATIONOPTIONLIST and (for kClassic: all) GDAL_DMD_CREATIONOPTIONLIST want.
std::string CreationOptionListXml(CreationScope scope);

/// The values of creation options, as given or by default. A value type.
class CreationOptions {
 public:
  /// Reads a list of NAME=VALUE. Throws zarr::Error(invalid_argument) for a value that an option cannot have. Names
  /// that are not known are left to GDAL, which warns of them.
  explicit CreationOptions(CSLConstList options = nullptr);

  /// Whether the option was given.
  bool Has(std::string_view name) const;
  /// The value; that by default, or "", where none was given. Names of string-select options are in capitals.
  std::string Text(std::string_view name) const;
  bool Boolean(std::string_view name) const;
  std::int64_t Integer(std::string_view name) const;
  /// A list of positive integers, such as that of BLOCKSIZE; nothing where none was given.
  std::optional<std::vector<std::uint64_t>> Sizes(std::string_view name) const;

  /// FORMAT, by default that of the configuration option ZARR_DEFAULT_FORMAT, or else v2, as in GDAL's own driver.
  zarr::ZarrFormat format() const;

 private:
  CPLStringList values_;
};

/// Throws zarr::Error(invalid_argument): "creation option NAME: expected ..., got ...".
[[noreturn]] void FailOption(std::string_view name, std::string_view expected, std::string_view got);

}  // namespace gdal_zarr
