// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "driver/types/type_map.h"
#include "zarrlib/base/small_float.h"

/// The parts of the type map, one per kind of type.
namespace gdal_zarr {

/// Reads a value from an address that may be unaligned.
template <typename T>
T Load(const std::byte* source) {
  T value;
  std::memcpy(&value, source, sizeof(T));
  return value;
}

template <typename T>
void Put(std::byte* destination, T value) {
  std::memcpy(destination, &value, sizeof(T));
}

/// Converts one number to a wider type.
using Widen = void (*)(const std::byte* source, std::byte* destination);
/// Converts one number to the array's narrower type. `format` is only set for small floats.
using Narrow = void (*)(const zarr::SmallFloat* format, const std::byte* source, std::byte* destination);

/// The numeric type of an array's numbers in GDAL: as in zarrlib's memory, or widened. Integers of a few bits have the
/// same form in both, and are "narrowed" to their range.
struct NumericForm {
  GDALDataType type = GDT_Unknown;
  Widen widen = nullptr;
  Narrow narrow = nullptr;  ///< Null if `widen` is null.
  const zarr::SmallFloat* small_float = nullptr;
};

/// Makes the form of a type. For a type that is not numeric, the result has the type GDT_Unknown.
NumericForm MakeNumericForm(const zarr::DataType& type);
/// Converts numbers of the form `from` to a numeric type of GDAL.
std::unique_ptr<zarr::RowConverter> MakeNumberConverter(const NumericForm& from, GDALDataType to);
/// Converts numbers of a numeric type of GDAL to the form `to`.
std::unique_ptr<zarr::RowConverter> MakeNumberPacker(GDALDataType from, const NumericForm& to);

/// Returns the bytes that are shown as this text, "0x" and hexadecimal digits; nullopt if the text shows itself.
std::optional<std::string> FindBytesOf(std::string_view text);
/// Makes the form of strings, variable-length bytes, and types that cannot be read.
ElementForm MakeStringForm(const zarr::DataType& type);
/// Makes the form of `size` bytes as a string of hexadecimal digits, two per byte.
ElementForm MakeHexadecimalForm(std::size_t size);

ElementForm MakeStructForm(const zarr::DataType& type);
/// Makes the form of opaque bytes: a compound of bytes.
ElementForm MakeRawForm(const zarr::DataType& type);
/// Returns true if MakeElementForm makes a compound of a struct or of opaque bytes.
bool IsCompound(const zarr::DataType& type);

}  // namespace gdal_zarr
