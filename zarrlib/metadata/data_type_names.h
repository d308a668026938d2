// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "zarrlib/metadata/data_type.h"

/// The v3 names of data types whose sizes and units are in their configurations.
namespace zarr {

inline constexpr std::string_view kRawBytesName = "raw_bytes";
inline constexpr std::string_view kFixedBytesName = "null_terminated_bytes";
inline constexpr std::string_view kFixedUtf32Name = "fixed_length_utf32";
inline constexpr std::string_view kDatetime64Name = "numpy.datetime64";
inline constexpr std::string_view kTimedelta64Name = "numpy.timedelta64";
inline constexpr std::string_view kStructName = "struct";
inline constexpr std::string_view kOptionalName = "zarrs.optional";  // "optional" in older releases of zarrs

/// Returns the v3 name of a type without a configuration; "" if it has none.
std::string_view FindPlainTypeName(const DataType& type);

}  // namespace zarr
