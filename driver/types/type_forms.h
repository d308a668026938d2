#pragma once

#include <cstring>

#include "driver/types/type_map.h"
#include "zarrlib/base/small_float.h"

/// The parts of the type map, one kind of type each.
namespace gdal_zarr {

/// A value at an address that need not be aligned.
template <typename T>
T Load(const std::byte* source) {
  T value;
  std::memcpy(&value, source, sizeof(T));
  return value;
}

template <typename T>
void Store(std::byte* destination, T value) {
  std::memcpy(destination, &value, sizeof(T));
}

/// Writes one number, in a wider form, to `destination`.
using Widen = void (*)(const std::byte* source, std::byte* destination);
/// The reverse. `format` is that of kSmallFloat, of others null.
using Narrow = void (*)(const zarr::SmallFloat* format, const std::byte* source, std::byte* destination);

/// How a number looks in GDAL: as it is in zarrlib's memory, or widened.
struct NumericForm {
  GDALDataType type = GDT_Unknown;
  Widen widen = nullptr;
  Narrow narrow = nullptr;  ///< Null where `widen` is.
  const zarr::SmallFloat* small_float = nullptr;
};

/// Of type GDT_Unknown for what is no number.
NumericForm NumericFormOf(const zarr::DataType& type);
/// From numbers of that form to a numeric type of GDAL.
std::unique_ptr<zarr::RowConverter> MakeNumberConverter(const NumericForm& from, GDALDataType to);
/// The reverse.
std::unique_ptr<zarr::RowConverter> MakeNumberPacker(GDALDataType from, const NumericForm& to);

/// Strings and bytes, and what cannot be read.
ElementForm StringForm(const zarr::DataType& type);
/// Two digits per byte, as a string.
ElementForm HexadecimalForm(std::size_t size);

ElementForm StructForm(const zarr::DataType& type);
/// Opaque bytes.
ElementForm RawForm(const zarr::DataType& type);

}  // namespace gdal_zarr
