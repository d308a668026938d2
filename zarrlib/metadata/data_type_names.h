// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "zarrlib/metadata/data_type.h"

/// The names of data types in v3 whose sizes and units are in their configurations.
namespace zarr {

inline constexpr std::string_view kRawBytesName = "raw_bytes";
inline constexpr std::string_view kFixedBytesName = "null_terminated_bytes";
inline constexpr std::string_view kFixedUtf32Name = "fixed_length_utf32";
inline constexpr std::string_view kDatetime64Name = "numpy.datetime64";
inline constexpr std::string_view kTimedelta64Name = "numpy.timedelta64";
inline constexpr std::string_view kStructName = "struct";
inline constexpr std::string_view kOptionalName = "optional";

/// Finds the name in v3 of a type that needs no configuration; "" if it has none.
std::string_view FindPlainTypeName(const DataType& type);

}  // namespace zarr
