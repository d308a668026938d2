// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/dataset/writer_pool.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/stores/commit_note.h"
#include "zarrlib/metadata/array_metadata.h"

namespace gdal_zarr {

/// The value of FORMAT for references to the blocks of the source of a copy.
inline constexpr const char* kKerchunkFormat = "KERCHUNK";
/// The value of FORMAT for a repository of Icechunk.
inline constexpr const char* kIcechunkFormat = "ICECHUNK";

/// The calls in which a creation option is valid.
enum class CreationScope : unsigned {
  kArray = 1,    ///< Creating an array: GDALGroup::CreateMDArray, and the classic API.
  kStore = 2,    ///< Creating a store: CreateMultiDimensional, and the classic API.
  kClassic = 4,  ///< Only Create and CreateCopy.
};

/// Makes the list of options of one scope for GDAL_DMD_MULTIDIM_ARRAY_CREATIONOPTIONLIST,
/// GDAL_DMD_MULTIDIM_DATASET_CREATIONOPTIONLIST or, with all options, for GDAL_DMD_CREATIONOPTIONLIST (kClassic).
std::string MakeCreationOptionListXml(CreationScope scope);

/// The values of creation options, given or by default. A value type.
class CreationOptions {
 public:
  /// Reads a list of NAME=VALUE. Throws zarr::Error(invalid_argument) for a value that is not allowed. Ignores unknown
  /// names, about which GDAL warns.
  explicit CreationOptions(CSLConstList options = nullptr);

  /// Returns true if the option was given.
  bool Has(std::string_view name) const;
  /// Returns the given value, otherwise the default, otherwise "". Values of string-select options are in upper case.
  std::string GetText(std::string_view name) const;
  bool GetBoolean(std::string_view name) const;
  std::int64_t GetInteger(std::string_view name) const;
  /// Returns a list of positive integers, such as BLOCKSIZE, or nullopt if the option was not given.
  std::optional<std::vector<std::uint64_t>> GetSizes(std::string_view name) const;

  /// Returns the value of FORMAT, otherwise of the configuration option ZARR_DEFAULT_FORMAT, otherwise v2, as in GDAL's
  /// built-in driver. Throws zarr::Error(invalid_argument) for kKerchunkFormat.
  zarr::ZarrFormat format() const;
  /// Returns true if FORMAT asks for a repository of Icechunk, whose arrays are of v3.
  bool is_icechunk() const;
  CommitNote commit() const;
  /// Returns the value of REFRESH_OVERVIEWS, otherwise of the configuration option. Throws
  /// zarr::Error(invalid_argument).
  bool refreshes_overviews() const;

 private:
  std::string GetFormat() const;

  CPLStringList values_;
};

/// Throws zarr::Error(invalid_argument) with the message "creation option NAME: expected ..., got ...".
[[noreturn]] void FailOption(std::string_view name, std::string_view expected, std::string_view got);

/// Returns the options that determine how chunks are stored.
WriterPool::Policy GetWritePolicy(const CreationOptions& options);

}  // namespace gdal_zarr
